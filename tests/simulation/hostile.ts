/**
 * A cheater with a valid device: it guesses bits of the co-signer's secrets in signatures and setups, forks its own frames, and
 * sends again what was refused.
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
import { enrolling, makingWallet, refreshing, signingOnce, text } from './verbs.ts'

/**
 * Guesses one bit of the co-signer's transfers in each signature. Each cheater asks for another one, so that no two ask for the
 * same. `isOther`: the guess is the opposite of the schedule's.
 */
export const guessingBit = (sim: Sim, bit: number, isOther: boolean): Guessing => {
  const said = `${bit}:${sim.choose(2, `guess of bit ${bit}`) ^ Number(isOther)}`
  return (kind) => (kind === 'sign' ? said : undefined)
}

/**
 * Guesses in each setup, mostly wrong, so that the day's limit is met. A right guess in a key generation makes the wallet, and
 * ends the guesses about it.
 */
export const guessingInSetups = (sim: Sim): Guessing => {
  let bit = 0
  return (kind) => {
    if (kind === 'sign') return undefined
    const oneIn = kind === 'keygen' ? 64 : 8
    return `${bit++}:${Number(sim.choose(oneIn, 'guess in a setup') === oneIn - 1)}`
  }
}

/** The frames of a cheater. */
export type Sent = Uint8Array[]

/**
 * A flow whose frames the cheater keeps; with `forks`, some of them are followed by others of the same round. `changed`: what it
 * sends in place of a frame.
 */
export const forking = <A, E, R>(
  sim: Sim,
  device: Device,
  { forks }: Pick<Swarm, 'forks'>,
  sent: Sent,
  flow: Effect.Effect<A, E, R>,
  changed: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes,
) =>
  Effect.flatMap(Cosigner, (cosigner) => {
    const exchange: Cosigner['Service']['exchange'] = (own) => {
      const bytes = changed(own)
      sent.push(bytes)
      const fork = forks && sim.choose(2, `${device.name} forks`) === 1 ? forkOf(device, bytes) : undefined
      if (fork === undefined) return cosigner.exchange(bytes)
      const late = sim.choose(3, `${device.name}: how late the fork is`) * 3_000
      const also = Effect.ignore(Effect.andThen(late === 0 ? Effect.void : Effect.sleep(late), cosigner.exchange(fork)))
      return Effect.andThen(Effect.forkDetach(also), cosigner.exchange(bytes))
    }
    return Effect.provideService(flow, Cosigner, { ...cosigner, exchange })
  })

/**
 * A signature whose first frame carries a guess. `others`: the id of another device's transfers, which it names as its own.
 */
export const guessInSignature = (
  sim: Sim,
  device: Device,
  walletId: string,
  swarm: Pick<Swarm, 'forks'>,
  sent: Sent,
  others: Uint8Array | undefined,
) =>
  forking(
    sim,
    device,
    swarm,
    sent,
    signingOnce(walletId, text('hello')),
    (bytes) => (others === undefined ? undefined : withOthersTransfers(device, bytes, others)) ?? bytes,
  )

/** Sends again what it sent last, in half of the cases with other bytes for its round. */
export const replay = (sim: Sim, device: Device, sent: Sent) =>
  Effect.flatMap(Cosigner, ({ exchange }) =>
    Effect.forEach(sent.slice(-replayedAtMost), (bytes) => {
      const fork = sim.choose(2, `${device.name} sends again`) === 1 ? forkOf(device, bytes) : undefined
      return Effect.ignore(exchange(fork ?? bytes))
    }),
  )

/** More than a cheater's signatures and left setups take; its guesses in setups take many more. */
const replayedAtMost = 24

/** Another request for the round of a frame, validly signed. */
const forkOf = (device: Device, bytes: Uint8Array): Uint8Array | undefined =>
  resigned(device, bytes, (frame) => {
    const { operation, step, body, shareId } = frame
    switch (operation) {
      case 'SIGN':
        return step === 1 ? signBodyWith(body, ({ message }) => ({ message: forked(message) })) : forked(body)
      case 'KEYGEN':
        return step === 1 ? keygenBodyWith(body) : forked(body)
      case 'ATTACH':
      case 'REFRESH':
        return forked(body)
      case 'CONFIRM':
        // Whose key generation is confirmed by another request has thrown its own first key away.
        return shareId.length === 0 ? undefined : forked(body)
      default:
        return undefined
    }
  })

/** The message of a toy, and one more field. */
const forked = (message: Uint8Array): Uint8Array => {
  const said = JSON.parse(Buffer.from(message).toString()) as Readonly<Record<string, string>>
  return Buffer.from(JSON.stringify({ ...said, fork: 'yes' }))
}

const withOthersTransfers = (device: Device, bytes: Uint8Array, otId: Uint8Array): Uint8Array | undefined =>
  resigned(device, bytes, ({ operation, step, body }) =>
    operation === 'SIGN' && step === 1 ? signBodyWith(body, () => ({ otId })) : undefined,
  )

const signBodyWith = (bytes: Uint8Array, change: (body: MpcFrame.ReceivedSignBody) => Partial<MpcFrame.SignBody>) => {
  const body = MpcFrame.decodeSign(bytes)
  const request = body === undefined ? undefined : Result.getOrUndefined(body.request)
  if (body === undefined || request === undefined) return undefined
  return MpcFrame.encodeSign({ ...body, request, ...change(body) })
}

const keygenBodyWith = (bytes: Uint8Array) => {
  const body = MpcFrame.decodeKeygen(bytes)
  return body === undefined ? undefined : MpcFrame.encodeKeygen({ ...body, message: forked(body.message) })
}

/** The frame with another body, signed by the device's key. */
const resigned = (
  device: Device,
  bytes: Uint8Array,
  change: (frame: MpcFrame.Frame) => Uint8Array | undefined,
): Uint8Array | undefined => {
  const frame = MpcFrame.decode(bytes)?.frame
  const key = frame === undefined ? undefined : device.memory.keys.get(frame.sessionId)
  const body = frame === undefined ? undefined : change(frame)
  if (frame === undefined || key === undefined || body === undefined) return undefined
  const unsigned = MpcFrame.encodeUnsigned({ ...frame, body })
  const signature = p256.sign(MpcFrame.signedMessage(identity.name, unsigned), key.secret, { prehash: true })
  return MpcFrame.appendSignature(unsigned, signature)
}

/** A setup of the wallet, or of one that the user gets by it. */
export const setups = (walletId: string) => [enrolling(walletId), refreshing(walletId), makingWallet('COSMOS')] as const

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

/** One setup after the other: a device has one of a wallet at a time. Of one kind, or of the first two. */
export const guessInSetups = (sim: Sim, walletId: string, count: number) => {
  const [attach, refresh, keygen] = setups(walletId)
  const which = sim.choose(4, 'in which setups is guessed')
  const one = Effect.suspend(
    (): Effect.Effect<unknown, unknown, Effect.Services<typeof attach | typeof refresh | typeof keygen>> => {
      const kind = which === 3 ? sim.choose(2, 'in which of both setups is guessed') : which
      return kind === 0 ? attach : kind === 1 ? refresh : keygen
    },
  )
  return Effect.repeat(Effect.ignore(one), { times: count - 1 })
}
