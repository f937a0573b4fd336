/** What the recovery page says of wallets, of work and of failures: what happened, what stands, and what to do next. */
import type { Doing, Failure, RecoverableWallet } from '../../adapters/browser/connect.ts'
import { displayName } from '../../domain/model/Provider.ts'
import { walletName } from '../modal/progressLines.ts'

/** "Ethereum wallet of Shop". */
export const walletWords = ({ type, partnerName }: RecoverableWallet): string => `${walletName(type)} wallet of ${partnerName}`

/** The same where there is little space beside it. */
export const shortWalletWords = ({ type, partnerName }: RecoverableWallet): string => `${walletName(type)} · ${partnerName}`

export const doingWords = (doing: Doing): string => {
  switch (doing.step) {
    case 'refreshing':
      return `new shares, round ${doing.round} of ${doing.of}`
    case 'storing':
      return 'storing'
    case 'backing-up':
      return 'backing up'
    case 'confirming':
      return 'confirming'
  }
}

export type FailureWords = {
  readonly title: string
  readonly text: string
  /** The error's own sentence stands beneath, for who is told of it. */
  readonly isToBeTold?: boolean
}

/** Failures of what was typed, which are said beneath its field. */
const ofField: ReadonlySet<string> = new Set(['InvalidAuthObject', 'InvalidVerificationCode', 'BackupDecryptionFailed'])

export const isOfField = ({ code }: Failure): boolean => ofField.has(code)

export const fieldWords = (failure: Failure | undefined): string | undefined => {
  if (failure === undefined || !isOfField(failure)) return undefined
  const { title, text } = failureWords(failure)
  return `${title}. ${text}`
}

/** `stands`: what is kept although this failed. */
export const failureWords = (failure: Failure, stands = 'Nothing was changed.'): FailureWords => {
  const wallet = failure.wallet === undefined ? 'a wallet' : `your ${walletWords(failure.wallet)}`
  switch (failure.code) {
    case 'Offline':
      return { title: 'No connection', text: `${stands} Check your connection and try again: nothing is done twice.` }
    case 'Unavailable':
    case 'RequestStillRunning':
    case 'InternalError':
      return { title: `${displayName} cannot answer right now`, text: `${stands} Wait a moment, then try again.` }
    case 'TooManyAttempts':
      return { title: 'Too many attempts', text: `${stands} Wait a few minutes, then try again.` }
    case 'InvalidAuthObject':
      return { title: 'This is no e-mail address', text: 'Check it and try again.' }
    case 'InvalidVerificationCode':
      return { title: 'This is not the code', text: 'Check the latest mail, or have another code sent.' }
    case 'BackupDecryptionFailed':
      return {
        title: 'This is not the recovery secret of these wallets',
        text:
          'Paste all of the text that you were shown, from the first brace to the last. If you recovered before, it is the ' +
          'one from then. It was tried on this page and sent nowhere.',
      }
    case 'RecoveryBackupMissing':
      return {
        title: `There is no backup of ${wallet} for a recovery secret`,
        text: `${stands} It was made by an app that stores none. Log in once more on a device that still has it.`,
      }
    case 'RecoveryBackupRefused':
      return {
        title: `The backup of ${wallet} cannot be trusted`,
        text:
          'It opens, but it is not what your own devices stored, or not its latest one. To be safe, nothing goes on with it. ' +
          `${stands} Tell the app’s makers what is written below.`,
        isToBeTold: true,
      }
    case 'NothingToRecover':
      return {
        title: 'There are no wallets to recover',
        text: 'This account has none yet. Open the app and sign in there.',
      }
    case 'PopupBlocked':
      return {
        title: 'Your browser blocked the window',
        text: `${stands} Most browsers ask beside the address: allow windows for this page, then try again.`,
      }
    case 'ExitedWithoutSetup':
      return { title: 'The window was closed before it was done', text: `${stands} Open it again when you are ready.` }
    case 'OpenerNotProven':
      return {
        title: 'The window could not be trusted',
        text: `What came from it was thrown away. ${stands} Begin again.`,
      }
    case 'LinkExpired':
      return {
        title: 'This recovery is over',
        text:
          'It was open for more than 15 minutes, or somebody who is signed in to your account ended it. Nothing was ' +
          'changed: your wallets are as they were, and your recovery secret still opens them. Begin again.',
      }
    case 'KeyShareOutOfDate':
    case 'NotFound':
      return {
        title: 'A wallet changed meanwhile',
        text:
          `A device that is still signed in made new key shares for ${wallet}. Nothing was changed here, and your recovery ` +
          'secret still opens it. Begin again.',
      }
    case 'AnotherRunInProgress':
      return {
        title: 'A wallet is in use',
        text: `Another device is working with ${wallet} right now. ${stands} Wait two minutes, then try again.`,
      }
    case 'StorageFailed':
      return {
        title: 'Your browser cannot store what this needs',
        text:
          `${stands} Its storage may be full or shut off for this page, or a newer version of the page has used it. ` +
          'Make room or allow it, reload the page, then try again.',
        isToBeTold: true,
      }
    case 'OriginNotAllowed':
    case 'ApiKeyRequired':
      return {
        title: 'This page is not set up for this app',
        text: `${stands} Tell the app’s makers what is written below.`,
        isToBeTold: true,
      }
    default:
      return {
        title: 'That did not work',
        text: `${stands} Try again. If it stays, tell the app’s makers what is written below.`,
        isToBeTold: true,
      }
  }
}
