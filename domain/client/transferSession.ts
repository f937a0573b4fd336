/**
 * A delegated session as text, for a server: base64 of a JSON (domain/client/README.md#session-transfer). With the signers
 * it contains the user's shares and is worth as much as they are.
 */
import { base64, utf8 } from '@scure/base'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import * as v from 'valibot'
import * as ShareText from '../mpc/ShareText.ts'
import * as Delegation from '../model/Delegation.ts'
import * as Address from '../model/Address.ts'
import * as Json from '../model/Json.ts'
import * as StorageKeys from '../model/StorageKeys.ts'
import { walletTypes, type WalletType } from '../model/WalletTypes.ts'
import { abandonLogin } from './forgetSession.ts'
import { createDelegation } from './delegations.ts'
import { DeviceKeys } from './ports/DeviceKeys.ts'
import { Settings } from './ports/Settings.ts'
import { ShareStore, type StoredShare } from './ports/ShareStore.ts'
import { Storage } from './ports/Storage.ts'
import { rememberDeviceKey } from './rememberDeviceKey.ts'
import { isTabSession } from './sessionToken.ts'
import { currentSession, touch } from './touch.ts'
import { listWallets } from './wallets.ts'

/** The text fields of an export and their names in storage. */
const fields = {
  email: StorageKeys.email,
  userId: StorageKeys.userId,
  sessionCookie: StorageKeys.sessionCookie,
  phone: StorageKeys.phone,
  countryCode: StorageKeys.countryCode,
  telegramUserId: StorageKeys.telegramUserId,
  farcasterUsername: StorageKeys.farcasterUsername,
} as const

export type SessionToExport = {
  /** Without its signers the session reads only. */
  readonly excludeSigners?: boolean | undefined
  /** In milliseconds, `shortestLifetime` or more, by default an hour; it ends a day after the login of this device at the latest. */
  readonly lifetimeMs?: number | undefined
}

/** Makes a session of its own, which this device delegates. */
export const exportSession = Effect.fn('sessions.export')(function* (options: SessionToExport = {}) {
  const { local } = yield* Storage
  const { currentWalletIds } = yield* currentSession
  const { excludeSigners = false, lifetimeMs = Delegation.defaultLifetime } = options
  const held = yield* (yield* ShareStore).list
  const signerOf = (id: string) => held.find(({ walletId }) => walletId === id)?.shareText
  const wallets = (yield* listWallets()).map((wallet): [string, object] => {
    const signer = excludeSigners ? undefined : signerOf(wallet.id)
    return [wallet.id, signer === undefined ? wallet : { ...wallet, signer: Redacted.value(signer) }]
  })
  const { token, ...delegation } = yield* createDelegation(excludeSigners ? 'READ' : 'SIGN', lifetimeMs)
  const texts = yield* Effect.forEach(Object.entries(fields), ([name, key]) =>
    Effect.map(local.get(key), (value) => [name, value] as const),
  )
  const session = {
    ...Object.fromEntries(texts),
    sessionCookie: token,
    delegation,
    wallets: Object.fromEntries(wallets),
    currentWalletIds: currentWalletIds ?? {},
    externalWallets: {},
  }
  return base64.encode(utf8.decode(JSON.stringify(session)))
})

