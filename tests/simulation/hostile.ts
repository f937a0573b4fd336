/**
 * A cheater with a valid device: it guesses bits of the co-signer's secrets in signatures and setups, forks its own first frame,
 * and sends again what was refused.
 */
import { p256 } from '@noble/curves/nist.js'
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'
import { Cosigner } from '../../domain/client/ports/Cosigner.ts'
import * as MpcFrame from '../../domain/mpc/Frame.ts'
import type { Guessing } from '../kit/toyProtocols.ts'
import { identity } from './cosigner.ts'
import type { Device } from './device.ts'
import type { Sim } from './Sim.ts'
import type { Swarm } from './swarm.ts'
import { enrolling, signingOnce, text } from './verbs.ts'

/**
 * Guesses one bit of the co-signer's transfers in each signature. Each cheater asks for another one, so that no two ask for the
 * same. `isOther`: the guess is the opposite of the schedule's.
 */
export const guessingBit = (sim: Sim, bit: number, isOther: boolean): Guessing => {
  const said = `${bit}:${sim.choose(2, `guess of bit ${bit}`) ^ Number(isOther)}`
  return (kind) => (kind === 'sign' ? said : undefined)
}

/** Guesses in each setup, mostly wrong, so that the day's limit is met. */
export const guessingInSetups = (sim: Sim): Guessing => {
  let bit = 0
  return (kind) => (kind === 'sign' ? undefined : `${bit++}:${Number(sim.choose(8, 'guess in a setup') === 7)}`)
}

/** The frames of a cheater's signatures. */
export type Sent = Uint8Array[]

/**
 * A signature whose first frame carries a guess; with `forks`, some first frames are followed by others of the same round.
 * `others`: the id of another device's transfers, which it names as its own.
 */
export const guessInSignature = (
  sim: Sim,
  device: Device,
  walletId: string,
  swarm: Pick<Swarm, 'forks'>,
  sent: Sent,
  others: Uint8Array | undefined,
) =>
  Effect.flatMap(Cosigner, (cosigner) => {
    const exchange: Cosigner['Service']['exchange'] = (own) => {
      const bytes = (others === undefined ? undefined : withOthersTransfers(device, own, others)) ?? own
      sent.push(bytes)
      const fork = swarm.forks && sim.choose(2, `${device.name} forks`) === 1 ? forkOf(device, bytes) : undefined
      if (fork === undefined) return cosigner.exchange(bytes)
      const late = sim.choose(3, `${device.name}: how late the fork is`) * 3_000
      const also = Effect.ignore(Effect.andThen(late === 0 ? Effect.void : Effect.sleep(late), cosigner.exchange(fork)))
      return Effect.andThen(Effect.forkDetach(also), cosigner.exchange(bytes))
    }
    return Effect.provideService(signingOnce(walletId, text('hello')), Cosigner, { ...cosigner, exchange })
  })

/** Sends everything again, in half of the cases with other bytes for its round. */
export const replay = (sim: Sim, device: Device, sent: Sent) =>
  Effect.flatMap(Cosigner, ({ exchange }) =>
    Effect.forEach(sent.slice(), (bytes) => {
      const fork = sim.choose(2, `${device.name} sends again`) === 1 ? forkOf(device, bytes) : undefined
      return Effect.ignore(exchange(fork ?? bytes))
    }),
  )

/** Another request for the first round of a signature, validly signed. */
const forkOf = (device: Device, bytes: Uint8Array): Uint8Array | undefined =>
  resigned(device, bytes, (body) => {
    const said = JSON.parse(Buffer.from(body.message).toString()) as Readonly<Record<string, string>>
    return { ...body, message: Buffer.from(JSON.stringify({ ...said, fork: 'yes' })) }
  })

const withOthersTransfers = (device: Device, bytes: Uint8Array, otId: Uint8Array): Uint8Array | undefined =>
  resigned(device, bytes, (body) => ({ ...body, otId }))

type SignBody = Parameters<typeof MpcFrame.encodeSign>[0]

/** The first frame of a signature with another body, signed by the device's key. */
const resigned = (device: Device, bytes: Uint8Array, change: (body: SignBody) => SignBody): Uint8Array | undefined => {
  const frame = MpcFrame.decode(bytes)?.frame
  const key = frame === undefined ? undefined : device.memory.keys.get(frame.sessionId)
  const body = frame?.operation === 'SIGN' && frame.step === 1 ? MpcFrame.decodeSign(frame.body) : undefined
  if (frame === undefined || key === undefined || body === undefined) return undefined
  const request = Result.getOrUndefined(body.request)
  if (request === undefined) return undefined
  const unsigned = MpcFrame.encodeUnsigned({ ...frame, body: MpcFrame.encodeSign(change({ ...body, request })) })
  const signature = p256.sign(MpcFrame.signedMessage(identity.name, unsigned), key.secret, { prehash: true })
  return MpcFrame.appendSignature(unsigned, signature)
}

/** A setup of which the co-signer hears no more after so many requests; `left` closes the page. */
export const abandoning = <A, E, R>(setup: Effect.Effect<A, E, R>, requests: number, left: () => void) =>
  Effect.flatMap(Cosigner, (cosigner) => {
    let sent = 0
    const exchange: Cosigner['Service']['exchange'] = (bytes) => {
      sent += 1
      if (sent <= requests) return cosigner.exchange(bytes)
      left()
      return Effect.never
    }
    return Effect.provideService(setup, Cosigner, { ...cosigner, exchange })
  })

/** One setup after the other: a device has one of a wallet at a time. */
export const guessInSetups = (walletId: string, count: number) =>
  Effect.repeat(Effect.ignore(enrolling(walletId)), { times: count - 1 })
