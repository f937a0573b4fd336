/** The reported steps as lines: one for the portal's window, one for each wallet. */
import type { Step } from '../../adapters/browser/sdk.ts'
import type { Step as Line } from '../ui/Steps.tsx'
import { walletName } from '../ui/walletName.ts'

/**
 * The lines in the order in which they began. Wallets are made in parallel, so a wallet's line stays active until its
 * last step; every other line is done as soon as another step is reported.
 */
export const progressLines = (steps: readonly Step[], portalHost: string): readonly Line[] => {
  const lines = new Map<string, { readonly line: Omit<Line, 'state'>; readonly told: Step }>()
  for (const step of steps) {
    const line = lineOf(step, portalHost)
    lines.set(line.id, { line, told: step })
  }
  if (lines.size === 0) return [{ ...beginning, state: 'working' }]
  const latest = steps.at(-1)
  return [...lines.values()].map(({ line, told }): Line => {
    const { detail, ...done } = line
    const goesOn = told === latest || (isOfWallet(told) && told.step !== 'distributing')
    return goesOn ? { ...line, state: 'working' } : { ...done, state: 'done' }
  })
}

const isOfWallet = (step: Step): boolean => 'type' in step

/** Whether the user is still needed in the window, so that leaving loses nothing. */
export const isWithPortal = (steps: readonly Step[]): boolean => {
  const step = steps.at(-1)?.step
  return step === undefined || step === 'portal' || step === 'waiting'
}

const beginning: Omit<Line, 'state'> = { id: 'beginning', label: 'Checking what is left to do' }

const lineOf = (step: Step, portalHost: string): Omit<Line, 'state'> => {
  switch (step.step) {
    case 'portal':
    case 'waiting':
      return { id: 'portal', label: `Confirming in the window of ${portalHost}` }
    case 'generating':
      return wallet(step.type, `step ${step.round} of ${step.of}`)
    case 'confirming':
      return wallet(step.type, 'confirming')
    case 'checking':
      return wallet(step.type, 'checking')
    case 'storing':
      return wallet(step.type, 'storing')
    case 'backing-up':
    case 'distributing':
      return wallet(step.type, 'backing up')
    case 'receiving':
      return wallet(step.type, 'receiving')
    default:
      return { id: 'other', label: 'Checking the result' }
  }
}

const wallet = (type: string | undefined, detail: string): Omit<Line, 'state'> =>
  type === undefined
    ? { id: 'shares', label: 'Your key shares', detail }
    : { id: `wallet-${type}`, label: `${walletName(type)} wallet`, detail }
