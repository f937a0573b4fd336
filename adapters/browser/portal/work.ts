/** The steps of a page's work. The list is known before; the flows report the current step. */
import type { Step } from '../../../domain/client/ports/Progress.ts'
import type { PortalPage } from '../../../domain/model/PortalUrl.ts'

/** `meeting`: the page proves its opener, before everything else. */
export type WorkStepName = Step['step'] | 'meeting'

export type WorkStep = {
  readonly step: WorkStepName
  readonly state: 'waiting' | 'working' | 'done' | 'failed'
}

/** A login by either credential. */
const afterwards = ['proving', 'unwrapping', 'opening-backups', 'delivering', 'committing', 'telling'] as const

const plans: { readonly [P in PortalPage]: readonly [WorkStepName, ...WorkStepName[]] } = {
  'create-password': ['stretching', 'making-keys', 'wrapping', 'committing', 'telling'],
  'create-passkey': ['asking-passkey', 'making-keys', 'wrapping', 'committing', 'telling'],
  'login-password': ['stretching', ...afterwards],
  'login-passkey': ['asking-passkey', ...afterwards],
  export: ['proving', 'unwrapping', 'opening-backups', 'assembling'],
  review: ['committing', 'telling'],
}

/** The opener is proven already; the other steps are to come. */
export const planOf = (page: PortalPage): readonly WorkStep[] => [
  { step: 'meeting', state: 'done' },
  ...plans[page].map((step) => ({ step, state: 'waiting' }) as const),
]

/**
 * A step begins: those before it are done, those after it are not. An unplanned step follows the ones that are done.
 */
export const begun = (steps: readonly WorkStep[], step: WorkStepName): readonly WorkStep[] => {
  const at = steps.findIndex((planned) => planned.step === step)
  if (at === -1) {
    const done = steps.findLastIndex(({ state }) => state !== 'waiting') + 1
    return begun([...steps.slice(0, done), { step, state: 'working' }, ...steps.slice(done)], step)
  }
  return steps.map(({ step }, index) => ({
    step,
    state: index < at ? 'done' : index === at ? 'working' : 'waiting',
  }))
}
