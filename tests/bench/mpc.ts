/** The protocols, both parties in this process, and what they are made of: time, bytes of all messages, requests. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Arithmetic } from '../../domain/mpc/Arithmetic.ts'
import { kappa, scalarLength } from '../../domain/mpc/dkls/Parameters.ts'
import { noble } from '../../domain/mpc/noble.ts'
import { dealtSeeds } from '../mpc/dealtSeeds.ts'
import * as Ed25519 from '../mpc/ed25519.ts'
import { kernel } from '../mpc/kernel.ts'
import { run, type Outcome, type Setup } from '../mpc/run.ts'
import { keygenSetup, makeWallet, refreshSetup, signSetup } from '../mpc/wallet.ts'
import { timed, type Row } from './rows.ts'

const runs = 20

const backends: Readonly<Record<string, Arithmetic>> = { kernel, noble }

/** The confirming call of a key generation is a request too. */
const traffic = ({ positions }: Outcome) => ({
  bytes: positions.reduce((sum, { message }) => sum + message.length, 0),
  requests: positions.filter(({ to }) => to === 'server').length,
})

export const mpc = (): readonly Row[] => {
  const unit = multiplyByNoble()
  const inUnits = (row: Row): Row => ({ ...row, units: row.cpuMs / unit.cpuMs })
  return [
    ...Object.entries(backends).flatMap(([backend, arithmetic]) => dkls(backend, arithmetic)),
    ...Object.entries(backends).flatMap(([backend, arithmetic]) => ed25519(backend, arithmetic)),
    unit,
    ...Object.entries(backends).flatMap(([backend, arithmetic]) => primitives(backend, arithmetic)),
  ].map(inUnits)
}

/** The unit. */
export const multiplyByNoble = (): Row => {
  const scalar = secp256k1.Point.Fn.fromBytes(secp256k1.utils.randomSecretKey())
  const point = secp256k1.Point.BASE.multiply(scalar)
  return { suite: 'mpc', case: 'point.multiply', backend: 'noble', ...timed(200, () => point.multiply(scalar)) }
}

const protocol = (name: string, backend: string, setup: () => Setup): Row => {
  let last: Outcome | undefined
  const figures = timed(runs, () => {
    last = run(setup())
    if (last.stopped !== undefined) throw new Error(`${name} ended with ${last.stopped.reason}`)
  })
  return { suite: 'mpc', case: name, backend, ...figures, ...(last === undefined ? {} : traffic(last)) }
}

/** Both parties with one arithmetic. */
const byBoth =
  (arithmetic: Arithmetic) =>
  (setup: Setup): Setup => ({
    ...setup,
    client: { ...setup.client, arithmetic },
    server: { ...setup.server, arithmetic },
  })

const dkls = (backend: string, arithmetic: Arithmetic): readonly Row[] => {
  const by = byBoth(arithmetic)
  const wallet = makeWallet(by(keygenSetup))
  const digest = () => crypto.getRandomValues(new Uint8Array(32))
  return [
    protocol('dkls.keygen', backend, () => by({ ...keygenSetup, seed: crypto.randomUUID() })),
    protocol('dkls.sign', backend, () => by(signSetup(wallet, digest(), crypto.randomUUID()))),
    protocol('dkls.refresh', backend, () => by(refreshSetup(wallet, crypto.randomUUID()))),
  ]
}

const ed25519 = (backend: string, arithmetic: Arithmetic): readonly Row[] => {
  const by = byBoth(arithmetic)
  const wallet = Ed25519.makeWallet()
  const message = crypto.getRandomValues(new Uint8Array(200))
  return [
    protocol('ed25519.keygen', backend, () => by(Ed25519.keygenSetup(crypto.randomUUID()))),
    protocol('ed25519.sign', backend, () => by(Ed25519.signSetup(wallet, message, crypto.randomUUID()))),
    protocol('ed25519.refresh', backend, () => by(Ed25519.refreshSetup(wallet, crypto.randomUUID()))),
  ]
}

const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length))

/** What one call costs; of vectors, all their items. */
const primitives = (backend: string, arithmetic: Arithmetic): readonly Row[] => {
  const { points, scalars, transfer, extension, multiplication } = arithmetic
  const row = (name: string, times: number, work: () => void): Row => ({
    suite: 'mpc',
    case: name,
    backend,
    ...timed(runs, work, times),
  })
  const blinds = scalars.reduce(random(64 * kappa))
  const secret = blinds.subarray(0, scalarLength)
  const base = points.multiplyBase(secret) ?? secret
  const choices = random(16)
  const chosen = transfer.choose({ base, blinds, choices }) ?? { points: base, keys: base }

  const { zeroSeeds, oneSeeds, delta, seeds } = dealtSeeds(random)
  const session = random(32)
  const bits = random(68)
  const receive = () => extension.receive({ session, direction: 1, zeroSeeds, oneSeeds, choices: bits })
  const received = receive()
  const send = () => extension.send({ session, direction: 1, seeds, delta, message: received })
  const columns = send() ?? base
  const gadget = multiplication.gadget(session, 1)
  const inputs = blinds.subarray(0, 2 * scalarLength)
  const multiply = () => multiplication.send({ session, direction: 1, gadget, columns, delta, inputs, check: secret })
  const message = multiply()
  const receiver = { session, direction: 1, gadget, columns: received.columns, choices: bits, message } as const
  const edwards = arithmetic.ed25519
  const k = edwards.scalars.reduce(random(64))
  const P = edwards.points.multiplyBase(k) ?? k
  return [
    // noble's is the unit.
    ...(backend === 'noble' ? [] : [row('point.multiply', 20, () => points.multiply(secret, base))]),
    row('point.multiplyBase', 20, () => points.multiplyBase(secret)),
    row('point.decode', 20, () => points.areValid(base)),
    row('scalar.multiply', 200, () => scalars.multiply(secret, secret)),
    row('transfer.choose', 1, () => transfer.choose({ base, blinds, choices })),
    row('transfer.keys', 1, () => transfer.keys({ secret, base, points: chosen.points })),
    row('extension.receive', 2, receive),
    row('extension.send', 2, send),
    row('multiplication.gadget', 2, () => multiplication.gadget(session, 1)),
    row('multiplication.send', 2, multiply),
    row('multiplication.receive', 2, () => multiplication.receive(receiver)),
    row('ed25519.multiplyBase', 20, () => edwards.points.multiplyBase(k)),
    row('ed25519.areValid', 20, () => edwards.points.areValid(P)),
    row('ed25519.addMultiple', 20, () => edwards.points.addMultiple(P, k, P)),
    row('ed25519.holds', 20, () => edwards.points.holds({ z: k, R: P, c: k, X: P })),
    row('ed25519.multiply', 200, () => edwards.scalars.multiply(k, k)),
    row('ed25519.exchange', 20, () => edwards.exchange.shared(k, P)),
  ]
}
