/**
 * What a step leaves on the heap: the scalars whose points it made, the secrets that it drew or that the arithmetic
 * gave it, and the encodings that it hashed are overwritten when it ends, also by an abort or a ban.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Arithmetic } from '../../domain/mpc/Arithmetic.ts'
import { begin } from '../../domain/mpc/ClientRun.ts'
import { firstRequest, firstResponse } from '../../domain/mpc/dkls/sign.ts'
import { withHead, writeState } from '../../domain/mpc/dkls/Session.ts'
import type { Result } from '../../domain/mpc/Protocol.ts'
import * as Ed25519 from './ed25519.ts'
import { kernel } from './kernel.ts'
import { clientInput, find, run, seededRandom, serverInput, type Outcome, type Position, type Setup } from './run.ts'
import { enrolSetup, keygenSetup, makeWallet, refreshSetup, signSetup } from './wallet.ts'

/** The inputs of BLAKE3, all from domain/crypto/Transcript.ts, because the kernel has a hash of its own. */
const hashed = vi.hoisted((): Uint8Array[] => [])
vi.mock(import('@noble/hashes/blake3.js'), async (original) => {
  const real = await original()
  const blake3 = (message: Uint8Array, options?: Parameters<typeof real.blake3>[1]) => {
    hashed.push(message)
    return real.blake3(message, options)
  }
  return { ...real, blake3: Object.assign(blake3, real.blake3) }
})

type Seen = readonly [what: string, bytes: Uint8Array]

/** The kernel, with a list of every secret that went in or came out. */
const watched = () => {
  const seen: Seen[] = []
  const note = <Bytes extends Uint8Array | undefined>(what: string, bytes: Bytes): Bytes => {
    if (bytes !== undefined) seen.push([what, bytes])
    return bytes
  }
  const { points, transfer, extension, multiplication, ed25519 } = kernel
  const arithmetic: Arithmetic = {
    ...kernel,
    points: { ...points, multiplyBase: (scalars) => points.multiplyBase(note('scalar', scalars)) },
    transfer: {
      choose: (input) => {
        note('blinds', input.blinds)
        note('delta', input.choices)
        const chosen = transfer.choose(input)
        note('chosen', chosen?.keys)
        return chosen
      },
      keys: (input) => {
        note('base', input.secret)
        const keys = transfer.keys(input)
        note('zero', keys?.zero)
        note('one', keys?.one)
        return keys
      },
    },
    extension: {
      receive: (input) => {
        note('choices', input.choices)
        note('zero seeds', input.zeroSeeds)
        note('one seeds', input.oneSeeds)
        const made = extension.receive(input)
        note('columns', made.columns)
        return made
      },
      columns: (input) => note('columns', extension.columns(input)),
      send: (input) => {
        note('delta', input.delta)
        note('seeds', input.seeds)
        return note('columns', extension.send(input))
      },
    },
    multiplication: {
      ...multiplication,
      choice: (gadget, choices) => note('chi', multiplication.choice(gadget, note('choices', choices))),
      send: (input) => {
        note('inputs', input.inputs)
        note('check', input.check)
        const made = multiplication.send(input)
        note('outputs', made.outputs)
        return made
      },
      receive: (input) => note('outputs', multiplication.receive(input)),
    },
    ed25519: {
      ...ed25519,
      points: { ...ed25519.points, multiplyBase: (scalars) => ed25519.points.multiplyBase(note('scalar', scalars)) },
      scalars: { ...ed25519.scalars, positive: (bytes) => ed25519.scalars.positive(note('wide', bytes)) },
      exchange: {
        publicKey: (secret) => ed25519.exchange.publicKey(note('exchange', secret)),
        shared: (secret, peer) => note('shared', ed25519.exchange.shared(note('exchange', secret), peer)),
      },
    },
  }
  return { seen, arithmetic, note }
}

