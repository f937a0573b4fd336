/**
 * Failures in the user's words: what happened, what was kept, and what to do next. The SDK's messages are for
 * developers; these texts are chosen by the error's tag, or by the service's error code.
 */
export type Problem = {
  readonly title: string
  /** What was kept, and what to do next. */
  readonly text: string
  /** A failure of an input, shown beneath its field. */
  readonly isOfField: boolean
  /** The portal's address, when its window was blocked. */
  readonly continueUrl?: string
}

/** The purpose of a portal window. */
export type Purpose = 'set-up' | 'login'

/** The action that failed. */
export type Doing = 'asking' | 'verifying' | 'signing-out' | 'stopping' | 'finishing' | Purpose

/** `operator`: the name of those who run the service. */
export const problemOf = (thrown: unknown, doing: Doing, portalHost: string, operator: string): Problem => {
  const error = rootOf(thrown)
  const tag = tagOf(error)
  const known = aboutFields[tag] ?? aboutWindow(error, tag, doing, portalHost) ?? aboutKeys(tag, doing, operator)
  return known ?? inGeneral(error, doing)
}

/** A failed wallet creation has its reason in its cause. */
const rootOf = (error: unknown): unknown =>
  tagOf(error) === 'AccountCreationFailed' && error instanceof Error ? (error.cause ?? error) : error

/** The error's tag, or the code that came with the service's answer. */
const tagOf = (error: unknown): string => {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  if ('status' in error && error.status === 429) return 'TooManyAttempts'
  const tag = '_tag' in error && typeof error._tag === 'string' ? error._tag : ''
  const hasAnswer = 'status' in error && error.status !== undefined
  return tag === 'ApiError' && !hasAnswer ? 'Offline' : tag
}

const aboutFields: { readonly [tag: string]: Problem | undefined } = {
  InvalidAuthObject: ofField('Enter a valid email address', 'Check it and try again.'),
  InvalidVerificationCode: ofField('Incorrect code', 'Check the latest email, or send a new code.'),
  TooManyAttempts: ofField('Too many attempts', 'Nothing was changed. Wait a few minutes, then try again.'),
}

function ofField(title: string, text: string): Problem {
  return { title, text, isOfField: true }
}

const kept: { readonly [D in Doing]: string } = {
  asking: 'Nothing was changed.',
  verifying: 'Your email address is still here.',
  'set-up': 'Your email address stays confirmed.',
  login: 'Your account and your wallets are unchanged.',
  finishing: 'Your account is there, and so is every wallet that was made.',
  'signing-out': 'You are still signed in.',
  stopping: 'You are still signed in. The recovery may go on.',
}

const aboutWindow = (error: unknown, tag: string, doing: Doing, portalHost: string): Problem | undefined => {
  switch (tag) {
    case 'PopupBlocked':
      return {
        title: 'Your browser blocked the window',
        text: `${kept[doing]} Open the window again, or continue to ${portalHost} in this tab and come back here.`,
        isOfField: false,
        ...continueUrlOf(error),
      }
    case 'PopupClosed':
    case 'ExitedWithoutSetup':
      return plain('The window was closed too early', `${kept[doing]} Open it again when you are ready.`)
    case 'LinkExpired':
      return plain('The window expired', `${kept[doing]} Open it again and finish within ten minutes.`)
    case 'OpenerNotProven':
    case 'LoginKeyMismatch':
      return plain(
        'We couldn’t verify the window',
        'What it sent was discarded, and nothing was changed. Sign in again from here.',
      )
    default:
      return undefined
  }
}

const aboutKeys = (tag: string, doing: Doing, operator: string): Problem | undefined => {
  switch (tag) {
    case 'OtherAccount':
    case 'OtherAccountSignedIn':
      return plain('Someone else is signed in', 'Nothing was changed. Sign out of the other account first.')
    case 'UserAlreadyExists':
      return plain('You have an account already', 'Nothing was changed. Sign in with it.')
    case 'NoSignedInUser':
    case 'LoginKeyLost':
    case 'DeviceKeyMissing':
      return plain('Your session has ended', `${kept[doing]} Sign in again.`)
    case 'DeviceKeyIsSet':
      return plain('This browser has lost a key of your session', `${kept[doing]} Sign out here, then sign in again.`)
    case 'OriginNotAllowed':
      return plain(
        'This site isn’t allowed to use this API key',
        `Nothing was changed. The address of this page has to be allowed by ${operator}.`,
      )
    case 'SecureContextRequired':
      return insecure
    case 'PartnerFrozen':
      return plain('This app is paused', `${kept[doing]} It is stopped for now by ${operator}.`)
    case 'UserFrozen':
      return plain('Your account is paused', `${kept[doing]} It is stopped for now by ${operator}.`)
    case 'OperationTimedOut':
    case 'WalletAddressTimedOut':
      return plain('It took too long', `${kept[doing]} Try again.`)
    case 'RootKeyUnknown':
      return plain('Sign in once more', 'Your account is there and protected. Your wallets are made after you sign in.')
    case 'WalletOnOtherDevice':
      return plain('A wallet was made on another device', 'It is safe there. Sign in again to bring it here.')
    case 'BackupNotStored':
      return plain(
        'A wallet has no backup yet',
        'You are still signed in: signing out now would delete its only key share. Reload the page, which stores the backup, and try again.',
      )
    case 'WalletBeingMade':
      return plain(
        'A wallet is being made in another tab',
        'You are still signed in: signing out now could delete its only key share. Try again in a moment.',
      )
    case 'RecoverySecretNotShown':
      return plain(
        'Your recovery secret was not shown yet',
        'You are still signed in: signing out now would delete it. Finish your wallets first; it is shown then.',
      )
    case 'BackupEncryptionFailed':
      return plain('A backup could not be made', 'Your wallet is there. Try again to finish its backup.')
    default:
      return undefined
  }
}

const inGeneral = (error: unknown, doing: Doing): Problem =>
  tagOf(error) === 'Offline'
    ? plain('No connection', `${kept[doing]} Check your connection and try again.`)
    : plain('Something went wrong', `${kept[doing]} Try again${sentenceOf(error)}.`)

const plain = (title: string, text: string): Problem => ({ title, text, isOfField: false })

/** Browsers give such a page no cryptography, and its session is never looked up. */
export const insecure = plain(
  'Wallets need https, or localhost',
  'This page came by http from another machine. Open it by https.',
)

/** The service's or the SDK's own sentence, for a report to support. */
const sentenceOf = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? `; if it stays, report “${error.message}”` : ''

const continueUrlOf = (error: unknown): { readonly continueUrl?: string } =>
  typeof error === 'object' && error !== null && 'continueUrl' in error && typeof error.continueUrl === 'string'
    ? { continueUrl: error.continueUrl }
    : {}
