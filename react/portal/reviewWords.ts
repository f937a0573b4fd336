/** The texts of the review page: what is asked, what to look out for, and how it ended. */
import type { Content, PortalState } from '../../adapters/browser/portal.ts'
import { chainName, coinOf, inUnits } from '../../domain/model/KnownAsset.ts'
import type { FailureWords } from './words.ts'

type Transfer = Content['transfers'][number]
type Code = Content['warnings'][number]['code']

/** What a person is asked, in one line. */
export const question = ({ text, transfers }: Content): string => {
  if (transfers.some(({ isApproval }) => isApproval)) return 'Give this permission?'
  if (transfers.some(({ to }) => to !== undefined)) return 'Send this?'
  return text === undefined ? 'Sign this?' : 'Sign this message?'
}

/** Without a recipient it is a fee, or what is burnt or put into a new contract. */
export const transferLabel = ({ to, isApproval }: Pick<Transfer, 'to' | 'isApproval'>): string => {
  if (isApproval) return 'Another account may take'
  return to === undefined ? 'Leaves your wallet' : 'You send'
}

/** The chain by name, or by its identifier. */
export const chainWords = (chain: string): string => chainName(chain) ?? chain

export type AmountWords = {
  /** In units of a coin, or base units of a token. */
  readonly amount: string
  /** The same in base units, or the contract. */
  readonly exactly: string
}

/** A coin in its units and base units; anything else in base units of the asset as it is identified. */
export const amountWords = ({ asset, amount }: Pick<Transfer, 'asset' | 'amount'>): AmountWords => {
  const coin = coinOf(asset)
  if (amount === 'unlimited') {
    return { amount: coin === undefined ? 'Any amount' : `Any amount of ${coin.symbol}`, exactly: `of ${asset}` }
  }
  const units = coin && inUnits(amount, coin)
  return coin === undefined || units === undefined
    ? { amount: `${amount} base units`, exactly: `of ${asset}` }
    : { amount: `${units} ${coin.symbol}`, exactly: `${amount} base units of ${asset}` }
}

/** The most dangerous first. */
const warnings: { readonly [C in Code]: { readonly title: string; readonly text: string } } = {
  UNLIMITED_APPROVAL: {
    title: 'No limit',
    text: 'The account that gets this permission can take everything that you have of the asset, now or later.',
  },
  ACCOUNT_DELEGATED: {
    title: 'A program takes over your account',
    text: 'Its code acts for your account from then on, and may move everything in it.',
  },
  OUTFLOW_UNKNOWN: {
    title: 'What leaves your wallet is not known',
    text: 'It may be more than what is listed here.',
  },
  UNREADABLE: {
    title: 'This cannot be read as text',
    text: 'No one can tell from it what you would agree to.',
  },
  UNKNOWN_CALL: {
    title: 'A contract is called in a way that is not known',
    text: 'What the call does cannot be shown here.',
  },
  UNKNOWN_PROGRAM: {
    title: 'A program is run that is not known',
    text: 'What it does cannot be shown here.',
  },
  LOOKUP_TABLE: {
    title: 'Some accounts are not in the transaction itself',
    text: 'They are looked up when it runs, so that they cannot be shown here.',
  },
  OTHER_CHAIN: {
    title: 'It goes to another chain',
    text: 'The chain at the end of this channel decides who gets it. Compare the channel with the one that you were given.',
  },
  FIRST_TIME_ADDRESS: {
    title: 'First payment to this address',
    text: 'You have not paid it from this wallet before. Compare every character with the address that you were given.',
  },
}

export type WarningWords = { readonly title: string; readonly text: string; readonly subjects: readonly string[] }

/** One entry for each kind of warning, with everything that it is about. */
export const warningWords = (given: Content['warnings']): readonly WarningWords[] =>
  (Object.keys(warnings) as Code[]).flatMap((code) => {
    const ofCode = given.filter((warning) => warning.code === code)
    const subjects = [...new Set(ofCode.flatMap(({ subject }) => (subject === undefined ? [] : [subject])))]
    return ofCode.length === 0 ? [] : [{ ...warnings[code], subjects }]
  })

/** A first payment is usual; everything else that is warned of is not. */
export const isDangerous = (given: Content['warnings']): boolean =>
  given.some(({ code }) => code !== 'FIRST_TIME_ADDRESS')

type Reviewed = Extract<PortalState, { readonly status: 'reviewed' }>

export const endWords = (end: Reviewed['end'], app: string, by: Reviewed['by']): FailureWords => {
  switch (end) {
    case 'accepted':
      return by === 'both'
        ? { title: 'You accepted', text: `It is signed once ${app} has accepted as well. You can close this window.` }
        : { title: 'Accepted', text: `${app} makes the signature now. You can close this window and continue there.` }
    case 'denied':
      return { title: 'Denied', text: `Nothing was signed. You can close this window and go back to ${app}.` }
    case 'used':
      return {
        title: 'This was already accepted',
        text: `It was accepted before, perhaps in another window or by ${app}. There is nothing left to decide. Go back to ${app}.`,
      }
    case 'over':
      return {
        title: 'This review is over',
        text: `It can no longer be decided here. Look in ${app} whether it was signed before you ask again.`,
      }
    case 'expired':
      return { title: 'Time is up', text: `Nothing was signed. Go back to ${app} and ask again.` }
  }
}
