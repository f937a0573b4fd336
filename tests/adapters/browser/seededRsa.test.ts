import { createHash, createPrivateKey, createPublicKey, privateDecrypt, publicEncrypt } from 'node:crypto'
import { base64urlnopad } from '@scure/base'
import * as Effect from 'effect/Effect'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { SeededRsaForge } from '../../../adapters/browser/SeededRsa.ts'
import { SeededRsa } from '../../../domain/client/ports/Rsa.ts'
import * as RsaKey from '../../../domain/crypto/RsaKey.ts'

const handle = Uint8Array.from({ length: 32 }, (_, index) => index)

const generate = (seed: string, options: Parameters<typeof SeededRsaForge>[0] = {}) =>
  Effect.runPromise(
    Effect.provide(
      Effect.flatMap(SeededRsa, (seeded) => seeded.generate(seed)),
      SeededRsaForge(options),
    ),
  )

const seed = base64urlnopad.encode(handle)

/** A search takes a second: tests that need any pair share this one. */
let searched: ReturnType<typeof generate> | undefined
const pairOfSeed = () => (searched ??= generate(seed))

afterEach(() => void vi.unstubAllGlobals())

describe('the RSA pair of a seed', () => {
  it('is a pair of RSA-2048 with exponent 65537, in the form of the wire', async () => {
    const { publicKey, privateKey } = await pairOfSeed()

    const der = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? [])
    const key = createPrivateKey({ key: der(RsaKey.privateDer(privateKey)), format: 'der', type: 'pkcs1' })
    const lock = createPublicKey({ key: der(RsaKey.publicDer(publicKey)), format: 'der', type: 'pkcs1' })
    expect(lock.asymmetricKeyDetails).toMatchObject({ modulusLength: 2048, publicExponent: 65537n })
    const secret = Buffer.from('what only the private half opens')
    expect(privateDecrypt(key, publicEncrypt(lock, secret))).toEqual(secret)
  })

  it('is the same for the same seed, on every machine and after every update, and differs between seeds', async () => {
    const [first, again, other] = [
      await pairOfSeed(),
      await generate(seed),
      await generate(base64urlnopad.encode(handle.toReversed())),
    ]

    expect(again).toEqual(first)
    expect(other.publicKey).not.toBe(first.publicKey)
    expect(createHash('sha256').update(first.publicKey).digest('hex')).toBe(
      '4daf905b85a723425add21860f05d464131b2752308800957ed010bbfe7ccf75',
    )
  })

  it('is the one that the library finds when its generator gets the same seed', async () => {
    const { default: forge } = await import('node-forge')
    const prng = forge.random.createInstance()
    Object.assign(prng, {
      seedFileSync: () => seed,
      seedFile: (_: number, given: (error: null, bytes: string) => void) => given(null, seed),
    })
    const pair = await new Promise<{ readonly publicKey: { readonly n: { toString: (radix: number) => string } } }>(
      (resolve) => {
        forge.pki.rsa.generateKeyPair({ bits: 2048, e: 65537, prng, workLoad: 100, workers: 1 }, (_, found) =>
          resolve(found),
        )
      },
    )

    const { publicKey } = await pairOfSeed()

    const modulus = Buffer.from(RsaKey.publicDer(publicKey) ?? []).subarray(9, 9 + 256)
    expect(modulus.toString('hex')).toBe(pair.publicKey.n.toString(16))
  })

  it('is computed in the page where the worker does not load', async () => {
    const made: string[] = []
    class Broken extends EventTarget {
      constructor(address: string) {
        super()
        made.push(address)
        queueMicrotask(() => this.dispatchEvent(new Event('error')))
      }
      terminate() {
        made.push('terminated')
      }
    }
    vi.stubGlobal('Worker', Broken)

    const pair = await generate(seed, { worker: '/static/js/prime.worker.min.js' })

    expect(made).toEqual(['/static/js/prime.worker.min.js', 'terminated'])
    expect(pair).toEqual(await pairOfSeed())
  })
})
