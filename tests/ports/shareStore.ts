/**
 * The behaviour of every form of the share store, as stories that run in Node and in a browser and return plain data.
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import {
  type AcceptedKey,
  type KeyShareNotLoaded,
  type OtState,
  type PendingRecovery,
  ShareStore,
  type StoredShare,
  type UnconfirmedShare,
} from '../../domain/client/ports/ShareStore.ts'

export type Story = {
  readonly name: string
  readonly does: Effect.Effect<unknown, never, ShareStore>
  readonly sees: unknown
}

const bytes = (length: number, fill: number) => new Uint8Array(length).fill(fill)

const share = (walletId: string, shareText = `the share of ${walletId}`): StoredShare => ({
  walletId,
  userId: 'ada',
  address: `address of ${walletId}`,
  shareText: Redacted.make(shareText),
})

const ot = (fill: number): OtState => ({ otId: bytes(32, fill), record: bytes(300, fill) })

const accepted = (old: number, next: number): AcceptedKey => ({
  name: 'tandem',
  oldKey: bytes(65, old),
  newKey: bytes(65, next),
  from: next,
  at: 5,
})

const candidate = (walletId: string): UnconfirmedShare => ({
  ...share(walletId),
  ot: ot(7),
  confirmFrame: bytes(5, 9),
})

const recoveryOf = (userId: string): PendingRecovery => ({
  userId,
  secretKey: Redacted.make(`${userId} 11`),
  publicKey: `${userId} 22`,
  signature: '33',
  lackingBackup: ['one'],
})

/** Bytes do not survive the way out of a page. */
const plain = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return bytesToHex(value)
  if (Option.isOption(value)) return Option.isSome(value) ? plain(value.value) : null
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plain(field)]))
}

const story = (
  name: string,
  does: (store: ShareStore['Service']) => Effect.Effect<unknown, KeyShareNotLoaded>,
  sees: unknown,
): Story => ({ name, does: Effect.orDie(Effect.map(Effect.flatMap(ShareStore, does), plain)), sees: plain(sees) })

/** The time of the capsule is only known to be one. */
const timeless = (found: Effect.Effect<Option.Option<StoredShare>>) =>
  Effect.map(
    found,
    Option.map(({ capsuleAt, ...rest }) => ({ ...rest, capsuleAt: capsuleAt !== undefined })),
  )

/** A record is what it says of itself: pregenerated wallets are the partner's. */
const pregen: StoredShare = { ...share('pregen', JSON.stringify({ partnerId: 'shop' })), userId: 'shop' }
const adas: StoredShare = share('adas', JSON.stringify({ partnerId: 'shop' }))
const graces: StoredShare = { ...share('graces', JSON.stringify({ partnerId: 'shop' })), userId: 'grace' }

