/** Which keys of the co-signer a device accepts, over the store of a device and a service that publishes links. */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import { beforeEach, describe, expect, it } from 'vitest'
import { LocksWeb } from '../../../adapters/browser/Locks.ts'
import { ShareStoreText } from '../../../adapters/browser/ShareStore.ts'
import { StorageMemory } from '../../../adapters/browser/Storage.ts'
import { currentKey, openAnswer, type PinnedCosigner } from '../../../domain/client/cosignerKeys.ts'
import { Api } from '../../../domain/client/ports/Api.ts'
import { Cosigner } from '../../../domain/client/ports/Cosigner.ts'
import { ShareStore } from '../../../domain/client/ports/ShareStore.ts'
import * as CosignerKey from '../../../domain/crypto/CosignerKey.ts'
import type { SignedLink } from '../../../domain/crypto/CosignerLink.ts'
import { noble, verifyP256 } from '../../../domain/crypto/Signatures.ts'
import { ApiError } from '../../../domain/model/ApiError.ts'
import * as Frame from '../../../domain/mpc/Frame.ts'
import { clockAt } from '../../kit/clock.ts'
import { someFrame } from '../../kit/someFrame.ts'

const secrets = [1, 2, 3, 4].map((fill) => new Uint8Array(32).fill(fill))
const secretOf = (key: number) => secrets[key - 1] ?? new Uint8Array(32)
const publicOf = (key: number) => CosignerKey.publicKeyOf(secretOf(key))
const pinned = (key: number): PinnedCosigner => ({ name: 'tandem', publicKey: publicOf(key) })

const said = { status: 'OK', body: Uint8Array.of(1, 2) } as const
const answerBy = (key: number) => Frame.signAnswer(secretOf(key), someFrame, said, noble)

const linkOf = (from: number, to: number, isCompromised = false) =>
  CosignerKey.signLink(secretOf(from), {
    name: 'tandem',
    oldKey: publicOf(from),
    newKey: publicOf(to),
    from: to * 1_000,
    isCompromised,
  })

let published: readonly SignedLink[]
/** What a call is answered, in place of `published`, by its number. */
let answered: readonly (readonly SignedLink[])[]
let refusal: ApiError | undefined
let asked: number
let now: number
let device: ReturnType<typeof makeDevice>

const service = Layer.succeed(Api, {
  call: (operation) =>
    Effect.suspend(() => {
      asked++
      if (operation !== 'getCosignerKeys') throw new Error(operation)
      if (refusal !== undefined) return Effect.fail(refusal)
      const links = (answered[asked - 1] ?? published).map(({ oldKey, newKey, from, isCompromised, signature }) => ({
        oldPublicKey: bytesToHex(oldKey),
        newPublicKey: bytesToHex(newKey),
        from,
        isCompromised,
        signature: bytesToHex(signature),
      }))
      return Effect.delay(Effect.succeed({ name: 'tandem', links } as never), 1)
    }),
})

/** It is sent nothing: the test has the answers. */
const cosigner = Layer.succeed(Cosigner, {
  exchange: () => Effect.die(new Error('nothing is sent')),
  isSigned: (...signed) => Effect.sync(() => verifyP256(...signed)),
})

const makeDevice = () => {
  const stores = ShareStoreText.pipe(Layer.provideMerge(Layer.merge(StorageMemory, LocksWeb())))
  const clock = Layer.succeed(
    Clock.Clock,
    clockAt(() => now),
  )
  return ManagedRuntime.make(Layer.mergeAll(service, cosigner, stores).pipe(Layer.provideMerge(clock)))
}

beforeEach(() => {
  published = []
  answered = []
  refusal = undefined
  asked = 0
  now = 1_000_000
  device = makeDevice()
})

const hear = (cosigner: PinnedCosigner, bytes: Uint8Array) => device.runPromise(openAnswer(cosigner, someFrame, bytes))
const current = (cosigner: PinnedCosigner) => device.runPromise(currentKey(cosigner))

it('takes an answer under the pinned key, and asks for nothing', async () => {
  expect(await hear(pinned(1), answerBy(1))).toEqual(said)
  expect(asked).toBe(0)
})

it('follows the links to the key of an answer, once', async () => {
  published = [linkOf(1, 2), linkOf(2, 3)]

  expect(await hear(pinned(1), answerBy(3))).toEqual(said)
  expect(await hear(pinned(1), answerBy(3))).toEqual(said)
  expect(await hear(pinned(2), answerBy(3))).toEqual(said)
  expect(asked).toBe(1)
  expect(await current(pinned(1))).toEqual(publicOf(3))
})