const isWiped = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0)
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** A step of a run once more, watched; the result is what is left of its secrets. */
const leftBy = (setup: Setup, position: Position | undefined) => {
  const { seen, arithmetic, note } = watched()
  hashed.length = 0
  const party = position?.to === 'server' ? setup.server : setup.client
  const source = seededRandom('wiping')
  // Nonces that travel, halves of the chain code and blinds of commitments have 32 bytes.
  const random = (length: number) => (length === 32 ? source(length) : note(`${length} random bytes`, source(length)))
  const answer = (() => {
    if (position === undefined) return setup.protocol.start({ ...setup.client, random, arithmetic })
    if (position.to === 'server') {
      return setup.protocol.server[position.round - 1]?.({ ...serverInput(setup, position), arithmetic })
    }
    const input = { ...setup.client, random, arithmetic, state: position.clientState, response: position.message }
    return setup.protocol.client[position.round - 1]?.(input)
  })()
  const result: Result = answer !== undefined && 'result' in answer ? answer.result : {}
  const received = text(position?.message ?? new Uint8Array(0))
  const left = seen.filter(
    ([, bytes]) =>
      !isWiped(bytes) &&
      bytes !== party.share?.secret &&
      bytes !== result.share?.secret &&
      // The z of a proof that it was sent.
      !received.includes(text(bytes)),
  )
  return { answer, count: seen.length, left: left.map(([what]) => what), read: hashed.filter((one) => !isWiped(one)) }
}

let setups: readonly (readonly [string, Setup, Outcome])[]
let signing: Setup
let signed: Outcome
beforeAll(() => {
  const wallet = makeWallet()
  const small = Ed25519.makeWallet()
  signing = signSetup(wallet, sha256(utf8ToBytes('hello')), 'sign')
  signed = run(signing)
  const played = (name: string, setup: Setup) => [name, setup, run(setup)] as const
  setups = [
    ['DKLS keygen', keygenSetup, wallet.keygen],
    played('DKLS attach', enrolSetup(wallet, 'attach')),
    played('DKLS refresh', refreshSetup(wallet, 'refresh')),
    ['DKLS sign', signing, signed],
    ['ED25519 keygen', Ed25519.keygenSetup('keygen'), small.keygen],
    played('ED25519 refresh', Ed25519.refreshSetup(small, 'refresh')),
    played('ED25519 sign', Ed25519.signSetup(small, utf8ToBytes('hello'), 'sign')),
  ]
})
beforeEach(() => {
  hashed.length = 0
})

describe('a step wipes its secrets', () => {
  it('when it answers', () => {
    let secrets = 0
    for (const [name, setup, { positions }] of setups) {
      for (const position of [undefined, ...positions]) {
        // The client does not read the last answer of a setup.
        if (position?.to === 'client' && setup.protocol.client[position.round - 1] === undefined) continue
        const { answer, count, left, read } = leftBy(setup, position)
        const at = `${name}, ${position === undefined ? 'start' : `${position.to} ${position.round}`}`
        expect([at, answer?.kind === 'abort' || answer?.kind === 'ban', left, read]).toEqual([at, false, [], []])
        secrets += count
      }
    }
    expect(secrets).toBeGreaterThan(100)
  })

  it('when it bans', () => {
    const flipped = (bytes: Uint8Array) => bytes.map((byte, index) => (index === 0 ? byte ^ 1 : byte))
    const toServer = find(signed, 'server', 1).position
    const toClient = find(signed, 'client', 1).position
    const request = firstRequest.decode(toServer.message)!
    const response = firstResponse.decode(toClient.message)!
    const wrong: readonly Position[] = [
      { ...toServer, message: firstRequest.encode({ ...request, choiceHash: flipped(request.choiceHash) }) },
      { ...toClient, message: firstResponse.encode({ ...response, choiceHash: flipped(response.choiceHash) }) },
      { ...toClient, message: firstResponse.encode({ ...response, mu: flipped(response.mu) }) },
      { ...toClient, message: firstResponse.encode({ ...response, gammaV: response.gammaU }) },
    ]
    for (const position of wrong) {
      const { answer, left } = leftBy(signing, position)
      expect([answer?.kind, left]).toEqual(['ban', []])
    }
  })

  it('when it aborts, whatever the message was', () => {
    for (const [name, setup, { positions }] of setups) {
      for (const position of positions) {
        if (position.message.length === 0) continue
        const message = position.message.map((byte, index) => (index === position.message.length - 1 ? byte ^ 1 : byte))
        const { answer, left } = leftBy(setup, { ...position, message })
        const at = `${name}, ${position.to} ${position.round}`
        expect([at, left]).toEqual([at, []])
        expect([at, answer?.kind]).not.toEqual([at, 'done'])
      }
    }
  })
})

