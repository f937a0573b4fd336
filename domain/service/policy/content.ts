/** What a person is shown of a held payload: `ReviewContent` of the contract, from the same facts that were judged. */
import * as v from 'valibot'
import type { components } from '../../../generated/api.ts'
import { vReviewContent } from '../../../generated/validators/valibot.gen.ts'
import type { Facts, Outflow, Warning } from './facts/Facts.ts'

type ReviewContent = components['schemas']['ReviewContent']

/**
 * All of it, also what is longer than the contract's form: `judge` denies a payload of which a review cannot show everything.
 * `isKnown` says whether an address is the wallet's own or the wallet has paid it before.
 */
export const contentOf = (facts: Facts, isKnown: (address: string) => boolean): ReviewContent => {
  const { payload, chain, text, outflows, details } = facts
  return {
    kind: payload,
    ...(chain === undefined ? {} : { chain }),
    ...(text === undefined ? {} : { text }),
    transfers: outflows.map(transferOf),
    details: [...details],
    warnings: warningsOf(facts, isKnown),
  }
}

/**
 * The part of the content, such as `transfers` or `details.0.value`, that is longer than the contract's form; `undefined` if a
 * review shows everything. It does not depend on what the wallet paid before: each recipient counts as one to warn of.
 */
export const tooLongFor = (facts: Facts): string | undefined => {
  const { issues } = v.safeParse(
    vReviewContent,
    contentOf(facts, () => false),
  )
  return issues && (v.getDotPath(issues[0]) ?? 'content')
}

/** Each once: messages that repeat a warning do not use up the room of another. */
const warningsOf = (facts: Facts, isKnown: (address: string) => boolean): ReviewContent['warnings'] => {
  const recipients = facts.fields.get('recipient')?.values ?? []
  const all: readonly Warning[] = [
    ...facts.warnings,
    ...(facts.outflowUnknown ? [{ code: 'OUTFLOW_UNKNOWN' } as const] : []),
    ...facts.outflows
      .filter(({ amount }) => amount === 'unlimited')
      .map(({ to, asset }): Warning => ({ code: 'UNLIMITED_APPROVAL', subject: to ?? asset })),
    ...recipients
      .filter((address) => !isKnown(address))
      .map((subject): Warning => ({ code: 'FIRST_TIME_ADDRESS', subject })),
  ]
  return [...new Map(all.map((one) => [JSON.stringify([one.code, one.subject]), one])).values()]
}

const transferOf = ({ asset, amount, to, isApproval }: Outflow): ReviewContent['transfers'][number] => ({
  asset,
  amount: String(amount),
  ...(to === undefined ? {} : { to }),
  isApproval,
})
