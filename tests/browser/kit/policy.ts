/** The policy of the stack's partner. It holds some payments and whatever its careful shop asks for, and allows all else. */

export const heldRecipients = {
  /** The user accepts. */
  user: `0x${'11'.repeat(20)}`,
  /** The user proves their credential as well. */
  stepUp: `0x${'22'.repeat(20)}`,
  /** The user and the partner's server accept. */
  both: `0x${'33'.repeat(20)}`,
} as const

const rule = (id: string, when: object, review: object) => ({
  id,
  effect: 'review',
  when,
  review: { stepUp: false, ...review },
  onUnknown: 'ignore',
})

const paying = (to: string) => ({ to: { is: to } })

/** `careful`: an origin of the shop. `approver`: the JWK that verifies what the partner's server decides. */
export const stackPolicy = ({ careful, approver }: { readonly careful: string; readonly approver: object }) => ({
  tandem: 'policy/1',
  default: 'allow',
  approver,
  rules: [
    rule('held', paying(heldRecipients.user), { by: 'user' }),
    rule('held-with-credential', paying(heldRecipients.stepUp), { by: 'user', stepUp: true }),
    rule('held-by-both', paying(heldRecipients.both), { by: 'both' }),
    rule('careful', { origin: { is: careful } }, { by: 'user' }),
    // Clients of the specification sign messages of EVM as bare digests.
    { id: 'blind', effect: 'allow', when: { payload: { is: 'blind' } } },
  ],
})
