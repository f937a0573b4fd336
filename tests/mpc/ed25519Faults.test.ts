/** A machine with faults: whichever operation fails, no wrong signature or share leaves. */
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { describe, expect, it } from 'vitest'
import type { Arithmetic } from '../../domain/mpc/ed25519/Arithmetic.ts'
import { noble } from '../../domain/mpc/ed25519/noble.ts'
import { clientId, serverId } from '../../domain/mpc/ed25519/Frost.ts'
import { groupOf, isSignature } from '../../domain/mpc/ed25519/rfc9591.ts'
import { request, response } from '../../domain/mpc/ed25519/sign.ts'
import { makeWallet, signSetup } from './ed25519.ts'
import { kernel } from './kernel.ts'
import { find, run, type Setup } from './run.ts'

/** The operations whose result a signature depends on. */
type Operation = 'multiplyBase' | 'add' | 'addMultiple' | 'reduce' | 'plus' | 'minus' | 'times'
const operations: readonly Operation[] = ['multiplyBase', 'add', 'addMultiple', 'reduce', 'plus', 'minus', 'times']

/** An arithmetic that flips one bit in the result of its n-th call of one operation. */
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

/** z_S·G = D_S + ρ_S·E_S − c·X_S for what the co-signer has sent: no other equation in its share leaves. */
const isOfItsCommitments = (outcome: ReturnType<typeof run>): boolean => {
  const sent = request.decode(find(outcome, 'server', 1).position.message)
  const received = response.decode(find(outcome, 'client', 1).position.message)
  if (sent === undefined || received === undefined) throw new Error('no messages')
  const list = [
    { identifier: clientId, ...sent },
    { identifier: serverId, ...received },
  ]
  const { terms, challenge } = groupOf(noble, wallet.client.publicKey, list, message)
  const c = noble.scalars.subtract(new Uint8Array(32), challenge)
  const [, R = new Uint8Array(32)] = terms
  return noble.points.holds({ z: received.share, R, c, X: wallet.server.serverPublic })
}

it('signs where nothing is wrong', () => {
  expect(isGood(honest.client?.signature ?? new Uint8Array(64))).toBe(true)
})

describe.each([
  ['noble', noble],
  ['the kernel', kernel.ed25519],
] as const)('with faults of %s', (_, arithmetic) => {
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
      expect([name, isOfItsCommitments(outcome)]).toEqual([name, true])
    }
    expect(stopped.some(({ outcome }) => outcome.stopped?.reason === 'own signature share')).toBe(true)
    expect(isOfItsCommitments(honest)).toBe(true)
  })
})
