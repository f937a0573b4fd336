import { expect, it } from 'vitest'
import { confirmation } from '../../domain/mpc/ed25519/refresh.ts'
import { makeWallet, refreshSetup } from './ed25519.ts'
import { arithmetics } from './kernel.ts'
import { by, clientStep, find, run, serverStep, type Setup } from './run.ts'

const setup = refreshSetup(makeWallet(), 'refresh')
const outcome = run(setup)

it.each(arithmetics)('by %s, a client proves its new share with a nonce of its own to each answer', (_, arithmetic) => {
  const of: Setup = by(setup, arithmetic)
  const request = find(outcome, 'server', 1).position
  const { position } = find(outcome, 'client', 1)

  const proofs = ['one co-signer', 'one co-signer', 'another'].map((seed) => {
    const answer = serverStep({ ...of, seed }, request)
    if (answer.kind !== 'answer') throw new Error('no answer')
    const next = clientStep(of, { ...position, message: answer.response })
    if (next.kind !== 'confirm') throw new Error('no confirmation')
    return confirmation.decode(next.request)?.confirmation ?? new Uint8Array(0)
  })

  const [R, again, other] = proofs.map((proof) => Buffer.from(proof.subarray(0, 32)).toString('hex'))
  expect(again).toBe(R)
  expect(other).not.toBe(R)
})
