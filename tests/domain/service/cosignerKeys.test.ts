/** The co-signer's frame keys through their times, on one world whose clock turns. */
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import * as CosignerKey from '../../../domain/crypto/CosignerKey.ts'
import {
  cosignerKeyStatus,
  getCosignerKeys,
  retireCosignerKey,
  rotateCosignerKey,
} from '../../../domain/service/cosignerKeys.ts'
import { cosignerKeyLimits } from '../../../domain/service/CosignerKey.ts'
import { CosignerEngine } from '../../../domain/service/ports/CosignerEngine.ts'
import { CosignerKeys } from '../../../domain/service/ports/CosignerKeys.ts'
import { Vault } from '../../../domain/service/ports/Vault.ts'
import { cosignerKeyAssociatedData } from '../../../domain/service/protocol/associatedData.ts'
import document from '../../../generated/openapi.json' with { type: 'json' }
import { openAnswer } from '../../kit/openAnswer.ts'
import { someFrame } from '../../kit/someFrame.ts'
import { startWorld, type World } from '../../kit/cosignerWorld.ts'

let world: World
beforeAll(async () => {
  // The clock stands but for what the tests turn it, so that each moment is exact.
  vi.spyOn(Date, 'now').mockReturnValue(Date.now())
  world = await startWorld()
})
afterAll(async () => {
  await world.stop()
  vi.restoreAllMocks()
})

const name = 'localhost'
const minute = 60_000

const status = () => world.run(cosignerKeyStatus(name))
const states = async () => (await status()).map(({ state }) => state)
const rotate = (isCompromised = false, of = name) =>
  world.run(Effect.result(rotateCosignerKey(of, isCompromised, 'a drill')))
const retire = (id: string) => world.run(Effect.result(retireCosignerKey(name, id, undefined)))
const why = <A>(outcome: Result.Result<A, { readonly message: string }>) =>
  Result.isFailure(outcome) ? outcome.failure.message : 'done'
const pinned = async () => (await world.run(Effect.flatMap(CosignerEngine, ({ identity }) => identity))).publicKey

/** The number of the key that signs answers. */
const signing = async () => {
  const answer = { status: 'OK', body: new Uint8Array(0) } as const
  const bytes = await world.run(Effect.flatMap(CosignerEngine, ({ sign }) => sign(someFrame, answer)))
  return (await status()).findIndex(
    ({ publicKey }) => openAnswer(hexToBytes(publicKey), someFrame, bytes) !== undefined,
  )
}

it('are published, sign once every process knows them, are pinned once clocks agree, and are retired later', async () => {
  const [first] = await status()
  const before = await pinned()
  expect([await states(), await signing()]).toEqual([['SIGNING'], 0])
  expect(why(await retire(first?.id ?? ''))).toBe(`Key ${first?.id ?? ''} is the newest; rotate it first.`)

  const rotated = Result.getOrThrow(await rotate())
  expect(await rotate()).toMatchObject({ success: rotated })
  world.advance(29_999)
  expect([await states(), await signing()]).toEqual([['SIGNING', 'PUBLISHED'], 0])
  world.advance(1)
  expect([await states(), await signing()]).toEqual([['REPLACED', 'SIGNING'], 1])
  expect(why(await retire(first?.id ?? ''))).toBe(`Key ${first?.id ?? ''} may still sign; it can go in 10 minutes.`)
  expect(why(await rotate())).toMatch(/took over a moment ago; it can be replaced in 10 minutes, or at once with/)
  expect(await pinned()).toEqual(before)
  world.advance(minute)
  expect(await pinned()).not.toEqual(before)

  world.advance(8 * minute)
  expect((await status()).map(({ isRetirable }) => isRetirable)).toEqual([false, false])
  world.advance(minute)
  expect((await status()).map(({ isRetirable }) => isRetirable)).toEqual([true, false])
  expect(why(await retire(first?.id ?? ''))).toBe('done')
  expect([await states(), await signing()]).toEqual([['RETIRED', 'SIGNING'], 1])
  const rows = (await world.dump())['cosigner_keys'] ?? []
  expect(rows.find((row) => row['name'] === name)).toMatchObject({ sealed: '' })
})

