/**
 * Stands in for the SDK in an app's tests: it asks no network, opens no window and signs with plain keys, which it derives
 * from the address of its user. The signatures are right; nothing else about it is safe.
 */
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'
import type { AccountSetup } from '../../../domain/client/setUpAccount.ts'
import { fromHex } from '../../../domain/crypto/Hex.ts'
import * as Address from '../../../domain/model/Address.ts'
import { connectionCanceled } from '../../../domain/model/ApiError.ts'
import * as EventNames from '../../../domain/model/Events.ts'
import { fromAuthObject, normalForm, required } from '../../../domain/model/Identity.ts'
import { NoSignedInUser } from '../../../domain/model/Session.ts'
import { anonymous, type SessionSnapshot } from '../../../domain/model/SessionSnapshot.ts'
import type { Wallet } from '../../../domain/model/Wallet.ts'
import * as WalletSelection from '../../../domain/model/WalletSelection.ts'
import { walletTypes, type WalletType } from '../../../domain/model/WalletTypes.ts'
import { errors as refusals, type ErrorCode as RefusalCode } from '../../../generated/errors.ts'
import { emitTo } from '../Events.ts'
import { faultOf } from '../inputs.ts'
import { Listeners } from '../Listeners.ts'
import { withCode } from '../SdkError.ts'
import { SessionView } from '../SessionView.ts'
import type { Para } from '../sdk.ts'
import { verbNames, verbs as verbTable, type CallOptions, type Verbs } from '../verbs.ts'
import { modeOfBuild } from './modeOfBuild.ts'
import { plainSignatures, type OwnVerbs, type StandInTransaction } from './plainSignatures.ts'

export type StandInOptions = {
  /** Whose session there is from the start. Without it no user is signed in. */
  readonly email?: string
  /** The types of the user's wallets, by default all. */
  readonly types?: readonly WalletType[]
  /** Private keys instead of the derived ones, 32 bytes in hexadecimal digits, with or without 0x. */
  readonly keys?: Partial<Readonly<Record<WalletType, string>>>
  /** Verbs that the test answers itself, for example with a failure. */
  readonly verbs?: Partial<Verbs>
}

/** Takes the SDK's place in `WalletProvider` and in every bridge. */
export type StandIn = Verbs &
  Pick<Para, 'session' | 'on' | 'dispose'> & {
    /** No client of a service has it. */
    readonly isStandIn: true
    /** What it was asked to send, the oldest first. No chain has it. */
    readonly sent: readonly StandInTransaction[]
  }

/** The code that proves an address to a stand-in; another one is 'invalid verification code'. */
export const standInCode = '123456'

/** As a development stack names its own. */
const operator = { name: 'Tandem' }

/**
 * Fails where the build is one for production. Sign-up, login, the session's wallets and all signatures work as those of the
 * SDK, with their events. What is to be sent is signed and kept in `sent`. Other verbs fail with the code `NotBuilt` unless `verbs` has them.
 */
