import { argon2id as reference } from '@noble/hashes/argon2.js'
import * as Effect from 'effect/Effect'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { argon2id } from '../../../adapters/browser/argon2id.ts'
import { PasswordHashWorker } from '../../../adapters/browser/PasswordHashWorker.ts'
import { PasswordHash, type Argon2idInput } from '../../../domain/client/ports/PasswordHash.ts'

const input: Argon2idInput = {
  password: new TextEncoder().encode('three cold spoons sing'),
  salt: new Uint8Array(32).fill(9),
  memoryKiB: 256,
  iterations: 2,
  parallelism: 1,
  length: 32,
}
const expected = reference(input.password, input.salt, { m: 256, t: 2, p: 1, dkLen: 32, version: 0x13 })

const hash = () =>
  Effect.runPromise(
    Effect.provide(
      Effect.flatMap(PasswordHash, ({ argon2id }) => argon2id(input)),
      PasswordHashWorker,
    ),
  )

/** A worker that hashes, or that breaks at its first message, and what became of each that was made. */
const stubWorkers = (behaviour: 'hashes' | 'breaks') => {
  const ended: boolean[] = []
  class StubWorker extends EventTarget {
    readonly number = ended.push(false) - 1
    postMessage(data: Argon2idInput) {
      if (behaviour === 'breaks') return void setTimeout(() => this.dispatchEvent(new Event('error')))
      void argon2id(data).then((hash) => this.dispatchEvent(new MessageEvent('message', { data: hash })))
    }
    terminate() {
      ended[this.number] = true
    }
  }
  vi.stubGlobal('Worker', StubWorker)
  return ended
}

describe('the hash of a password', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('is Argon2id of version 1.3, as another implementation has it', async () => {
    expect(await argon2id(input)).toEqual(expected)
  })

  it('is the same from a worker, which ends with it', async () => {
    const ended = stubWorkers('hashes')

    expect(await hash()).toEqual(expected)
    expect(ended).toEqual([true])
  })

  it('is computed on the page where the worker does not start or fails', async () => {
    vi.stubGlobal('Worker', undefined)
    expect(await hash()).toEqual(expected)

    const ended = stubWorkers('breaks')
    expect(await hash()).toEqual(expected)
    expect(ended).toEqual([true])
  })
})
