/**
 * The share store (design 8.18): one record of everything, which rests sealed in IndexedDB in a page, and as text in
 * the local storage area in Node and under a storage override, where it is as safe as that storage is. Every change is
 * made alone among all documents that share the storage.
 */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import { KeyShareNotLoaded } from '../../domain/client/KeyShareNotLoaded.ts'
import { Locks } from '../../domain/client/ports/Locks.ts'
import {
  ShareStore,
  type Candidate,
  type OtState,
  type PendingRecovery,
  type StoredShare,
} from '../../domain/client/ports/ShareStore.ts'
import { Storage, type StorageArea } from '../../domain/client/ports/Storage.ts'
import * as StorageKeys from '../../domain/model/StorageKeys.ts'
import { fromBase64, toBase64 } from './base64.ts'
import { sealedText, StorageFailed } from './sealedText.ts'

/** Where the record rests, as text. Without one, `write` leaves nothing behind. */
type Rest = {
  readonly read: Effect.Effect<string | undefined>
  readonly write: (text: string | undefined) => Effect.Effect<void>
  /** Asks whoever clears up there to leave it; nobody waits for the answer. */
  readonly persist?: Effect.Effect<void>
}

export const ShareStoreText = Layer.unwrap(Effect.map(Storage, ({ local }) => restingIn(textIn(local))))

/** What an earlier version left as text in the local storage area is sealed first, and then removed there. */
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
  write: (text) =>
    text === undefined ? local.remove(StorageKeys.keyShares) : local.set(StorageKeys.keyShares, text),
})

/**
 * What a later version wrote is left as it is: read as ours, it would be written back without what it has more. An
 * earlier one kept the recovery key of one user.
 */
const read = (text: string | undefined): Stored => {
  if (text === undefined) return empty
  const { v, pendingRecovery, ...stored } = JSON.parse(text) as Earlier
  if (v !== empty.v) throw new StorageFailed({ cause: new Error('a later version wrote these key shares') })
  const one = pendingRecovery === undefined ? {} : { [pendingRecovery.userId]: pendingRecovery }
  return { ...empty, ...stored, pendingRecoveries: { ...one, ...stored.pendingRecoveries } }
}

/** Where nothing is held, nothing rests. */
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
            Effect.flatMap(rest.read, (text) => Effect.flatMap(next(read(text)), (stored) => rest.write(write(stored)))),
          ),
        )
      const change = (next: (stored: Stored) => Stored) => changeOrRefuse((stored) => Effect.succeed(next(stored)))

      /** The first share is worth asking for. */
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
            // What belongs to this very sharing stays beside it when it comes again with a login, and goes with it.
            const isSame = known?.shareText === share.shareText
            const capsule = isSame ? known.capsule : undefined
            const kept = { ...(capsule === undefined ? {} : { capsule }), ...fromShare(share) }
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
          changeOrRefuse((stored) => {
            const candidate = stored.candidates[walletId]
            if (candidate === undefined) return Effect.fail(new KeyShareNotLoaded({ walletId }))
            const { userId, address, shareText, ot } = candidate
            return Effect.succeed({
              ...stored,
              candidates: without(stored.candidates, walletId),
              shares: {
                ...stored.shares,
                [walletId]: {
                  walletId,
                  userId,
                  address,
                  shareText,
                  ...(capsule === undefined ? {} : { capsule: toBase64(capsule) }),
                },
              },
              ot: ot === undefined ? stored.ot : { ...stored.ot, [walletId]: ot },
              backupPending: [...new Set([...stored.backupPending, walletId])],
            })
          }),
        drop: (walletId) => change((stored) => ({ ...stored, candidates: without(stored.candidates, walletId) })),

        putOt: (walletId, ot) =>
          change((stored) =>
            walletId in stored.shares ? { ...stored, ot: { ...stored.ot, [walletId]: fromOt(ot) } } : stored,
          ),
        findOt: (walletId) => Effect.map(held, ({ ot }) => Option.map(Option.fromUndefinedOr(ot[walletId]), toOt)),
        ban: (walletId) =>
          change((stored) => ({
            ...stored,
            ot: without(stored.ot, walletId),
            banned: [...new Set([...stored.banned, walletId])],
          })),
        isBanned: (walletId) => Effect.map(held, ({ banned }) => banned.includes(walletId)),
        liftBans: change((stored) => ({ ...stored, banned: [] })),

        pendingRecovery: {
          list: Effect.map(held, ({ pendingRecoveries }) => Object.values(pendingRecoveries)),
          get: (userId) =>
            Effect.map(held, ({ pendingRecoveries }) => Option.fromUndefinedOr(pendingRecoveries[userId])),
          set: (recovery) =>
            change((stored) => ({
              ...stored,
              pendingRecoveries: { ...stored.pendingRecoveries, [recovery.userId]: recovery },
            })),
          remove: (userId) =>
            change((stored) => ({ ...stored, pendingRecoveries: without(stored.pendingRecoveries, userId) })),
        },

        backupPending: Effect.map(held, ({ backupPending }) => backupPending),
        backedUp: (walletId) =>
          change((stored) => ({ ...stored, backupPending: stored.backupPending.filter((id) => id !== walletId) })),

        // Shares of pregenerated wallets are the partner's, whose id stands where a user's would.
        forgetUser: ({ keepPregen, userId }) =>
          change((stored) => ({
            ...(keepPregen ? keepingPregen(stored) : empty),
            pendingRecoveries: userId === undefined ? {} : without(stored.pendingRecoveries, userId),
          })),
      })
    }),
  )

