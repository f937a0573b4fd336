/**
 * The share store: one record of everything. In a page it is sealed in IndexedDB; in Node and under a storage override
 * it is text in the local storage area, as safe as that storage. Each change holds a lock among all documents that
 * share the storage (domain/client/README.md#storage).
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import * as v from 'valibot'
import { Locks } from '../../domain/client/ports/Locks.ts'
import {
  KeyShareNotLoaded,
  ShareStore,
  type AcceptedKey,
  type UnconfirmedShare,
  type OtState,
  type PendingRecovery,
  type StoredShare,
} from '../../domain/client/ports/ShareStore.ts'
import { Storage, type StorageArea } from '../../domain/client/ports/Storage.ts'
import * as Json from '../../domain/model/Json.ts'
import * as StorageKeys from '../../domain/model/StorageKeys.ts'
import { fromBase64, toBase64 } from './base64.ts'
import { sealedText } from './sealedText.ts'
import { StorageFailed } from './StorageFailed.ts'

/** Storage of the record, as text. Writing `undefined` removes it. */
type Rest = {
  readonly read: Effect.Effect<string | undefined>
  readonly write: (text: string | undefined) => Effect.Effect<void>
  /** Asks the browser not to clear the storage. The answer is not awaited. */
  readonly persist?: Effect.Effect<void>
}

export const ShareStoreText = Layer.unwrap(Effect.map(Storage, ({ local }) => restingIn(textIn(local))))

/** A record that an earlier version stored as text is sealed first, and then removed from the local storage area. */
export const ShareStoreSealed = Layer.unwrap(
  Effect.map(Storage, ({ local }) => {
    const [text, sealed] = [textIn(local), { ...sealedText('shares'), persist }]
    const moveIn = Effect.gen(function* () {
      const left = yield* text.read
      if (left === undefined) return
      const known = yield* sealed.read
      yield* sealed.write(write(merged(read(left), read(known))))
      yield* text.write(undefined)
    })
    return restingIn(sealed, moveIn)
  }),
)

/** A browser short of space clears what its origins keep, unless it agreed not to. It may ask its user, or say no. */
const persist = Effect.sync(() => {
  Effect.runFork(Effect.ignore(Effect.tryPromise(() => navigator.storage.persist())))
})

const textIn = (local: StorageArea): Rest => ({
  read: local.get(StorageKeys.keyShares),
  write: (text) => (text === undefined ? local.remove(StorageKeys.keyShares) : local.set(StorageKeys.keyShares, text)),
})

/**
 * A later version's record is refused: writing it back would drop the fields that this version does not know. An
 * earlier version's had the recovery key of one user only.
 */
const read = (text: string | undefined): Stored => {
  if (text === undefined) return empty
  const record = Json.parse(recordForm, text)
  if (record === undefined)
    throw new StorageFailed({
      cause: new Error('a later version wrote these key shares, or they are damaged'),
    })
  const { pendingRecovery, ...stored } = record
  const one = pendingRecovery === undefined ? {} : { [pendingRecovery.userId]: pendingRecovery }
  return { ...empty, ...stored, pendingRecoveries: { ...one, ...stored.pendingRecoveries } }
}

/** An empty record is removed from storage. */
const write = (stored: Stored): string | undefined => {
  const text = JSON.stringify(stored)
  return text === JSON.stringify(empty) ? undefined : text
}

