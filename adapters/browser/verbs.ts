/** The SDK's verbs, from an app's inputs to an app's results. It is loaded with the first of them. */
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as AccountEntry from '../../domain/client/accountEntry.ts'
import * as Users from '../../domain/client/checkUserExists.ts'
import * as Credentials from '../../domain/client/getSupportedAuthMethods.ts'
import { createUser as signUp } from '../../domain/client/createUser.ts'
import { createWallet as makeWallet, type NewWallet } from '../../domain/client/createWallet.ts'
import { exportPrivateKey as takeOut } from '../../domain/client/exportPrivateKey.ts'
import type { Login } from '../../domain/client/login.ts'
import { refreshSession } from '../../domain/client/refreshSession.ts'
import type { Opened } from '../../domain/client/openWindow.ts'
import { setUpPasskey as makePasskey } from '../../domain/client/setUpPasskey.ts'
import { setUpPassword as makePassword } from '../../domain/client/setUpPassword.ts'
import { signMessage as sign } from '../../domain/client/signMessage.ts'
import * as Transactions from '../../domain/client/signTransaction.ts'
import { tellTabs } from '../../domain/client/tabNews.ts'
import { touch } from '../../domain/client/touch.ts'
import * as Transfer from '../../domain/client/transferSession.ts'
import { verifyEmail as proveEmail } from '../../domain/client/verifyEmail.ts'
import { handleOf } from './Popup.ts'
import { takeReturned } from './returned.ts'
import {
  messageOf,
  toMessageSignature,
  toSentTransaction,
  toTransactionSignature,
  unsigned,
  type SignMessageInput,
  type TransactionInput,
} from './signatures.ts'

export { awaitPortalSession, finishSetup } from '../../domain/client/accountEntry.ts'
export { resumeWallets } from '../../domain/client/createWallet.ts'
export { logout } from '../../domain/client/logout.ts'
export { stopRecovery as cancelRecovery } from '../../domain/client/recovery/cancelRecovery.ts'
export { resendVerificationCode } from '../../domain/client/resendVerificationCode.ts'
export { refreshKeys } from '../../domain/client/sign.ts'
export { createShortLink } from '../../domain/client/shortLink.ts'
export { exportSession } from '../../domain/client/transferSession.ts'

type ByEmail = { readonly email: string }

const emailOf = ({ email }: ByEmail) => ({ kind: 'email', email }) as const

export const checkUserExists = (identity: ByEmail) => Users.checkUserExists(emailOf(identity))

export const getSupportedAuthMethods = (identity: ByEmail) => Credentials.getSupportedAuthMethods(emailOf(identity))

export const createUser = (identity: ByEmail) => signUp(emailOf(identity))

/** Afterwards touch names the user. */
export const verifyEmail = (code: string) => Effect.asVoid(Effect.andThen(proveEmail(code), touch(false)))

/** `null`: the browser opened none. `undefined`: the flow opens one itself. */
type OpenedWindow = Window | null | undefined

const openedOf = (opened: OpenedWindow): Opened | undefined =>
  opened === undefined ? undefined : Option.map(Option.fromNullOr(opened), handleOf)

export const setUpPassword = (opened: OpenedWindow) =>
  Effect.andThen(makePassword(openedOf(opened)), AccountEntry.finishSetup())

export const setUpPasskey = (opened: OpenedWindow) =>
  Effect.andThen(makePasskey(openedOf(opened)), AccountEntry.finishSetup())

export const enter = (identity: ByEmail, options: Login, opened: OpenedWindow) =>
  AccountEntry.enter(identity, options, openedOf(opened))

/** A redirect's result is handled once: by the page's start or by the first call. */
export const resumeFromRedirect = () =>
  Effect.suspend(() => {
    const address = takeReturned()
    return address === undefined ? Effect.void : AccountEntry.resumeFromRedirect(address)
  })

export const resume = () =>
  Effect.suspend(() => {
    const address = takeReturned()
    return address === undefined
      ? AccountEntry.resume()
      : Effect.andThen(AccountEntry.receive(address), AccountEntry.resume())
  })

export const exportPrivateKey = (walletId: string | undefined, opened: OpenedWindow) =>
  takeOut(walletId, openedOf(opened))

export const createWallet = (wallet: NewWallet) => Effect.tap(makeWallet(wallet), tellTabs({ type: 'wallets' }))

export const signMessage = (input: SignMessageInput) =>
  Effect.map(sign(input.walletId, messageOf(input)), toMessageSignature)

export const signTransaction = (input: TransactionInput) =>
  Effect.map(Transactions.signTransaction(input.walletId, unsigned(input)), toTransactionSignature)

export const sendTransaction = (input: TransactionInput) =>
  Effect.map(Transactions.sendTransaction(input.walletId, unsigned(input)), toSentTransaction)

/** The other tabs have the same session then. */
export const importSession = (text: string) =>
  Effect.andThen(Transfer.importSession(text), Effect.andThen(refreshSession(), tellTabs({ type: 'signed-in' })))