type StoredText = {
  readonly walletId: string
  readonly userId: string
  readonly address: string
  readonly shareText: string
  readonly capsule?: string
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

/** Version 1 of the record; every map is by wallet id but that of recovery keys, by user id; bytes are base64. */
type Stored = {
  readonly v: 1
  readonly shares: Readonly<Record<string, StoredText>>
  readonly candidates: Readonly<Record<string, StoredCandidate>>
  readonly ot: Readonly<Record<string, StoredOt>>
  readonly banned: readonly string[]
  readonly pendingRecoveries: Readonly<Record<string, PendingRecovery>>
  readonly backupPending: readonly string[]
}

/** What may be at rest under this version or another. */
type Earlier = Partial<Omit<Stored, 'v'>> & { readonly v: number; readonly pendingRecovery?: PendingRecovery }

const empty: Stored = {
  v: 1,
  shares: {},
  candidates: {},
  ot: {},
  banned: [],
  pendingRecoveries: {},
  backupPending: [],
}

/** What is known already counts for more than what was left elsewhere. */
const merged = (left: Stored, known: Stored): Stored => ({
  ...left,
  ...known,
  shares: { ...left.shares, ...known.shares },
  candidates: { ...left.candidates, ...known.candidates },
  ot: { ...left.ot, ...known.ot },
  banned: [...new Set([...left.banned, ...known.banned])],
  pendingRecoveries: { ...left.pendingRecoveries, ...known.pendingRecoveries },
  backupPending: [...new Set([...left.backupPending, ...known.backupPending])],
})

const without = <A>(map: Readonly<Record<string, A>>, key: string): Readonly<Record<string, A>> =>
  Object.fromEntries(Object.entries(map).filter(([id]) => id !== key))

const keepingPregen = (stored: Stored): Stored => {
  const shares = Object.fromEntries(
    Object.entries(stored.shares).filter(([, { shareText, userId }]) => partnerOf(shareText) === userId),
  )
  const kept = (id: string) => id in shares
  return {
    ...empty,
    shares,
    ot: Object.fromEntries(Object.entries(stored.ot).filter(([id]) => kept(id))),
    banned: stored.banned.filter(kept),
    backupPending: stored.backupPending.filter(kept),
  }
}

const partnerOf = (shareText: string) => (JSON.parse(shareText) as { readonly partnerId: string }).partnerId

const fromShare = ({ capsule, ...share }: StoredShare): StoredText => ({
  ...share,
  ...(capsule === undefined ? {} : { capsule: toBase64(capsule) }),
})
const toShare = ({ capsule, ...share }: StoredText): StoredShare => ({
  ...share,
  ...(capsule === undefined ? {} : { capsule: fromBase64(capsule) }),
})
const fromOt = ({ otId, record }: OtState): StoredOt => ({ otId: toBase64(otId), record: toBase64(record) })
const toOt = ({ otId, record }: StoredOt): OtState => ({ otId: fromBase64(otId), record: fromBase64(record) })
const fromCandidate = ({ ot, confirmFrame, ...rest }: Candidate): StoredCandidate => ({
  ...rest,
  ...(ot === undefined ? {} : { ot: fromOt(ot) }),
  confirmFrame: toBase64(confirmFrame),
})
const toCandidate = ({ ot, confirmFrame, ...rest }: StoredCandidate): Candidate => ({
  ...rest,
  ...(ot === undefined ? {} : { ot: toOt(ot) }),
  confirmFrame: fromBase64(confirmFrame),
})