export const stories: readonly Story[] = [
  story('holds nothing at first', (store) => Effect.all([store.list, store.find('one'), store.candidates]), [
    [],
    null,
    [],
  ]),
  story(
    'finds a stored share unchanged',
    (store) =>
      Effect.gen(function* () {
        yield* store.put({ ...share('one'), capsule: bytes(4, 1) })
        yield* store.put(share('two'))
        return [yield* store.find('one'), yield* store.find('two'), (yield* store.list).length]
      }),
    [{ ...share('one'), capsule: bytes(4, 1) }, share('two'), 2],
  ),
  story(
    'keeps the provider’s half of the same sharing when a login brings the share again, and of no other',
    (store) =>
      Effect.gen(function* () {
        yield* store.put({ ...share('one'), capsule: bytes(4, 1) })
        yield* store.put(share('one'))
        const again = yield* store.find('one')
        yield* store.put(share('one', 'another sharing'))
        return [again, yield* store.find('one')]
      }),
    [{ ...share('one'), capsule: bytes(4, 1) }, share('one', 'another sharing')],
  ),
  story(
    'keeps this device’s OT state with the same sharing, and with no other, which it would not sign with',
    (store) =>
      Effect.gen(function* () {
        yield* Effect.forEach(['one', 'two'], (id) => Effect.andThen(store.put(share(id)), store.putOt(id, ot(1))))
        yield* store.put(share('one'))
        const again = yield* store.findOt('one')
        yield* store.put(share('one', 'another sharing'))
        return [again, yield* store.findOt('one'), yield* store.findOt('two')]
      }),
    [ot(1), null, ot(1)],
  ),
  story(
    'keeps a candidate with the very bytes that confirm it',
    (store) =>
      Effect.gen(function* () {
        yield* store.stage(candidate('one'))
        return [yield* store.candidates, yield* store.find('one'), yield* store.findOt('one')]
      }),
    [[candidate('one')], null, null],
  ),
  story(
    'makes a confirmed candidate the share, its OT state this device’s, and asks for its backups',
    (store) =>
      Effect.gen(function* () {
        yield* store.stage(candidate('one'))
        yield* store.promote('one', bytes(4, 3))
        const seen = [yield* timeless(store.find('one')), yield* store.findOt('one'), yield* store.backupPending]
        return [...seen, yield* store.candidates]
      }),
    [{ ...share('one'), capsule: bytes(4, 3), capsuleAt: true }, ot(7), ['one'], []],
  ),
  story(
    'replaces a capsule that is still the share’s, and notes when it was last good',
    (store) =>
      Effect.gen(function* () {
        yield* store.put({ ...share('one'), capsule: bytes(4, 1) })
        yield* store.replaceCapsule('one', { before: bytes(4, 1), capsule: bytes(4, 2), at: undefined })
        const replaced = yield* store.find('one')
        yield* store.replaceCapsule('one', { before: bytes(4, 1), capsule: bytes(4, 3), at: 5 })
        yield* store.replaceCapsule('none', { before: bytes(4, 1), capsule: bytes(4, 3), at: 5 })
        const same = yield* store.list
        yield* store.replaceCapsule('one', { before: bytes(4, 2), capsule: bytes(4, 2), at: 6 })
        yield* store.put(share('one'))
        return [replaced, same, yield* store.find('one')]
      }),
    [
      { ...share('one'), capsule: bytes(4, 2) },
      [{ ...share('one'), capsule: bytes(4, 2) }],
      { ...share('one'), capsule: bytes(4, 2), capsuleAt: 6 },
    ],
  ),
  story(
    'promotes without the capsule where the confirmation’s answer was lost',
    (store) => Effect.andThen(store.stage(candidate('one')), Effect.andThen(store.promote('one'), store.find('one'))),
    share('one'),
  ),
  story(
    'refuses to promote a candidate that is missing, and stores nothing instead',
    (store) =>
      Effect.gen(function* () {
        const promoted = yield* Effect.result(store.promote('one'))
        return [Result.isFailure(promoted) && promoted.failure.message, yield* store.list, yield* store.backupPending]
      }),
    ['the key share of wallet with id one is not on this device, log in again', [], []],
  ),
  story(
    'drops a candidate and nothing else',
    (store) =>
      Effect.gen(function* () {
        yield* store.put(share('one'))
        yield* store.stage(candidate('one'))
        yield* store.drop('one')
        return [yield* store.candidates, yield* store.find('one')]
      }),
    [[], share('one')],
  ),
  story(
    'finds a stored OT state unchanged, and has none where no share is stored',
    (store) =>
      Effect.gen(function* () {
        yield* store.put(share('one'))
        yield* Effect.forEach(['one', 'two'], (id) => store.putOt(id, ot(1)))
        return [yield* store.findOt('one'), yield* store.findOt('two')]
      }),
    [ot(1), null],
  ),
  story(
    'erases the OT state of a ban, which lasts until it is lifted',
    (store) =>
      Effect.gen(function* () {
        yield* store.put(share('one'))
        yield* store.putOt('one', ot(1))
        yield* store.lock('one')
        const banned = [yield* store.findOt('one'), yield* store.isLocked('one'), yield* store.isLocked('two')]
        yield* store.unlockAll
        return [...banned, yield* store.isLocked('one')]
      }),
    [null, true, false, false],
  ),
  story(
    'keeps a recovery key of each user until it is removed',
    ({ pendingRecovery: { list, get, set, remove } }) =>
      Effect.gen(function* () {
        yield* set({ userId: 'ada', secretKey: Redacted.make('11'), publicKey: '22' })
        yield* set(recoveryOf('grace'))
        yield* set(recoveryOf('ada'))
        const held = [yield* get('ada'), yield* get('grace'), yield* get('alan')]
        yield* remove('ada')
        return [...held, yield* get('ada'), yield* list]
      }),
    [recoveryOf('ada'), recoveryOf('grace'), null, null, [recoveryOf('grace')]],
  ),
  story(
    'asks for backups until they are stored',
    (store) =>
      Effect.gen(function* () {
        for (const id of ['one', 'two']) yield* Effect.andThen(store.stage(candidate(id)), store.promote(id))
        yield* store.backedUp('one')
        const pending = yield* store.backupPending
        yield* store.backupMissing(['one', 'two', 'three'])
        return [pending, yield* store.backupPending]
      }),
    [['two'], ['two', 'one']],
  ),
  story(
    'keeps the first key of the co-signer that was accepted in the place of another, and erases OT state where it has to',
    (store) =>
      Effect.gen(function* () {
        yield* store.put(share('one'))
        yield* store.putOt('one', ot(1))
        const accept = (keys: readonly AcceptedKey[], erasesOt = false) => store.acceptCosignerKeys(keys, { erasesOt })
        const answers = [yield* accept([accepted(1, 2)]), yield* accept([accepted(1, 2), accepted(2, 3)])]
        const forks = [
          yield* accept([accepted(1, 4)], true),
          yield* accept([accepted(4, 5), accepted(2, 6)]),
          yield* accept([{ ...accepted(1, 7), name: 'another' }]),
        ]
        const before = yield* store.findOt('one')
        yield* accept([accepted(3, 8)], true)
        return [answers, forks, yield* store.cosignerKeys, before, yield* store.findOt('one')]
      }),
    [
      [true, true],
      [false, false, true],
      [accepted(1, 2), accepted(2, 3), { ...accepted(1, 7), name: 'another' }, accepted(3, 8)],
      ot(1),
      null,
    ],
  ),
  story(
    'keeps those keys beside wallets of the partner',
    (store) =>
      Effect.gen(function* () {
        yield* store.put(pregen)
        yield* store.acceptCosignerKeys([accepted(1, 2)], { erasesOt: false })
        yield* store.forgetUser({ keepPregen: true, userId: 'ada' })
        const kept = yield* store.cosignerKeys
        yield* store.forgetUser({ keepPregen: false, userId: 'ada' })
        return [kept, yield* store.cosignerKeys]
      }),
    [[accepted(1, 2)], []],
  ),
  story(
    'keeps those keys beside a share or candidate of another user, and forgets them with the last user',
    (store) =>
      Effect.gen(function* () {
        yield* store.put(share('one'))
        yield* store.put({ ...share('two'), userId: 'grace' })
        yield* store.stage({ ...candidate('three'), userId: 'alan' })
        yield* store.acceptCosignerKeys([accepted(1, 2)], { erasesOt: false })
        return yield* Effect.forEach(['ada', 'grace', 'alan'], (userId) =>
          Effect.andThen(store.forgetUser({ keepPregen: true, userId }), store.cosignerKeys),
        )
      }),
    [[accepted(1, 2)], [accepted(1, 2)], []],
  ),
  story(
    'loses no change of simultaneous ones',
    (store) =>
      Effect.gen(function* () {
        const ids = Array.from({ length: 20 }, (_, index) => `wallet ${index}`)
        yield* Effect.forEach(ids, (id) => store.put(share(id)), { concurrency: 'unbounded' })
        return (yield* store.list).length
      }),
    20,
  ),
  story(
    'forgets a user, with the partner’s wallets where asked to, and keeps all that is another user’s',
    (store) =>
      Effect.gen(function* () {
        for (const held of [pregen, adas, graces]) {
          yield* store.put(held)
          yield* store.lock(held.walletId)
          yield* store.putOt(held.walletId, ot(2))
        }
        yield* store.stage(candidate('made by ada'))
        yield* store.stage({ ...candidate('made by grace'), userId: 'grace' })
        yield* store.backupMissing(['adas', 'graces'])
        for (const user of ['ada', 'grace']) yield* store.pendingRecovery.set(recoveryOf(user))
        yield* store.forgetUser({ keepPregen: true, userId: 'ada' })
        const held = yield* store.list
        const locked = [yield* store.isLocked('adas'), yield* store.isLocked('graces'), yield* store.isLocked('pregen')]
        const states = [yield* store.findOt('adas'), yield* store.findOt('graces'), yield* store.findOt('pregen')]
        const rest = [yield* store.candidates, yield* store.backupPending, yield* store.pendingRecovery.list]
        yield* store.forgetUser({ keepPregen: false, userId: 'ada' })
        return [held, locked, states, rest, yield* store.list]
      }),
    [
      [pregen, graces],
      [false, true, true],
      [null, ot(2), ot(2)],
      [[{ ...candidate('made by grace'), userId: 'grace' }], ['graces'], [recoveryOf('grace')]],
      [graces],
    ],
  ),
  story(
    'forgets no user’s where none is named, and all when asked to',
    (store) =>
      Effect.gen(function* () {
        yield* store.put(adas)
        yield* store.stage(candidate('one'))
        yield* store.pendingRecovery.set(recoveryOf('ada'))
        yield* store.forgetUser({ keepPregen: true, userId: undefined })
        const kept = [yield* store.list, yield* store.candidates, yield* store.pendingRecovery.list]
        yield* store.forgetAll
        return [kept, [yield* store.list, yield* store.candidates, yield* store.pendingRecovery.list]]
      }),
    [
      [[adas], [candidate('one')], [recoveryOf('ada')]],
      [[], [], []],
    ],
  ),
]
