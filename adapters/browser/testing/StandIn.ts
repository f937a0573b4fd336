/**
 * Stands in for the SDK in an app's tests: it asks no network, opens no window and signs with plain keys, which it derives
 * from the address of its user. The signatures are right; nothing else about it is safe.
 */
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58, base64 } from '@scure/base'
import * as Result from 'effect/Result'
import { fromHex } from '../../../domain/crypto/Hex.ts'
import * as Address from '../../../domain/model/Address.ts'
import * as CosmosMessage from '../../../domain/model/CosmosMessage.ts'
import { accountSetup } from '../../../domain/model/Events.ts'
import { NoSignedInUser } from '../../../domain/model/Session.ts'
import { anonymous, type SessionSnapshot } from '../../../domain/model/SessionSnapshot.ts'
import * as Signature from '../../../domain/model/Signature.ts'
import type { Wallet } from '../../../domain/model/Wallet.ts'
import * as WalletSelection from '../../../domain/model/WalletSelection.ts'
import { walletTypes, type WalletType } from '../../../domain/model/WalletTypes.ts'
import * as SigningRequest from '../../../domain/mpc/SigningRequest.ts'
import * as TypedData from '../../../domain/mpc/TypedData.ts'
import { Listeners } from '../Listeners.ts'
import { withCode } from '../SdkError.ts'
import { SessionView } from '../SessionView.ts'
import type { Para } from '../sdk.ts'
import { verbNames, type Verbs } from '../verbs.ts'
import { modeOfBuild } from './modeOfBuild.ts'

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
  }

/** The code that proves an address to a stand-in; another one is 'invalid verification code'. */
export const standInCode = '123456'

/** As a development stack names its own. */
const operator = { name: 'Tandem' }

/**
 * Fails where the build is one for production. Sign-up, login, the session's wallets, and all signatures but those of documents
 * of Cosmos, work as those of the SDK; others fail with the code `NotBuilt` unless `verbs` has them.
 */