describe('the source of a written state is overwritten', () => {
  it('on either side', () => {
    const input = serverInput(signing, find(signed, 'server', 1).position)
    const bodies = [new Uint8Array(40).fill(7), new Uint8Array(40).fill(7)] as const

    const states = [withHead('sign', 1, bodies[0]), writeState(input, 'sign', bodies[1])]

    for (const state of states) expect(state.subarray(-40)).toEqual(new Uint8Array(40).fill(7))
    expect(bodies.map(isWiped)).toEqual([true, true])
  })
})

describe("a client's run that is ended", () => {
  it('keeps neither its state nor the records that it has answered with', () => {
    const [, setup, outcome] = setups.find(([name]) => name === 'DKLS keygen')!
    const states: Uint8Array[] = []
    const start: typeof setup.protocol.start = (input) => {
      const begun = setup.protocol.start(input)
      if (begun.kind === 'request') states.push(begun.state)
      return begun
    }
    const fresh = begin({ ...setup.protocol, start }, clientInput(setup, 0))
    const late = find(outcome, 'client', 3).position
    const last = begin(
      {
        ...setup.protocol,
        start: () => ({ kind: 'request', request: new Uint8Array(0), state: late.clientState.slice() }),
        client: setup.protocol.client.slice(2),
      },
      clientInput(setup, 3),
    )
    if ('kind' in fresh || 'kind' in last) throw new Error('not begun')
    const progress = last.receive(1, late.message)
    if (progress.kind !== 'confirm') throw new Error('not confirmed')
    const { share, ot } = progress.result
    const secrets = [share?.secret ?? new Uint8Array(1), ot ?? new Uint8Array(1)]
    expect([...states, ...secrets].map(isWiped)).toEqual([false, false, false])

    fresh.end()
    last.end()

    expect([...states, ...secrets].map(isWiped)).toEqual([true, true, true])
    for (const ended of [fresh, last]) expect(ended.receive(1, late.message).kind).toBe('abort')
  })

  it('overwrites a state once a response was read with it, before it reports the outcome', () => {
    const [first, second] = [find(signed, 'client', 1).position, find(signed, 'client', 2).position]
    const read = (position: Position, message: Uint8Array, step = signing.protocol.client[position.round - 1]!) => {
      const state = position.clientState.slice()
      const start = () => ({ kind: 'request', request: new Uint8Array(0), state }) as const
      const begun = begin({ ...signing.protocol, start, client: [step] }, clientInput(signing, position.round))
      if ('kind' in begun) throw new Error('not begun')
      const receive = () => begun.receive(1, message)
      return { state, receive }
    }
    const going = read(first, first.message)
    const done = read(second, second.message)
    const aborted = read(first, new Uint8Array(1))
    const failed = read(first, first.message, () => {
      throw new Error('a fault of ours')
    })

    const runs = [going, done, aborted, failed]
    expect(runs.map(({ state }) => isWiped(state))).toEqual([false, false, false, false])

    expect([going, done, aborted].map(({ receive }) => receive().kind)).toEqual(['request', 'done', 'abort'])
    expect(failed.receive).toThrow('a fault of ours')

    expect(runs.map(({ state }) => isWiped(state))).toEqual([true, true, true, true])
  })
})
