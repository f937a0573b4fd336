/** A machine that computes wrongly: what is checked before it leaves. */
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { expect, it, vi } from 'vitest'
import { makeWallet, signSetup } from './ed25519.ts'
import { run } from './run.ts'

/** Which function of noble's FROST flips a bit of what it returns. */
const fault = vi.hoisted(() => ({ in: '' }))

vi.mock('@noble/curves/ed25519.js', async (importOriginal) => {
  const original = await importOriginal<typeof import('@noble/curves/ed25519.js')>()
  const faulty =
    <Arguments extends readonly unknown[]>(name: string, compute: (...args: Arguments) => Uint8Array) =>
    (...args: Arguments) => {
      const bytes = compute(...args)
      return fault.in === name ? bytes.map((byte, index) => (index === bytes.length - 32 ? byte ^ 1 : byte)) : bytes
    }
  const frost = original.ed25519_FROST
  const signShare = faulty('signShare', (...args: Parameters<typeof frost.signShare>) => frost.signShare(...args))
  const aggregate = faulty('aggregate', (...args: Parameters<typeof frost.aggregate>) => frost.aggregate(...args))
  return { ...original, ed25519_FROST: { ...frost, signShare, aggregate } }
})

const wallet = makeWallet()
const setup = signSetup(wallet, utf8ToBytes('message'), 'faults')

it('signs where nothing is wrong', () => {
  fault.in = ''

  expect(run(setup).client?.signature?.length).toBe(64)
})

it('lets no wrong signature share of the co-signer out', () => {
  fault.in = 'signShare'

  expect(run(setup).stopped).toEqual({ kind: 'abort', by: 'server', reason: 'own signature share' })
})

it('lets no signature out that does not verify by RFC 8032', () => {
  fault.in = 'aggregate'

  expect(run(setup).stopped).toEqual({ kind: 'abort', by: 'client', reason: 'signature' })
})