const restingIn = (rest: Rest, prepare: Effect.Effect<void> = Effect.void) =>
  Layer.effect(
    ShareStore,
    Effect.gen(function* () {
      const { alone } = yield* Locks
      let isPrepared = false
      const prepared = Effect.suspend(() =>
        isPrepared
          ? Effect.void
          : Effect.map(alone(StorageKeys.keyShares, prepare), () => {
              isPrepared = true
            }),
      )
      const held = Effect.map(Effect.andThen(prepared, rest.read), read)
      const changeOrRefuse = <E>(next: (stored: Stored) => Effect.Effect<Stored, E>) =>
        Effect.andThen(
          prepared,
          alone(
            StorageKeys.keyShares,
            Effect.flatMap(rest.read, (text) =>
              Effect.flatMap(next(read(text)), (stored) => rest.write(write(stored))),
            ),
          ),
        )
      const change = (next: (stored: Stored) => Stored) => changeOrRefuse((stored) => Effect.succeed(next(stored)))

      /** The first share asks the browser to keep the storage. */
      const keep = (next: (stored: Stored) => Stored) =>
        Effect.gen(function* () {
          const { shares, candidates } = yield* held
          yield* change(next)
          if (Object.keys({ ...shares, ...candidates }).length === 0) yield* rest.persist ?? Effect.void
        })

      return ShareStore.of({
        put: (share) =>
          keep((stored) => {
            const { walletId } = share
            const known = stored.shares[walletId]
            // The OT state and capsule of the same sharing are kept when a login brings its share again.
            const isSame = known?.shareText === Redacted.value(share.shareText)
            const kept = { ...(isSame ? capsuleOf(known) : {}), ...fromShare(share) }
            const ot = isSame ? stored.ot : without(stored.ot, walletId)
            return { ...stored, shares: { ...stored.shares, [walletId]: kept }, ot }
          }),
        find: (walletId) =>
          Effect.map(held, ({ shares }) => Option.map(Option.fromUndefinedOr(shares[walletId]), toShare)),
        list: Effect.map(held, ({ shares }) => Object.values(shares).map(toShare)),

        stage: (candidate) =>
          keep((stored) => ({
            ...stored,
            candidates: { ...stored.candidates, [candidate.walletId]: fromCandidate(candidate) },
          })),
        candidates: Effect.map(held, ({ candidates }) => Object.values(candidates).map(toCandidate)),
        promote: (walletId, capsule) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            changeOrRefuse((stored) => {
              const candidate = stored.candidates[walletId]
              if (candidate === undefined) return Effect.fail(new KeyShareNotLoaded({ walletId }))
              const { userId, address, shareText, ot } = candidate
              const kept = capsule === undefined ? {} : { capsule: toBase64(capsule), capsuleAt: now }
              return Effect.succeed({
                ...stored,
                candidates: without(stored.candidates, walletId),
                shares: { ...stored.shares, [walletId]: { walletId, userId, address, shareText, ...kept } },
                ot: ot === undefined ? stored.ot : { ...stored.ot, [walletId]: ot },
                backupPending: [...new Set([...stored.backupPending, walletId])],
              })
            }),
          ),
        drop: (walletId) => change((stored) => ({ ...stored, candidates: without(stored.candidates, walletId) })),
        replaceCapsule: (walletId, { before, capsule, at }) =>
          change((stored) => {
            const known = stored.shares[walletId]
            if (known?.capsule !== toBase64(before)) return stored
            const kept = { ...known, capsule: toBase64(capsule), ...(at === undefined ? {} : { capsuleAt: at }) }
            return { ...stored, shares: { ...stored.shares, [walletId]: kept } }
          }),

        putOt: (walletId, ot) =>
          change((stored) =>
            walletId in stored.shares ? { ...stored, ot: { ...stored.ot, [walletId]: fromOt(ot) } } : stored,
          ),
        findOt: (walletId) => Effect.map(held, ({ ot }) => Option.map(Option.fromUndefinedOr(ot[walletId]), toOt)),
        lock: (walletId) =>
          change((stored) => ({
            ...stored,
            ot: without(stored.ot, walletId),
            banned: [...new Set([...stored.banned, walletId])],
          })),
        isLocked: (walletId) => Effect.map(held, ({ banned }) => banned.includes(walletId)),
        unlockAll: change((stored) => ({ ...stored, banned: [] })),

        pendingRecovery: {
          list: Effect.map(held, ({ pendingRecoveries }) => Object.values(pendingRecoveries).map(toRecovery)),
          get: (userId) =>
            Effect.map(held, ({ pendingRecoveries }) =>
              Option.map(Option.fromUndefinedOr(pendingRecoveries[userId]), toRecovery),
            ),
          set: (recovery) =>
            change((stored) => ({
              ...stored,
              pendingRecoveries: { ...stored.pendingRecoveries, [recovery.userId]: fromRecovery(recovery) },
            })),
          remove: (userId) =>
            change((stored) => ({ ...stored, pendingRecoveries: without(stored.pendingRecoveries, userId) })),
        },

        backupPending: Effect.map(held, ({ backupPending }) => backupPending),
        backedUp: (walletId) =>
          change((stored) => ({ ...stored, backupPending: stored.backupPending.filter((id) => id !== walletId) })),
        backupMissing: (walletIds) =>
          change((stored) => {
            const missing = walletIds.filter((id) => id in stored.shares && !stored.backupPending.includes(id))
            return missing.length === 0 ? stored : { ...stored, backupPending: [...stored.backupPending, ...missing] }
          }),

        cosignerKeys: Effect.map(held, ({ cosignerKeys }) => cosignerKeys.map(toKey)),
        acceptCosignerKeys: (keys, { erasesOt }) => {
          const accepted = keys.map(fromKey)
          return changeOrRefuse((stored) => {
            const others = accepted.filter((key) => !stored.cosignerKeys.some((known) => isSameStep(known, key)))
            if (others.some((key) => stored.cosignerKeys.some((known) => replacesSame(known, key))))
              return Effect.fail('another was accepted' as const)
            const cosignerKeys = [...stored.cosignerKeys, ...others]
            return Effect.succeed({ ...stored, cosignerKeys, ot: erasesOt && others.length > 0 ? {} : stored.ot })
          }).pipe(
            Effect.as(true),
            Effect.catch(() => Effect.succeed(false)),
          )
        },

        // Shares of pregenerated wallets have the partner's id in place of a user's.
        forgetUser: ({ keepPregen, userId }) =>
          change((stored) => ({
            ...keeping(
              stored,
              (share) => share.userId !== userId && (keepPregen || partnerOf(share.shareText) !== share.userId),
            ),
            pendingRecoveries: without(stored.pendingRecoveries, userId),
          })),
        forgetAll: change(() => empty),
      })
    }),
  )