export const makeStandIn = (options: StandInOptions = {}): StandIn => {
  if (modeOfBuild() === 'production') {
    throw new Error('a stand-in signs with keys that everyone can derive, and is not for a build for production')
  }
  const { email, types = walletTypes, keys = {}, verbs = {} } = options
  const view = new SessionView(() => undefined)
  const listeners = new Listeners()
  const emit = <Name extends EventNames.Name>(name: Name, detail: EventNames.Detail<Name>) =>
    Effect.runSync(emitTo(listeners)(name, detail))
  const users = new Set<string>()
  const sent: StandInTransaction[] = []
  let verifying: string | undefined

  const secretOf = (type: WalletType, of: string): Uint8Array => {
    const given = keys[type]
    if (given === undefined) return sha256(utf8ToBytes(`Tandem stand-in ${type} ${of}`))
    const secret = fromHex(given.replace(/^0x/, '').toLowerCase(), 32)
    if (secret === undefined) throw new TypeError('a private key has 32 bytes in hexadecimal digits')
    return secret
  }
  const walletOf = (type: WalletType, of: string): Wallet => {
    const secret = secretOf(type, of)
    const publicKey = type === 'SOLANA' ? ed25519.getPublicKey(secret) : secp256k1.getPublicKey(secret)
    return {
      id: uuidOf(`${type} ${of}`),
      type,
      scheme: type === 'SOLANA' ? 'ED25519' : 'DKLS',
      address: Address.fromPublicKey(type, publicKey),
      publicKey: bytesToHex(publicKey),
      userId: uuidOf(of),
    }
  }
  const enter = (of: string) => {
    verifying = undefined
    users.add(of)
    const wallets = types.map((type) => walletOf(type, of))
    const currentWalletIds = Object.fromEntries(wallets.map(({ id, type }) => [type ?? 'EVM', [id]] as const))
    view.show({ status: 'ready', userId: uuidOf(of), email: of, wallets, currentWalletIds, operator })
    return wallets.map(({ id }) => id)
  }
  const signedIn = (): SessionSnapshot & { readonly email: string } => {
    const { status, email: of, ...session } = view.get()
    if (status !== 'ready' || of === undefined) throw new NoSignedInUser()
    return { ...session, status, email: of }
  }
  const walletFor = (walletId: string | undefined, allowed: readonly WalletType[] = walletTypes) => {
    const { wallets, currentWalletIds = {}, userId } = signedIn()
    const criteria = { user: { userId }, supported: types.map((type) => ({ type })), types: allowed }
    return walletId === undefined
      ? Result.getOrThrow(WalletSelection.first(wallets, currentWalletIds, criteria))
      : Result.getOrThrow(WalletSelection.select(wallets, walletId, criteria))
  }
  const toldSetup = (setup: AccountSetup) => {
    emit(EventNames.accountSetup, { data: setup })
    return setup
  }
  const setUpCredential = () => {
    const { status, email: of } = view.get()
    if (of === undefined) throw new NoSignedInUser()
    if (status === 'ready') throw refused('UserAlreadyExists')
    emit(EventNames.accountCreation, { data: { userId: uuidOf(of) } })
    const walletIds = enter(of)
    for (const walletId of walletIds) {
      emit(EventNames.walletCreated, { data: { walletId } })
      emit(EventNames.walletsChange, { data: { walletIds: [walletId] } })
    }
    return toldSetup({ walletIds, recoverySecret: 'the recovery secret of a stand-in' })
  }
  /** All wallets are made with the credential, and their secret is told with them. */
  const finishSetup = () => {
    signedIn()
    return toldSetup({ walletIds: [], recoverySecret: null })
  }

  const own: OwnVerbs = {
    checkUserExists: (user) => users.has(addressOf(user)),
    createUser: (user) => {
      const of = addressOf(user)
      if (users.has(of)) throw refused('UserAlreadyExists')
      const { email: proven } = view.get()
      if (proven === undefined) view.show({ ...anonymous, operator })
      else if (proven !== of) throw refused('OtherAccount')
      verifying = of
      return uuidOf(of)
    },
    verifyEmail: (code) => {
      if (verifying === undefined) throw new NoSignedInUser()
      if (code !== standInCode) throw refused('InvalidVerificationCode')
      const user = { userId: uuidOf(verifying), email: verifying }
      view.show({ status: 'needs-setup', setup: 'credential', ...user, wallets: [], operator })
    },
    resendVerificationCode: () => undefined,
    getSupportedAuthMethods: (user) => (users.has(addressOf(user)) ? ['PASSWORD'] : []),
    setUpPassword: setUpCredential,
    setUpPasskey: setUpCredential,
    finishSetup,
    login: (user) => {
      const of = addressOf(user)
      const { status, email: signedInAs } = view.get()
      if (status === 'ready' && signedInAs !== of) {
        // Its class is in domain/client/login.ts, whose flow a stand-in does not load.
        throw withCode(new Error('another user is signed in, log out first'), 'OtherAccountSignedIn')
      }
      enter(of)
      const loggedIn = { userId: uuidOf(of), needsWallet: false, missing: [] }
      emit(EventNames.login, { data: loggedIn })
      return { ...loggedIn, recoverySecret: null }
    },
    resume: () => null,
    isSessionActive: () => view.get().status === 'ready',
    keepSessionAlive: () => view.get().status === 'ready',
    logout: () => {
      verifying = undefined
      view.show(anonymous)
      emit(EventNames.logout, { data: null })
    },
    getWallets: () => signedIn().wallets,
    findWallet: ({ address }) => {
      const { wallets, userId } = signedIn()
      const criteria = { user: { userId }, supported: types.map((type) => ({ type })) }
      return Result.getOrThrow(WalletSelection.byAddress(wallets, address, criteria))
    },
    ...plainSignatures({
      walletFor,
      secretOf: ({ type }) => secretOf(type ?? 'EVM', signedIn().email),
      send: (transaction) => sent.push(transaction),
      tell: emit,
    }),
  }
  const all = verbNames.map((name) => {
    const stands = own[name] as ((input: unknown) => unknown) | undefined
    const { inputs } = verbTable[name]
    // What fails does so as the SDK does: by a promise, and with a code.
    const verb = async (...given: readonly unknown[]): Promise<unknown> => {
      try {
        const input = given.slice(0, inputs)
        const fault = faultOf(name, input)
        if (fault !== undefined) throw fault
        if ((given[inputs] as CallOptions | undefined)?.signal?.aborted === true) throw connectionCanceled()
        if (stands === undefined) throw withCode(new Error(`${name} is not built in a stand-in`), 'NotBuilt')
        return await stands(input[0])
      } catch (error) {
        throw withCode(error as Error)
      }
    }
    return [name, verb] as const
  })
  if (email === undefined) view.show(anonymous)
  else enter(addressOf({ email }))
  return {
    ...(Object.fromEntries(all) as unknown as Verbs),
    ...verbs,
    isStandIn: true,
    sent,
    session: view,
    on: (name, listener) => listeners.on(name, listener),
    dispose: () => Promise.resolve(),
  }
}

/** A refusal with the service's own sentence. */
const refused = (code: RefusalCode) => withCode(new Error(refusals[code].sentence), code)

/** As the service stores and compares it. */
const addressOf = ({ email }: { readonly email: string }): string => {
  Result.getOrThrow(required(fromAuthObject({ email })))
  return normalForm('EMAIL', email)
}

/** The same for the same text: tests may write it down. */
const uuidOf = (text: string): string =>
  bytesToHex(sha256(utf8ToBytes(text))).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')