/** Replaces the session that was here. Shares in the text are stored if they are what they claim to be. */
export const importSession = Effect.fn('sessions.import')(function* (text: string) {
  const imported = yield* Effect.fromResult(read(text))
  const carried = yield* Effect.forEach(walletsOf(imported), (wallet) => Effect.fromResult(shareOf(wallet)))
  if (imported.delegation !== undefined) {
    if ((yield* Settings).origin !== '') return yield* new DelegatedToServer()
    const { sessionId, privateKey } = imported.delegation
    if (!(yield* (yield* DeviceKeys).keep(sessionId, privateKey))) return yield* new SessionTextRefused()
  }
  if (yield* isTabSession) yield* abandonLogin()
  if (imported.delegation !== undefined) yield* rememberDeviceKey(imported.delegation.sessionId)
  const { local } = yield* Storage
  const shares = yield* ShareStore
  yield* Effect.forEach(Object.entries(fields), ([name, key]) => {
    const value = imported[name]
    return typeof value === 'string' ? local.set(key, value) : local.remove(key)
  })
  yield* local.set(StorageKeys.currentWalletIds, JSON.stringify(imported.currentWalletIds ?? {}))
  yield* local.set(StorageKeys.wallets, JSON.stringify(recordsOf(imported)))
  yield* local.remove(StorageKeys.ed25519Wallets)
  yield* Effect.forEach(carried, shares.put)
  return yield* touch(false)
})

type Imported = {
  readonly sessionCookie: string
  /** Absent in a text of an earlier version or of another client: the session of the device that wrote it. */
  readonly delegation?: { readonly sessionId: string; readonly privateKey: Redacted.Redacted } | undefined
  readonly [field: string]: unknown
}

const secretText = v.pipe(
  v.string(),
  v.transform((text) => Redacted.make(text)),
)

const sessionForm: Json.Schema<Imported> = v.looseObject({
  sessionCookie: v.string(),
  delegation: v.optional(v.object({ v: v.literal(1), sessionId: v.string(), privateKey: secretText })),
})

const read = (text: string): Result.Result<Imported, SessionTextRefused> => {
  try {
    const session = Json.parse(sessionForm, utf8.encode(base64.decode(text)))
    if (session !== undefined) return Result.succeed(session)
  } catch {
    // Not base64: the same answer as for another JSON.
  }
  return Result.fail(new SessionTextRefused())
}

/** A wallet as an export writes it, as far as it is read again. */
type Carried = {
  readonly signer: Redacted.Redacted
  readonly type: WalletType
  readonly cosmosPrefix?: string | undefined
}

const carriedForm: Json.Schema<Carried> = v.object({
  signer: secretText,
  type: v.fallback(v.picklist(walletTypes), 'EVM'),
  cosmosPrefix: v.fallback(v.optional(v.string()), undefined),
})

const record = v.record(v.string(), v.unknown())

const walletsOf = ({ wallets }: Imported): readonly Carried[] =>
  Object.values(Json.check(record, wallets) ?? {}).flatMap((wallet) => Json.check(carriedForm, wallet) ?? [])

/** The wallets without their signers. Their addresses are taken as the exporting device wrote them. */
const recordsOf = ({ wallets }: Imported): Readonly<Record<string, object>> =>
  Object.fromEntries(
    Object.entries(Json.check(record, wallets) ?? {}).flatMap(([id, wallet]) => {
      const fields = Json.check(record, wallet)
      if (fields === undefined) return []
      const { signer: _, ...rest } = fields
      return [[id, rest]]
    }),
  )

/** The address is computed from the share's own key, whatever the text says. */
const shareOf = ({ signer, type, cosmosPrefix }: Carried): Result.Result<StoredShare, SessionTextRefused> =>
  Result.match(ShareText.open(signer), {
    onFailure: () => Result.fail(new SessionTextRefused()),
    onSuccess: ({ share, userId }) =>
      (share.scheme === 'ED25519') === (type === 'SOLANA')
        ? Result.succeed({
            walletId: share.walletId,
            userId,
            address: Address.fromPublicKey(type, share.publicKey, cosmosPrefix),
            shareText: signer,
          })
        : Result.fail(new SessionTextRefused()),
  })

/** A delegated session is a server's: the service refuses it from a page, and from what names an origin as one. */
export class DelegatedToServer extends Data.TaggedError('DelegatedToServer') {
  override readonly message = 'a delegated session is for a server, without an origin'
}

/** The text is no exported session. */
export class SessionTextRefused extends Data.TaggedError('SessionTextRefused') {
  override readonly message = 'invalid session text'
}