export const makeStandIn = (options: StandInOptions = {}): StandIn => {
  if (modeOfBuild() === 'production') {
    throw new Error('a stand-in signs with keys that everyone can derive, and is not for a build for production')
  }
  const { email, types = walletTypes, keys = {}, verbs = {} } = options
  const view = new SessionView(() => undefined)
  const listeners = new Listeners()
  const users = new Set<string>()
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
  /** As the SDK's: r ‖ s ‖ v in 65 bytes, of Solana's 64. */
  const sign = (wallet: Wallet, request: SigningRequest.SigningRequest) => {
    const { id: walletId, address, type } = wallet
    const secret = secretOf(type ?? 'EVM', signedIn().email)
    const isSolana = type === 'SOLANA'
    const { message } = Result.getOrThrow(SigningRequest.payloadDigest(request, isSolana ? 'ED25519' : 'DKLS'))
    const of = { walletId, address: address ?? '' }
    if (isSolana) return { ...of, bytes: ed25519.sign(message, secret) }
    const recovered = secp256k1.sign(message, secret, { prehash: false, format: 'recovered' })
    return { ...of, bytes: concatBytes(recovered.subarray(1), recovered.subarray(0, 1)) }
  }
  const setUp = () => {
    const { email: of } = view.get()
    if (of === undefined) throw new NoSignedInUser()
    const setup = { walletIds: enter(of), recoverySecret: 'the recovery secret of a stand-in' }
    listeners.emit(accountSetup, { data: setup })
    return setup
  }

  const own: OwnVerbs = {
    checkUserExists: ({ email: of }) => users.has(of),
    createUser: ({ email: of }) => {
      verifying = of
      view.show({ ...anonymous, operator })
      return uuidOf(of)
    },
    verifyEmail: (code) => {
      if (verifying === undefined) throw new NoSignedInUser()
      if (code !== standInCode) throw withCode(new Error('invalid verification code'), 'InvalidVerificationCode')
      view.show({ status: 'needs-setup', setup: 'credential', email: verifying, wallets: [], operator })
    },
    resendVerificationCode: () => undefined,
    getSupportedAuthMethods: ({ email: of }) => (users.has(of) ? ['PASSWORD'] : []),
    setUpPassword: setUp,
    setUpPasskey: setUp,
    finishSetup: setUp,
    login: ({ email: of }) => {
      enter(of)
      return { userId: uuidOf(of), needsWallet: false, missing: [], recoverySecret: null }
    },
    resume: () => null,
    isSessionActive: () => view.get().status === 'ready',
    keepSessionAlive: () => view.get().status === 'ready',
    logout: () => view.show(anonymous),
    getWallets: () => signedIn().wallets,
    findWallet: ({ address }) => {
      const { wallets, userId } = signedIn()
      const criteria = { user: { userId }, supported: types.map((type) => ({ type })) }
      return Result.getOrThrow(WalletSelection.byAddress(wallets, address, criteria))
    },
    signMessage: ({ walletId, message }) => {
      const wallet = walletFor(walletId)
      const bytes = typeof message === 'string' ? utf8ToBytes(message) : message
      const signed = sign(wallet, messageRequest(wallet, bytes))
      if (wallet.type === 'SOLANA') return { ...signed, signature: base64.encode(signed.bytes) }
      const parts = Result.getOrThrow(Signature.fromBytes(signed.bytes))
      const signature = Signature.toHex(parts)
      if (wallet.type === 'COSMOS') return { ...signed, signature }
      return { ...signed, signature, ethereumSignature: Signature.toEthereumHex(parts) }
    },
    signTypedData: ({ walletId, typedData }) => {
      const { text } = TypedData.read(typedData) ?? malformed()
      const { bytes } = sign(walletFor(walletId, ['EVM']), { kind: 'eip712', typedData: text })
      return Signature.toEthereumHex(Result.getOrThrow(Signature.fromBytes(bytes)))
    },
    signAuthorization: ({ walletId, address, chainId, nonce }) => {
      const asked = { kind: 'authorization', address: address.slice(2).toLowerCase() }
      const request = SigningRequest.read({ ...asked, chainId: String(chainId), nonce: String(nonce) })
      const { bytes } = sign(walletFor(walletId, ['EVM']), Result.getOrThrow(request))
      return { address, chainId, nonce, ...scalarsOf(bytes) }
    },
    signTransaction: ({ walletId, transaction, chainId }) => {
      const text = typeof transaction === 'string' ? transaction.replace(/^0x/, '').toLowerCase() : undefined
      const asked = { kind: 'transaction', transaction: text ?? bytesToHex(transaction as Uint8Array), send: false }
      const request = Result.getOrThrow(SigningRequest.read({ ...asked, chainId: String(chainId) }))
      const { bytes, ...of } = sign(walletFor(walletId, ['EVM']), request)
      return { ...of, ...scalarsOf(bytes) }
    },
    signSolanaTransaction: ({ walletId, message }) => {
      const request = { kind: 'solanaTransaction', message: bytesToHex(message) } as const
      const signed = sign(walletFor(walletId, ['SOLANA']), request)
      return { ...signed, signature: base58.encode(signed.bytes) }
    },
  }
  const all = verbNames.map((name) => {
    const stands = own[name] as ((input: unknown) => unknown) | undefined
    // What fails does so as the SDK does: by a promise, and with a code.
    const verb = async (input: unknown): Promise<unknown> => {
      try {
        if (stands === undefined) throw withCode(new Error(`${name} is not built in a stand-in`), 'NotBuilt')
        return await stands(input)
      } catch (error) {
        throw withCode(error as Error)
      }
    }
    return [name, verb] as const
  })
  if (email === undefined) view.show(anonymous)
  else enter(email)
  return {
    ...(Object.fromEntries(all) as unknown as Verbs),
    ...verbs,
    isStandIn: true,
    session: view,
    on: (name, listener) => listeners.on(name, listener),
    dispose: () => Promise.resolve(),
  }
}

/** The verbs that stand, without their promises. */
type OwnVerbs = {
  readonly [Name in keyof Verbs]?: (input: Parameters<Verbs[Name]>[0] & {}) => Awaited<ReturnType<Verbs[Name]>>
}

const messageRequest = ({ type, address }: Wallet, message: Uint8Array): SigningRequest.SigningRequest => {
  if (type === 'SOLANA') return { kind: 'solanaMessage', message: bytesToHex(message) }
  if (type === 'COSMOS')
    return { kind: 'cosmosAmino', signDoc: bytesToHex(CosmosMessage.signDoc(address ?? '', message)) }
  return { kind: 'eip191', message: bytesToHex(message) }
}

const malformed = (): never => {
  throw new SigningRequest.PayloadRefused({ reason: 'malformed' })
}

const scalarsOf = (bytes: Uint8Array) => {
  const { r, s, v } = Result.getOrThrow(Signature.fromBytes(bytes))
  return { r: `0x${bytesToHex(r)}`, s: `0x${bytesToHex(s)}`, yParity: v } as const
}

/** The same for the same text: tests may write it down. */
const uuidOf = (text: string): string =>
  bytesToHex(sha256(utf8ToBytes(text))).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')
