/** A machine that computes wrongly: whatever operation it is that goes wrong, nothing leaves that is wrong. */
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { describe, expect, it } from 'vitest'
import type { Arithmetic } from '../../domain/mpc/ed25519/Arithmetic.ts'
import { noble } from '../../domain/mpc/ed25519/noble.ts'
import { isSignature } from '../../domain/mpc/ed25519/rfc9591.ts'
import { response } from '../../domain/mpc/ed25519/sign.ts'
import { makeWallet, signSetup } from './ed25519.ts'
import { kernel } from './kernel.ts'
import { find, run, type Setup } from './run.ts'

/** The operations whose result a signature depends on. */
type Operation = 'multiplyBase' | 'add' | 'addMultiple' | 'reduce' | 'plus' | 'minus' | 'times'
const operations: readonly Operation[] = ['multiplyBase', 'add', 'addMultiple', 'reduce', 'plus', 'minus', 'times']

/** An arithmetic that flips one bit in what its n-th call of one operation gives. */
const faulty = (arithmetic: Arithmetic, operation: Operation, nth: number) => {
  let calls = 0
  const spoilt = (name: Operation, bytes: Uint8Array): Uint8Array => {
    if (name !== operation || ++calls !== nth) return bytes
    return bytes.map((byte, index) => (index === 0 ? byte ^ 1 : byte))
  }
  const maybe = (name: Operation, bytes: Uint8Array | undefined) => bytes && spoilt(name, bytes)
  const { points, scalars } = arithmetic
  const result: Arithmetic = {
    ...arithmetic,
    points: {
      ...points,
      multiplyBase: (k) => maybe('multiplyBase', points.multiplyBase(k)),
      add: (p, q) => maybe('add', points.add(p, q)),
      addMultiple: (p, k, q) => maybe('addMultiple', points.addMultiple(p, k, q)),
    },
    scalars: {
      ...scalars,
      reduce: (wide) => spoilt('reduce', scalars.reduce(wide)),
      add: (a, b) => spoilt('plus', scalars.add(a, b)),
      subtract: (a, b) => spoilt('minus', scalars.subtract(a, b)),
      multiply: (a, b) => spoilt('times', scalars.multiply(a, b)),
    },
  }
  return { arithmetic: { ed25519: result }, happened: () => calls >= nth }
}

const wallet = makeWallet()
const message = utf8ToBytes('message')
const setup = signSetup(wallet, message, 'faults')
const honest = run(setup)
const isGood = (signature: Uint8Array) => isSignature(noble, wallet.client.publicKey, message, signature)

/** The share that the co-signer sends in an honest run. */
const honestShare = response.decode(find(honest, 'client', 1).position.message)?.share

it('signs where nothing is wrong', () => {
  expect(isGood(honest.client?.signature ?? new Uint8Array(64))).toBe(true)
})

describe.each([['noble', noble], ['the kernel', kernel.ed25519]] as const)('with faults of %s', (_, arithmetic) => {
  /** Every single fault of a party, and how the run ended with it. */
  const faultsOf = (party: 'client' | 'server') => {
    const found: { readonly name: string; readonly outcome: ReturnType<typeof run> }[] = []
    for (const operation of operations) {
      for (let nth = 1; ; nth++) {
        const fault = faulty(arithmetic, operation, nth)
        const faultySetup: Setup = { ...setup, [party]: { ...setup[party], arithmetic: fault.arithmetic } }
        const outcome = run(faultySetup)
        if (!fault.happened()) break
        found.push({ name: `${operation} ${nth}`, outcome })
      }
    }
    return found
  }

  it('no wrong signature leaves the client, whichever single operation fails', () => {
    const faults = faultsOf('client')

    expect(faults.length).toBeGreaterThan(15)
    for (const { name, outcome } of faults) {
      const signature = outcome.client?.signature
      expect([name, signature === undefined || isGood(signature)]).toEqual([name, true])
    }
    expect(faults.filter(({ outcome }) => outcome.stopped?.reason === 'signature').length).toBeGreaterThan(0)
  })

  it('no wrong signature share leaves the co-signer, whichever single operation fails', () => {
    const faults = faultsOf('server')
    const stopped = faults.filter(({ outcome }) => outcome.stopped?.by === 'server')

    expect(faults.length).toBeGreaterThan(12)
    for (const { name, outcome } of faults.filter((fault) => !stopped.includes(fault))) {
      // What it sent with a fault inside is a share that the client's own equation accepts, or of other nonces.
      expect([name, outcome.client !== undefined || outcome.stopped?.by === 'client']).toEqual([name, true])
      if (outcome.client === undefined) continue
      expect([name, isGood(outcome.client.signature ?? new Uint8Array(64))]).toEqual([name, true])
    }
    expect(stopped.some(({ outcome }) => outcome.stopped?.reason === 'own signature share')).toBe(true)
    expect(honestShare).toBeDefined()
  })
})