type StoredText = {
  readonly walletId: string
  readonly userId: string
  readonly address: string
  readonly shareText: string
  readonly capsule?: string
  readonly capsuleAt?: number
}
type StoredOt = { readonly otId: string; readonly record: string }
type StoredCandidate = {
  readonly walletId: string
  readonly userId: string
  readonly address: string
  readonly shareText: string
  readonly ot?: StoredOt
  readonly confirmFrame: string
}

/** Keys are hex(65). */
type StoredKey = {
  readonly name: string
  readonly oldKey: string
  readonly newKey: string
  readonly from: number
  readonly at: number
}

type StoredRecovery = Omit<PendingRecovery, 'secretKey'> & { readonly secretKey: string }

/** Version 1 of the record; every map is by wallet id but that of recovery keys, by user id; bytes are base64, but for the co-signer's keys. */
type Stored = {
  readonly v: 1
  readonly shares: Readonly<Record<string, StoredText>>
  readonly candidates: Readonly<Record<string, StoredCandidate>>
  readonly ot: Readonly<Record<string, StoredOt>>
  readonly banned: readonly string[]
  readonly pendingRecoveries: Readonly<Record<string, StoredRecovery>>
  readonly backupPending: readonly string[]
  readonly cosignerKeys: readonly StoredKey[]
}

/** A record as an earlier form of version 1 wrote it. */
type Earlier = Partial<Omit<Stored, 'v'>> & { readonly v: 1; readonly pendingRecovery?: StoredRecovery }

const textForm = {
  walletId: v.string(),
  userId: v.string(),
  address: v.string(),
  shareText: v.string(),
}
const otForm = v.object({ otId: v.string(), record: v.string() })
const pendingForm: Json.Schema<StoredRecovery> = v.object({
  userId: v.string(),
  secretKey: v.string(),
  publicKey: v.string(),
  signature: v.exactOptional(v.string()),
  lackingBackup: v.exactOptional(v.array(v.string())),
  finishing: v.exactOptional(
    v.object({
      sessionId: v.exactOptional(v.string()),
      walletIds: v.array(v.string()),
      leftBehind: v.exactOptional(
        v.object({ walletIds: v.array(v.string()), recoveryPublicKey: v.string(), signature: v.string() }),
      ),
      rootPublicKey: v.string(),
      isFinished: v.boolean(),
    }),
  ),
})
const byId = <A>(form: Json.Schema<A>) => v.exactOptional(v.record(v.string(), form))

const recordForm: Json.Schema<Earlier> = v.object({
  v: v.literal(1),
  shares: byId(v.object({ ...textForm, capsule: v.exactOptional(v.string()), capsuleAt: v.exactOptional(v.number()) })),
  candidates: byId(v.object({ ...textForm, ot: v.exactOptional(otForm), confirmFrame: v.string() })),
  ot: byId(otForm),
  banned: v.exactOptional(v.array(v.string())),
  pendingRecoveries: byId(pendingForm),
  backupPending: v.exactOptional(v.array(v.string())),
  pendingRecovery: v.exactOptional(pendingForm),
  cosignerKeys: v.exactOptional(
    v.array(v.object({ name: v.string(), oldKey: v.string(), newKey: v.string(), from: v.number(), at: v.number() })),
  ),
})

