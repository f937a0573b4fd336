/** The portal's texts on work and failures: what happened, what was kept, and what to do next. */
import type { Failure, PortalPage, WorkStepName } from '../../adapters/browser/portal.ts'
import { unnamed } from '../../domain/model/Operator.ts'
import { missingCharacters, type Advice, type Refusal } from '../../adapters/browser/portal/password.ts'

export const pageTitles: { readonly [P in PortalPage]: string } = {
  'create-password': 'Create your password',
  'create-passkey': 'Create your passkey',
  'login-password': 'Enter your password',
  'login-passkey': 'Use your passkey',
  export: 'Export your private key',
  review: 'Review before you sign',
}

export const workTitles: { readonly [P in PortalPage]: string } = {
  'create-password': 'Creating your password',
  'create-passkey': 'Creating your passkey',
  'login-password': 'Opening your wallets',
  'login-passkey': 'Opening your wallets',
  export: 'Assembling your key',
  review: 'Sending your decision',
}

export const doneTitles: { readonly [P in PortalPage]: string } = {
  'create-password': 'Your password is set',
  'create-passkey': 'Your passkey is set',
  'login-password': 'You are logged in',
  'login-passkey': 'You are logged in',
  export: 'Your key is no longer on this page',
  review: 'You have decided',
}

const isLogin = (page: PortalPage): boolean => page === 'login-password' || page === 'login-passkey'

const isPasskey = (page: PortalPage): boolean => page === 'create-passkey' || page === 'login-passkey'

/** What the app gets when the person continues. */
export const purposes: { readonly [P in PortalPage]: string } = {
  'create-password': 'to protect a new wallet with a password',
  'create-passkey': 'to protect a new wallet with a passkey',
  'login-password': 'to open your wallets in this browser',
  'login-passkey': 'to open your wallets in this browser',
  export: 'to show you the private key of a wallet',
  review: 'to show you what you are about to sign',
}

/** `operator`: the name of those who run the portal. */
export const stepWords = (step: WorkStepName, page: PortalPage, app: string, operator: string): string => {
  const credential = isPasskey(page) ? 'passkey' : 'password'
  switch (step) {
    case 'meeting':
      return `Verifying ${app}`
    case 'stretching':
      return 'Securing your password'
    case 'asking-passkey':
      return 'Asking this device for your passkey'
    case 'making-keys':
      return 'Creating your keys'
    case 'wrapping':
      return 'Encrypting and testing them'
    case 'proving':
      return page === 'export' || page === 'review' ? 'Confirming that it’s you' : `Checking your ${credential}`
    case 'unwrapping':
      return 'Unlocking your keys'
    case 'opening-backups':
      return 'Opening and checking your wallets'
    case 'assembling':
      return `Fetching ${operator}’s half and checking both`
    case 'delivering':
      return `Encrypting them for ${app} only`
    case 'committing':
      if (page === 'review') return 'Recording your decision'
      return isLogin(page) ? 'Confirming the login' : `Storing your sealed keys with ${operator}`
    case 'telling':
      return `Notifying ${app}`
    default:
      return 'Working'
  }
}

export type FailureWords = { readonly title: string; readonly text: string }