it('follow one another at once where one was compromised, and say so', async () => {
  const before = await pinned()
  const rotated = Result.getOrThrow(await rotate(true))
  expect(await rotate(true)).toMatchObject({ success: rotated })
  world.advance(30_100)

  expect([await states(), await signing()]).toEqual([['RETIRED', 'REPLACED', 'SIGNING'], 2])
  expect((await status()).map(({ isCompromised }) => isCompromised)).toEqual([false, true, false])
  expect(await pinned()).not.toEqual(before)
  expect(Result.isSuccess(await rotate(true))).toBe(true)
})

it('are not declared compromised while another is coming, and are none without a co-signer', async () => {
  world.advance(minute)
  world.advance(10 * minute)
  await rotate()
  const unknown = await rotate(false, 'another')

  expect(why(await rotate(true))).toMatch(/^Key [0-9a-f]{16} signs in a minute; call this again then\.$/)
  expect(why(unknown)).toBe("No co-signer of the name 'another' has started on this database.")
  expect(why(await retire('00'))).toBe("The co-signer 'localhost' has no key 00.")
})

it('are rotated no more often than the contract lists links, the last times only where they are compromised', async () => {
  const { rotations, ordinaryRotations } = cosignerKeyLimits
  expect(document.components.schemas.CosignerKeys.properties.links.maxItems).toBe(rotations)
  const replaces = { publicKey: '04', isCompromised: false, signature: '00' }
  const keys = Array.from({ length: rotations + 1 }, (_, from) => ({
    publicKey: '04',
    sealed: new Uint8Array(0),
    from,
    ...(from === 0 ? {} : { replaces }),
  }))
  const rotateAfter = (had: number, isCompromised = true) =>
    world.run(
      Effect.gen(function* () {
        const port = { ...(yield* CosignerKeys), ofName: () => Effect.succeed(keys.slice(0, had + 1)) }
        const rotating = rotateCosignerKey(name, isCompromised, 'a drill').pipe(
          Effect.provideService(CosignerKeys, port),
        )
        return yield* Effect.result(rotating)
      }),
    )
  expect(why(await rotateAfter(rotations))).toBe('The key was rotated 512 times, and devices read no more links.')
  expect(why(await rotateAfter(rotations - 1))).toMatch(/^The ring does not open key /)
  expect(why(await rotateAfter(ordinaryRotations, false))).toBe(
    'The key was rotated 448 times; the 64 more are for one that is compromised.',
  )
  expect(why(await rotateAfter(ordinaryRotations - 1, false))).toMatch(/^The ring does not open key /)
})

it('are a chain for clients, and in the audit', async () => {
  const answer = await world.as({}, getCosignerKeys())
  if (answer.kind !== 'success') throw new Error(answer.message)
  const links = answer.value.links.map(({ oldPublicKey, newPublicKey, signature, ...link }) => ({
    ...link,
    name,
    oldKey: hexToBytes(oldPublicKey),
    newKey: hexToBytes(newPublicKey),
    signature: hexToBytes(signature),
  }))
  const keys = await status()
  const first = hexToBytes(keys[0]?.publicKey ?? '')

  expect(CosignerKey.walk(name, first, links).map(({ newKey }) => newKey)).toEqual(
    keys.slice(1).map(({ publicKey }) => hexToBytes(publicKey)),
  )
  expect(answer.value.name).toBe(name)
  const entries = ((await world.dump())['audits'] ?? []).filter(({ event }) =>
    String(event).startsWith('cosigner_key.'),
  )
  expect(entries.map(({ event, subject, detail }) => [event, subject, detail])).toContainEqual([
    'cosigner_key.rotation',
    name,
    { actor: 'operator', isCompromised: true, reason: 'a drill' },
  ])
})

it('open in the place of no other', async () => {
  const [, second, third] = (await world.dump())['cosigner_successors'] ?? []
  const open = (publicKey: unknown, sealed: unknown) =>
    world.run(
      Effect.flatMap(Vault, (vault) =>
        Effect.option(vault.open(cosignerKeyAssociatedData(name, String(publicKey)), hexToBytes(String(sealed)))),
      ),
    )

  expect(await open(second?.['public_key'], second?.['sealed'])).toMatchObject({ _tag: 'Some' })
  expect(await open(second?.['public_key'], third?.['sealed'])).toMatchObject({ _tag: 'None' })
  expect(await open(undefined, second?.['sealed'])).toMatchObject({ _tag: 'None' })
})