const empty: Stored = {
  v: 1,
  shares: {},
  candidates: {},
  ot: {},
  banned: [],
  pendingRecoveries: {},
  backupPending: [],
  cosignerKeys: [],
}

/** The sealed record wins over the one in the local storage area. */
const merged = (left: Stored, known: Stored): Stored => ({
  ...left,
  ...known,
  shares: { ...left.shares, ...known.shares },
  candidates: { ...left.candidates, ...known.candidates },
  ot: { ...left.ot, ...known.ot },
  banned: [...new Set([...left.banned, ...known.banned])],
  pendingRecoveries: { ...left.pendingRecoveries, ...known.pendingRecoveries },
  backupPending: [...new Set([...left.backupPending, ...known.backupPending])],
  cosignerKeys: [...known.cosignerKeys, ...left.cosignerKeys],
})

const filtered = <A>(
  map: Readonly<Record<string, A>>,
  isKept: (value: A, id: string) => boolean,
): Readonly<Record<string, A>> => Object.fromEntries(Object.entries(map).filter(([id, value]) => isKept(value, id)))

const without = <A>(map: Readonly<Record<string, A>>, key: string | undefined) => filtered(map, (_, id) => id !== key)

const keeping = (stored: Stored, isKept: (share: StoredText | StoredCandidate) => boolean): Stored => {
  const [shares, candidates] = [filtered(stored.shares, isKept), filtered(stored.candidates, isKept)]
  const isHeld = (id: string) => id in shares || id in candidates
  return {
    ...empty,
    shares,
    candidates,
    ot: filtered(stored.ot, (_, id) => isHeld(id)),
    banned: stored.banned.filter(isHeld),
    backupPending: stored.backupPending.filter(isHeld),
    cosignerKeys: Object.keys({ ...shares, ...candidates }).length > 0 ? stored.cosignerKeys : [],
  }
}

const partnerOf = (shareText: string) => Json.parse(v.object({ partnerId: v.string() }), shareText)?.partnerId

const capsuleOf = ({ capsule, capsuleAt }: StoredText): Pick<StoredText, 'capsule' | 'capsuleAt'> => ({
  ...(capsule === undefined ? {} : { capsule }),
  ...(capsuleAt === undefined ? {} : { capsuleAt }),
})

const fromShare = ({ capsule, shareText, ...share }: StoredShare): StoredText => ({
  ...share,
  shareText: Redacted.value(shareText),
  ...(capsule === undefined ? {} : { capsule: toBase64(capsule) }),
})
const toShare = ({ capsule, shareText, ...share }: StoredText): StoredShare => ({
  ...share,
  shareText: Redacted.make(shareText),
  ...(capsule === undefined ? {} : { capsule: fromBase64(capsule) }),
})
const fromRecovery = (recovery: PendingRecovery): StoredRecovery => ({
  ...recovery,
  secretKey: Redacted.value(recovery.secretKey),
})
const toRecovery = (stored: StoredRecovery): PendingRecovery => ({
  ...stored,
  secretKey: Redacted.make(stored.secretKey),
})
const fromOt = ({ otId, record }: OtState): StoredOt => ({ otId: toBase64(otId), record: toBase64(record) })
const toOt = ({ otId, record }: StoredOt): OtState => ({ otId: fromBase64(otId), record: fromBase64(record) })
const fromCandidate = ({ ot, confirmFrame, shareText, ...rest }: UnconfirmedShare): StoredCandidate => ({
  ...rest,
  shareText: Redacted.value(shareText),
  ...(ot === undefined ? {} : { ot: fromOt(ot) }),
  confirmFrame: toBase64(confirmFrame),
})
const toCandidate = ({ ot, confirmFrame, shareText, ...rest }: StoredCandidate): UnconfirmedShare => ({
  ...rest,
  shareText: Redacted.make(shareText),
  ...(ot === undefined ? {} : { ot: toOt(ot) }),
  confirmFrame: fromBase64(confirmFrame),
})

const fromKey = ({ oldKey, newKey, ...key }: AcceptedKey): StoredKey => ({
  ...key,
  oldKey: bytesToHex(oldKey),
  newKey: bytesToHex(newKey),
})
const toKey = ({ oldKey, newKey, ...key }: StoredKey): AcceptedKey => ({
  ...key,
  oldKey: hexToBytes(oldKey),
  newKey: hexToBytes(newKey),
})
const replacesSame = (known: StoredKey, key: StoredKey) => known.name === key.name && known.oldKey === key.oldKey
const isSameStep = (known: StoredKey, key: StoredKey) => replacesSame(known, key) && known.newKey === key.newKey
