/** Whole runs by the kernel: every message and result is the same as with noble, whichever party uses which. */
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { noble } from '../../domain/mpc/noble.ts'
import { isLong } from '../kit/long.ts'
import { kernel } from './kernel.ts'
import * as Ed25519 from './ed25519.ts'
import { by, run, type Outcome, type Setup } from './run.ts'
import { enrolSetup, keygenSetup, makeWallet, refreshSetup, signSetup, type Wallet } from './wallet.ts'

let wallet: Wallet
let solana: Ed25519.Wallet
beforeAll(() => {
  wallet = makeWallet()
  solana = Ed25519.makeWallet()
})

const setups: Readonly<Record<string, () => Setup>> = {
  'key generation': () => keygenSetup,
  attach: () => enrolSetup(wallet, 'attach'),
  signing: () => signSetup(wallet, sha256(utf8ToBytes('hello')), 'sign'),
  refresh: () => refreshSetup(wallet, 'refresh'),
  'key generation of ED25519': () => Ed25519.keygenSetup('keygen'),
  'signing of ED25519': () => Ed25519.signSetup(solana, utf8ToBytes('hello'), 'sign'),
  'refresh of ED25519': () => Ed25519.refreshSetup(solana, 'refresh'),
}

/** A refresh is a key generation between two that hold shares: the long run mixes its parties, too. */
const isMixed = (name: string) => isLong || name !== 'refresh'

describe('a run by the kernel is the run by noble', () => {
  for (const [name, setupOf] of Object.entries(setups)) {
    it(`of ${name}: both parties${isMixed(name) ? ', and each of them alone' : ''}`, () => {
      const setup = setupOf()
      const expected: Outcome = name === 'key generation' ? wallet.keygen : run(by(setup, noble, noble))
      expect(expected.stopped).toBeUndefined()
      expect(run(by(setup, kernel, kernel))).toEqual(expected)
      if (!isMixed(name)) return
      expect(run(by(setup, kernel, noble))).toEqual(expected)
      expect(run(by(setup, noble, kernel))).toEqual(expected)
    })
  }
})