it('accepts a key only with an answer under it', async () => {
  published = [linkOf(1, 2), linkOf(2, 3)]

  expect(await hear(pinned(1), answerBy(1))).toEqual(said)
  expect(await current(pinned(1))).toEqual(publicOf(1))
  expect(await hear(pinned(1), answerBy(2))).toEqual(said)
  expect(await current(pinned(1))).toEqual(publicOf(2))
})

describe('drops an answer', () => {
  it('under a key to which nothing leads', async () => {
    published = [linkOf(2, 3)]

    expect(await hear(pinned(1), answerBy(3))).toBeUndefined()
    expect(await hear(pinned(1), answerBy(2))).toBeUndefined()
  })

  it('under a key of which another than the key before says so', async () => {
    published = [
      { ...linkOf(1, 2), signature: linkOf(2, 2).signature },
      { ...linkOf(1, 4), isCompromised: true },
    ]

    expect(await hear(pinned(1), answerBy(2))).toBeUndefined()
    expect(await hear(pinned(1), answerBy(4))).toBeUndefined()
    expect(await current(pinned(1))).toEqual(publicOf(1))
  })

  it('for another frame, under a key that is accepted', async () => {
    published = [linkOf(1, 2)]
    await hear(pinned(1), answerBy(2))

    expect(await hear(pinned(1), answerBy(2).slice(1))).toBeUndefined()
  })

  it('under an earlier key than the accepted one, a minute later', async () => {
    published = [linkOf(1, 2)]
    await hear(pinned(1), answerBy(2))

    now += 59_999
    expect(await hear(pinned(1), answerBy(1))).toEqual(said)
    now += 1
    expect(await hear(pinned(1), answerBy(1))).toBeUndefined()
    expect(await hear(pinned(1), answerBy(2))).toEqual(said)
  })

  it('under a key that a replaced one names beside its successor', async () => {
    published = [linkOf(1, 2)]
    await hear(pinned(1), answerBy(2))
    published = [linkOf(1, 4)]

    expect(await hear(pinned(1), answerBy(4))).toBeUndefined()
    expect(await current(pinned(1))).toEqual(publicOf(2))
  })

  it('of two at once, where a key names two successors, under the one that is accepted second', async () => {
    answered = [[linkOf(1, 2)], [linkOf(1, 4)]]

    const heard = await Promise.all([hear(pinned(1), answerBy(2)), hear(pinned(1), answerBy(4))])

    expect(heard.filter((one) => one !== undefined)).toEqual([said])
    expect(asked).toBe(2)
    expect(await current(pinned(1))).toEqual(publicOf(heard[0] === undefined ? 4 : 2))
  })

  it('under a key whose link is no later than the one that was accepted', async () => {
    published = [linkOf(1, 3)]
    await hear(pinned(1), answerBy(3))
    published = [linkOf(1, 3), linkOf(3, 2)]

    expect(await hear(pinned(1), answerBy(2))).toBeUndefined()
  })

  it('where the service refuses its links, and tries again where nothing is heard of it', async () => {
    refusal = new ApiError({ message: 'no', status: 404 })
    expect(await hear(pinned(1), answerBy(2))).toBeUndefined()
    refusal = new ApiError({ message: 'Connection error' })
    await expect(hear(pinned(1), answerBy(2))).rejects.toMatchObject({ message: 'Connection error' })
  })
})

it('erases the OT states with the first answer after a compromised key, under which nothing counts any more', async () => {
  published = [linkOf(1, 2, true)]
  await device.runPromise(
    Effect.flatMap(ShareStore, (store) =>
      Effect.andThen(
        store.put({ walletId: 'one', userId: 'ada', address: '', shareText: Redacted.make('text') }),
        store.putOt('one', { otId: new Uint8Array(32), record: new Uint8Array(3) }),
      ),
    ),
  )
  const ot = () => device.runPromise(Effect.flatMap(ShareStore, ({ findOt }) => findOt('one')))
  const before = await ot()

  expect(await hear(pinned(1), answerBy(2))).toEqual(said)
  expect([Option.isSome(before), Option.isSome(await ot())]).toEqual([true, false])
  expect(await hear(pinned(1), answerBy(1))).toBeUndefined()
  expect(await hear(pinned(1), answerBy(2))).toEqual(said)
})
