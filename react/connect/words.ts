/** The recovery page's texts on wallets, work and failures: what happened, what was kept, and what to do next. */
import type { Doing, Failure, LeftWallet, RecoverableWallet } from '../../adapters/browser/connect.ts'
import { unnamed } from '../../domain/model/Operator.ts'
import { walletName } from '../ui/walletName.ts'

/** "Ethereum wallet of Shop". */
export const walletWords = ({ type, partnerName }: RecoverableWallet): string =>
  `${walletName(type)} wallet of ${partnerName}`

/** The same where there is little space beside it. */
export const shortWalletWords = ({ type, partnerName }: RecoverableWallet): string =>
  `${walletName(type)} · ${partnerName}`

export const doingWords = (doing: Doing): string => {
  switch (doing.step) {
    case 'refreshing':
      return `new key shares, step ${doing.round} of ${doing.of}`
    case 'storing':
      return 'storing'
    case 'backing-up':
      return 'backing up'
    case 'confirming':
      return 'confirming'
  }
}

/** Why a wallet stays behind. */
export const leftWords = (code: LeftWallet['code']): string => {
  switch (code) {
    case 'BackupDecryptionFailed':
      return 'Its backup does not open with your secret.'
    case 'RecoveryBackupMissing':
      return 'It has no backup for a recovery secret.'
    case 'RecoveryBackupRefused':
      return 'Its backup is not what your own devices stored.'
  }
}

export type FailureWords = {
  readonly title: string
  readonly text: string
  /** The error's own sentence is shown beneath, for support. */
  readonly isToBeTold?: boolean
}

/** Failures of an input, which are shown beneath its field. */
const ofField: ReadonlySet<string> = new Set(['InvalidAuthObject', 'InvalidVerificationCode', 'BackupDecryptionFailed'])

export const isOfField = ({ code }: Failure): boolean => ofField.has(code)

export const fieldWords = (failure: Failure | undefined): string | undefined => {
  if (failure === undefined || !isOfField(failure)) return undefined
  const { title, text } = failureWords(failure)
  return `${title}. ${text}`
}

/** `stands`: what is kept although this failed. `operator`: the name of those who run the page. */
export const failureWords = (
  failure: Failure,
  stands = 'Nothing was changed.',
  operator = unnamed.name,
): FailureWords => {
  const wallet = failure.wallet === undefined ? 'a wallet' : `your ${walletWords(failure.wallet)}`
  switch (failure.code) {
    case 'Offline':
      return { title: 'No connection', text: `${stands} Check your connection and try again: nothing is done twice.` }
    case 'Unavailable':
    case 'RequestStillRunning':
    case 'InternalError':
      return { title: `No answer from ${operator} right now`, text: `${stands} Wait a moment, then try again.` }
    case 'TooManyAttempts':
      return { title: 'Too many attempts', text: `${stands} Wait a few minutes, then try again.` }
    case 'InvalidAuthObject':
      return { title: 'Enter a valid email address', text: 'Check it and try again.' }
    case 'InvalidVerificationCode':
      return { title: 'Incorrect code', text: 'Check the latest email, or send a new code.' }
    case 'BackupDecryptionFailed':
      return {
        title: 'This is not the recovery secret of these wallets',
        text: 'Paste all of the text that you were shown, including both braces. If you recovered before, use the one you got then. It was tried on this page and sent nowhere.',
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
    case 'PopupBlocked':
      return {
        title: 'Your browser blocked the window',
        text: `${stands} Most browsers ask beside the address: allow windows for this page, then try again.`,
      }
    case 'ExitedWithoutSetup':
      return { title: 'The window was closed too early', text: `${stands} Open it again when you are ready.` }
    case 'OpenerNotProven':
      return {
        title: 'We couldn’t verify the window',
        text: `What it sent was discarded. ${stands} Start again.`,
      }
    case 'LinkExpired':
      return {
        title: 'This recovery is over',
        text:
          'It was open for more than 15 minutes, or somebody who is signed in to your account ended it. Nothing was ' +
          'changed: your wallets are as they were, and your recovery secret still opens them. Start again.',
      }
    case 'KeyShareOutOfDate':
    case 'NotFound':
      return {
        title: 'A wallet changed meanwhile',
        text:
          `A device that is still signed in made new key shares for ${wallet}, or ${operator} lost those that were made here. ` +
          'Nothing was changed here, and your recovery secret still opens it. Start again.',
      }
    case 'StepUpRequired':
      return {
        title: 'A wallet that would stay behind keeps changing',
        text: `A device that is still signed in works with it. ${stands} Wait two minutes, then try again.`,
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
    case 'PartnerFrozen':
      return { title: 'This app is paused', text: `${stands} It is stopped for now by ${operator}.` }
    case 'UserFrozen':
      return { title: 'Your account is paused', text: `${stands} It is stopped for now by ${operator}.` }
    case 'OriginNotAllowed':
    case 'ApiKeyRequired':
      return {
        title: 'This page is not set up for this app',
        text: `${stands} Tell the app’s makers what is written below.`,
        isToBeTold: true,
      }
    default:
      return {
        title: 'Something went wrong',
        text: `${stands} Try again. If it stays, tell the app’s makers what is written below.`,
        isToBeTold: true,
      }
  }
}
