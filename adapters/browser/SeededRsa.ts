/**
 * The prime search as the public client has it: a constant generator, a workload of 100 and one worker, or none. Only a
 * passkey without PRF needs it, and only when the passkey is made, so the library is loaded with the first search. A
 * worker skips candidates that the page tries, so the two find different pairs: nothing may rely on finding a pair
 * again.
 */
import { base64 } from '@scure/base'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import type { pki } from 'node-forge'
import * as RsaKey from '../../domain/crypto/RsaKey.ts'
import { SeededRsa } from '../../domain/client/ports/Rsa.ts'
import {
  primeWorkerWorkload,
  rsaModulusBits,
  rsaPublicExponent,
  seededPrimeWorkers,
} from '../../domain/model/Limits.ts'

const load = async () => (await import('node-forge')).default

type Forge = Awaited<ReturnType<typeof load>>

/** `worker`: the address of prime.worker.min.js. Without it, or where it does not answer, the page itself searches. */
export const SeededRsaForge = (options: { readonly worker?: string } = {}): Layer.Layer<SeededRsa> =>
  Layer.succeed(SeededRsa, {
    generate: (seed) =>
      Effect.promise(async () => {
        const forge = await load()
        const prng = Object.assign(forge.random.createInstance(), constantly(seed))
        const { worker } = options
        const search = { bits: rsaModulusBits, e: rsaPublicExponent, prng }
        const inWorker = { ...search, workLoad: primeWorkerWorkload, workers: seededPrimeWorkers }
        const pair =
          worker !== undefined && (await answers(worker))
            ? await searchInWorker(forge, { ...inWorker, workerScript: worker })
            : forge.pki.rsa.generateKeyPair(search)
        return {
          publicKey: RsaKey.publicPemHex(der(forge.pki.publicKeyToRSAPublicKeyPem(pair.publicKey))),
          privateKey: RsaKey.privatePemHex(der(forge.pki.privateKeyToPem(pair.privateKey))),
        }
      }),
  })

/** The generator's entropy is the seed and nothing else. */
const constantly = (seed: string) => ({
  seedFileSync: () => seed,
  seedFile: (_needed: number, given: (error: null, bytes: string) => void) => given(null, seed),
})

const searchInWorker = (forge: Forge, options: pki.rsa.GenerateKeyPairOptions): Promise<pki.rsa.KeyPair> =>
  new Promise((resolve, reject) => {
    forge.pki.rsa.generateKeyPair(options, (error: Error | null, pair: pki.rsa.KeyPair) =>
      error === null ? resolve(pair) : reject(error),
    )
  })

/** Whether the worker starts: the library would wait for ever for a script that does not load. */
const answers = (worker: string): Promise<boolean> =>
  new Promise((resolve) => {
    if (typeof Worker === 'undefined') return resolve(false)
    const probe = new Worker(worker)
    const end = (isWorking: boolean) => {
      probe.terminate()
      resolve(isWorking)
    }
    probe.addEventListener('message', () => end(true), { once: true })
    probe.addEventListener('error', () => end(false), { once: true })
  })

/** Both are PKCS#1. */
const der = (pem: string): Uint8Array => base64.decode(pem.replace(/-----[^-]+-----|\s/g, ''))
