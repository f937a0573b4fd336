/** The policy of the stack's partner. It holds payments to these addresses, and allows everything else. */

export const heldRecipients = {
  /** The user accepts. */
  user: `0x${'11'.repeat(20)}`,
  /** The user proves their credential as well. */
  stepUp: `0x${'22'.repeat(20)}`,
} as const

const rule = (id: string, to: string, stepUp: boolean) => ({
  id,
  effect: 'review',
  when: { to: { is: to } },
  review: { by: 'user', stepUp },
  onUnknown: 'ignore',
})

export const stackPolicy = {
  tandem: 'policy/1',
  default: 'allow',
  rules: [
    rule('held', heldRecipients.user, false),
    rule('held-with-credential', heldRecipients.stepUp, true),
    // Clients of the specification sign messages of EVM as bare digests.
    { id: 'blind', effect: 'allow', when: { payload: { is: 'blind' } } },
  ],
}
