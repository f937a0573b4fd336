/**
 * The text form of the share store (design 8.18): one JSON in the local storage area, for Node and for storage overrides.
 * It is as safe as that storage is. Every change is made alone among all documents that share the storage.
 */
import { base64 } from '@scure/base'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import { Locks } from '../../domain/client/ports/Locks.ts'
import {
  ShareStore,
  type Candidate,
  type OtState,
  type PendingRecovery,
  type StoredShare,
} from '../../domain/client/ports/ShareStore.ts'
import { Storage } from '../../domain/client/ports/Storage.ts'
import * as StorageKeys from '../../domain/model/StorageKeys.ts'

export const ShareStoreText = Layer.effect(
  ShareStore,
  Effect.gen(function* () {
    const { local } = yield* Storage
    const { alone } = yield* Locks
    const read = Effect.map(local.get(StorageKeys.keyShares), (text) =>
      text === undefined ? empty : { ...empty, ...(JSON.parse(text) as Stored) },
    )
    const change = (next: (stored: Stored) => Stored) =>
      alone(
        StorageKeys.keyShares,
        Effect.flatMap(read, (stored) => local.set(StorageKeys.keyShares, JSON.stringify(next(stored)))),
      )

    return ShareStore.of({
      put: (share) =>
        change((stored) => {
          const known = stored.shares[share.walletId]
          // The provider's half of the same sharing stays beside it, also when the share comes again with a login.
          const capsule = known?.shareText === share.shareText ? known.capsule : undefined
          const kept = { ...(capsule === undefined ? {} : { capsule }), ...fromShare(share) }
          return { ...stored, shares: { ...stored.shares, [share.walletId]: kept } }
        }),
      find: (walletId) =>
        Effect.map(read, ({ shares }) => Option.map(Option.fromUndefinedOr(shares[walletId]), toShare)),
      list: Effect.map(read, ({ shares }) => Object.values(shares).map(toShare)),

      stage: (candidate) =>
        change((stored) => ({
          ...stored,
          candidates: { ...stored.candidates, [candidate.walletId]: fromCandidate(candidate) },
        })),
      candidates: Effect.map(read, ({ candidates }) => Object.values(candidates).map(toCandidate)),
      promote: (walletId, capsule) =>
        change((stored) => {
          const candidate = stored.candidates[walletId]
          if (candidate === undefined) throw new Error(`wallet ${walletId} has no candidate to promote`)
          const { userId, address, shareText, ot } = candidate
          return {
            ...stored,
            candidates: without(stored.candidates, walletId),
            shares: {
              ...stored.shares,
              [walletId]: {
                walletId,
                userId,
                address,
                shareText,
                ...(capsule === undefined ? {} : { capsule: base64.encode(capsule) }),
              },
            },
            ot: ot === undefined ? stored.ot : { ...stored.ot, [walletId]: ot },
            backupPending: [...new Set([...stored.backupPending, walletId])],
          }
        }),
      drop: (walletId) => change((stored) => ({ ...stored, candidates: without(stored.candidates, walletId) })),

      putOt: (walletId, ot) => change((stored) => ({ ...stored, ot: { ...stored.ot, [walletId]: fromOt(ot) } })),
      findOt: (walletId) => Effect.map(read, ({ ot }) => Option.map(Option.fromUndefinedOr(ot[walletId]), toOt)),
      eraseOt: (walletId) => change((stored) => ({ ...stored, ot: without(stored.ot, walletId) })),
      ban: (walletId) =>
        change((stored) => ({
          ...stored,
          ot: without(stored.ot, walletId),
          banned: [...new Set([...stored.banned, walletId])],
        })),
      isBanned: (walletId) => Effect.map(read, ({ banned }) => banned.includes(walletId)),
      liftBans: change((stored) => ({ ...stored, banned: [] })),

      pendingRecovery: {
        get: Effect.map(read, ({ pendingRecovery }) => Option.fromUndefinedOr(pendingRecovery)),
        set: (pendingRecovery) => change((stored) => ({ ...stored, pendingRecovery })),
        remove: change(({ pendingRecovery: _, ...stored }) => stored),
      },

      backupPending: Effect.map(read, ({ backupPending }) => backupPending),
      backedUp: (walletId) =>
        change((stored) => ({ ...stored, backupPending: stored.backupPending.filter((id) => id !== walletId) })),

      // Shares of pregenerated wallets are the partner's, whose id stands where a user's would.
      forgetUser: ({ keepPregen }) => (keepPregen ? change(keepingPregen) : change(() => empty)),
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

/** Version 1 of the text form; every map is by wallet id, bytes are base64. */
type Stored = {
  readonly v: 1
  readonly shares: Readonly<Record<string, StoredText>>
  readonly candidates: Readonly<Record<string, StoredCandidate>>
  readonly ot: Readonly<Record<string, StoredOt>>
  readonly banned: readonly string[]
  readonly pendingRecovery?: PendingRecovery
  readonly backupPending: readonly string[]
}

const empty: Stored = { v: 1, shares: {}, candidates: {}, ot: {}, banned: [], backupPending: [] }

const without = <A>(map: Readonly<Record<string, A>>, walletId: string): Readonly<Record<string, A>> =>
  Object.fromEntries(Object.entries(map).filter(([id]) => id !== walletId))

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
  ...(capsule === undefined ? {} : { capsule: base64.encode(capsule) }),
})
const toShare = ({ capsule, ...share }: StoredText): StoredShare => ({
  ...share,
  ...(capsule === undefined ? {} : { capsule: base64.decode(capsule) }),
})
const fromOt = ({ otId, record }: OtState): StoredOt => ({ otId: base64.encode(otId), record: base64.encode(record) })
const toOt = ({ otId, record }: StoredOt): OtState => ({ otId: base64.decode(otId), record: base64.decode(record) })
const fromCandidate = ({ ot, confirmFrame, ...rest }: Candidate): StoredCandidate => ({
  ...rest,
  ...(ot === undefined ? {} : { ot: fromOt(ot) }),
  confirmFrame: base64.encode(confirmFrame),
})
const toCandidate = ({ ot, confirmFrame, ...rest }: StoredCandidate): Candidate => ({
  ...rest,
  ...(ot === undefined ? {} : { ot: toOt(ot) }),
  confirmFrame: base64.decode(confirmFrame),
})