/** The text for the person. The error's own sentence is shown beside it. `operator`: the name of those who run the portal. */
export const failureWords = ({ code }: Failure, app = 'the app', operator = unnamed.name): FailureWords => {
  switch (code) {
    case 'Offline':
      return {
        title: 'No connection',
        text: 'What you typed is kept. Check your connection, then try again: nothing is done twice.',
      }
    case 'Unavailable':
    case 'RequestStillRunning':
    case 'InternalError':
      return {
        title: `No answer from ${operator} right now`,
        text: 'Nothing was lost. Wait a moment, then try again.',
      }
    case 'InvalidPassword':
      return {
        title: 'Incorrect password',
        text:
          'Check for capital letters and your keyboard layout, then try again. After several wrong attempts there is a ' +
          'pause.',
      }
    case 'TooManyAttempts':
      return {
        title: 'Too many attempts',
        text:
          'To protect your wallets, there is a pause. Nothing was changed. Wait a few minutes, then try again. If it is ' +
          'still refused, wait longer: the pause may last half an hour or more.',
      }
    case 'PasswordTooShort':
      return { title: 'This password is too short', text: 'It needs at least 8 characters.' }
    case 'PasswordTooCommon':
      return {
        title: 'This password is too common',
        text: 'Attackers try it first. Choose another one.',
      }
    case 'PasskeyCancelled':
      return {
        title: 'No passkey was used',
        text: 'The request was dismissed or took too long. Nothing was changed. Try again when you are ready.',
      }
    case 'PasskeyUnsupported':
      return {
        title: 'Passkeys do not work here',
        text:
          `This browser or device makes no passkeys for this page. Nothing was changed. Go back to ${app} and ` +
          'choose a password instead.',
      }
    case 'PasskeyExists':
      return {
        title: 'This device already has a passkey',
        text: `It belongs to this account. Nothing was changed. Go back to ${app} and log in with it.`,
      }
    case 'UnknownPasskey':
      return {
        title: 'We don’t recognize this passkey',
        text: 'It may belong to another account or to one that was deleted. Nothing was changed. Try another passkey.',
      }
    case 'LinkExpired':
      return {
        title: 'This page has expired',
        text:
          `Pages like this are good for ten minutes and one use. Nothing was changed. Go back to ${app} and ` +
          'begin again.',
      }
    case 'NotFound':
      return {
        title: 'This link is no longer valid',
        text: `It was already used, or it never existed. Nothing was changed. Go back to ${app} and start again.`,
      }
    case 'OpenerNotProven':
      return {
        title: `We could not confirm that ${app} opened this page`,
        text:
          'Nothing was sent and nothing was changed. Close this window, open the app yourself, and begin again ' +
          'there.',
      }
    case 'OpenerMissing':
      return {
        title: 'Open this page from the app',
        text:
          `Open it from ${app}, in a window that the app opened: a link, or a copied address, does not do. ` +
          'Nothing was sent and nothing was changed.',
      }
    case 'ExportRefused':
      return {
        title: 'The two halves of the key don’t match',
        text:
          'What arrived is not the other half of this key. For your safety, nothing is shown. Your wallet is as it was; go ' +
          `back to ${app} and start again.`,
      }
    case 'ExportNotAllowed':
      return {
        title: `${app} doesn’t allow key export`,
        text: `No private keys are exported from ${app} now. Your wallet is as it was.`,
      }
    case 'TooManyExports':
      return {
        title: 'Too many exports for one day',
        text:
          'To protect your wallet, its key is given out three times a day at most. Your wallet is as it was. Try ' +
          'again tomorrow.',
      }
    case 'StepUpRequired':
    case 'DeviceNotCertified':
    case 'KeyShareOutOfDate':
      return {
        title: 'Your key was not exported',
        text: `Your wallet is as it was. Go back to ${app}, sign in again, and start again there.`,
      }
    case 'KeyShareLocked':
      return {
        title: 'This wallet is locked',
        text:
          'A check failed, and nothing is given out until it was repaired. ' +
          `Sign in to ${app} again: that repairs it.`,
      }
    case 'WalletNotFound':
    case 'InvalidWalletScheme':
      return {
        title: 'This wallet has no key to export',
        text: `Keys of Ethereum and Cosmos wallets can be exported. Nothing was changed. Go back to ${app}.`,
      }
    case 'LoginKeyMismatch':
      return {
        title: 'This link does not match its login',
        text: 'It may have been altered on its way. Nothing was sent and nothing was changed. Close this window and start again in the app.',
      }
    case 'OriginNotAllowed':
      return {
        title: 'This app is not set up for this page',
        text: 'Nothing was changed. Tell the app’s makers what is written below.',
      }
    case 'PartnerFrozen':
      return {
        title: `${app} is paused`,
        text: `${app} is stopped for now by ${operator}. Nothing was changed: your account and your wallets are as they were.`,
      }
    case 'UserFrozen':
      return {
        title: 'Your account is paused',
        text: `It is stopped for now by ${operator}. Nothing was changed: your wallets are as they were.`,
      }
    case 'Conflict':
      return {
        title: 'This was already done',
        text:
          'The account was protected in the meantime, perhaps in another window. Nothing was overwritten. Go ' +
          `back to ${app} and log in.`,
      }
    case 'OtherAccount':
      return {
        title: 'Another account is signed in',
        text: `Sign out of it in ${app} first, then log in again. Nothing was changed.`,
      }
    case 'BackupDecryptionFailed':
      return {
        title: 'Your keys did not open',
        text:
          `Nothing was changed: your wallets are stored as they were. Go back to ${app} and try again, or use ` +
          'your recovery secret.',
      }
    case 'ReviewChanged':
      return {
        title: 'This is no longer what you were shown',
        text: `Nothing was signed. Close this window, go back to ${app} and ask again.`,
      }
    case 'DecisionNotProven':
      return {
        title: 'Your confirmation was not accepted',
        text: `What you used here does not confirm for this wallet. Nothing was signed. Go back to ${app} and ask again.`,
      }
    case 'ReviewNotShown':
      return {
        title: 'This review can’t be shown',
        text: `Without seeing it, you can’t accept it. Nothing was signed. Go back to ${app} and ask again.`,
      }
    case 'RootKeyDiffers':
      return {
        title: 'A wallet is not signed with your key',
        text:
          `Somebody may have changed what was stored. To be safe, nothing was handed to ${app} and nothing was ` +
          'changed.',
      }
    case 'KdfRefused':
      return {
        title: 'The service asked for unsafe settings',
        text: 'Your password was not used and nothing was sent. Close this window.',
      }
    case 'WrapBroken':
      return {
        title: 'Your new keys failed their test',
        text: 'Nothing was sent and nothing was changed. Try again; if it happens again, use another browser.',
      }
    case 'ApiKeyRequired':
    case 'PasswordNotExpected':
    case 'InvalidAuthObject':
    case 'InvalidRequest':
    case 'InvalidUrlType':
      return {
        title: 'This link is incomplete',
        text: `Nothing was changed. Go back to ${app} and start again.`,
      }
    default:
      return {
        title: 'Something went wrong',
        text: `Nothing was changed that you need to undo. Go back to ${app} and start again.`,
      }
  }
}

export const refusalWords = (refusal: Refusal, password: string): string => {
  if (refusal === 'too-common') return 'This password is too common. Choose another one.'
  const missing = missingCharacters(password)
  return `It needs at least 8 characters: ${missing} more.`
}

export const adviceWords = (advice: Advice, password: string): string => {
  switch (advice) {
    case 'none':
      return 'At least 8 characters. A few unrelated words are hard to guess.'
    case 'short': {
      const missing = missingCharacters(password)
      return missing === 1 ? 'One more character.' : `${missing} more characters.`
    }
    case 'account':
      return 'Accepted, but it contains your own name, which is tried early.'
    case 'repeats':
      return 'Accepted, but it repeats itself, which is tried early.'
    case 'digits':
      return 'Accepted, but digits alone are quick to guess.'
    case 'could-be-longer':
      return 'Accepted. Longer is safer: 12 characters or more.'
    case 'fine':
      return 'Accepted.'
  }
}
