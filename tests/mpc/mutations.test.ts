/**
 * Every field of every message, changed once in each way that its kind allows: the run ends, as the table says, with
 * an abort or a ban, and never with anything else. Blind changes do not stand for a cheater who knows the protocol;
 * those are in selectiveFailure.test.ts.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { numberToBytesBE } from '@noble/curves/utils.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { noble } from '../../domain/mpc/noble.ts'
import { arithmetics } from './kernel.ts'
import { banned, dkls as messagesOf, type Sent } from './messages.ts'
import { by, deliver, find, run, type Outcome, type Position, type Setup as Run } from './run.ts'
import { attachSetup, keygenSetup, makeWallet, refreshSetup, signSetup } from './wallet.ts'

const { Point } = secp256k1
const n = Point.Fn.ORDER
const p = Point.Fp.ORDER
const G = Point.BASE.toBytes()

type Kind = 'bytes' | 'scalars' | 'point' | 'points' | 'proof' | 'signature'
const kinds: Readonly<Record<string, Kind>> = {
  base: 'point',
  exchange: 'point',
  share: 'point',
  R: 'point',
  gammaU: 'point',
  gammaV: 'point',
  points: 'points',
  baseProof: 'proof',
  shareProof: 'proof',
  proof: 'proof',
  tau: 'scalars',
  eta: 'scalars',
  psi: 'scalars',
  w: 'scalars',
  u: 'scalars',
  signature: 'signature',
}

const flip = (bytes: Uint8Array, index: number, mask = 1) => bytes.with(index, (bytes[index] ?? 0) ^ mask)
const put = (bytes: Uint8Array, offset: number, item: Uint8Array) => {
  const out = bytes.slice()
  out.set(item, offset)
  return out
}
const item = (value: bigint) => numberToBytesBE(value, 32)
const withPrefix = (prefix: number, x: bigint) => concatBytes(new Uint8Array([prefix]), item(x))

type Variants = Readonly<Record<string, Uint8Array>>

const bytesVariants = (bytes: Uint8Array): Variants => ({
  'first bit': flip(bytes, 0),
  'last bit': flip(bytes, bytes.length - 1, 0x80),
  zero: new Uint8Array(bytes.length),
})

const scalarsVariants = (bytes: Uint8Array): Variants => {
  const last = bytes.length - 32
  return {
    'first item, one bit': flip(bytes, 31),
    'last item, one bit': flip(bytes, last + 31),
    'first item zero': put(bytes, 0, item(0n)),
    'first item order less one': put(bytes, 0, item(n - 1n)),
    'first item order': put(bytes, 0, item(n)),
    'last item order': put(bytes, last, item(n)),
    'last item above the order': put(bytes, last, item((1n << 256n) - 1n)),
    zero: new Uint8Array(bytes.length),
  }
}

const pointVariants = (bytes: Uint8Array, offset = 0): Variants => {
  const prefix = bytes[offset] ?? 0
  return {
    negated: put(bytes, offset, new Uint8Array([prefix ^ 1])),
    generator: put(bytes, offset, G),
    'one bit': flip(bytes, offset + 32),
    'off the curve': put(bytes, offset, withPrefix(2, 5n)),
    identity: put(bytes, offset, new Uint8Array(33)),
    'x is the field': put(bytes, offset, withPrefix(2, p)),
    'x above the field': put(bytes, offset, withPrefix(3, p + 1n)),
    'uncompressed prefix': put(bytes, offset, new Uint8Array([4])),
    'hybrid prefix': put(bytes, offset, new Uint8Array([6])),
  }
}

const prefixed = (name: string, variants: Variants): Variants =>
  Object.fromEntries(Object.entries(variants).map(([key, value]) => [`${name}, ${key}`, value]))

/** `base` is the point A that the vector belongs to. */
const pointsVariants = (bytes: Uint8Array, base: Uint8Array): Variants => ({
  ...prefixed('first', pointVariants(bytes)),
  'last off the curve': put(bytes, bytes.length - 33, withPrefix(2, 5n)),
  'two equal': put(bytes, 0, bytes.subarray(33, 66)),
  'all equal': concatBytes(...Array.from({ length: bytes.length / 33 }, () => bytes.subarray(0, 33))),
  'one is the base': put(bytes, 33, base),
  'two exchanged': put(put(bytes, 0, bytes.subarray(33, 66)), 33, bytes.subarray(0, 33)),
})

const proofVariants = (bytes: Uint8Array): Variants => ({
  ...prefixed('R', pointVariants(bytes)),
  'z one bit': flip(bytes, 64),
  'z zero': put(bytes, 33, item(0n)),
  'z order': put(bytes, 33, item(n)),
  'z above the order': put(bytes, 33, item((1n << 256n) - 1n)),
})

const signatureVariants = (bytes: Uint8Array): Variants => ({
  'r one bit': flip(bytes, 31),
  'r zero': put(bytes, 0, item(0n)),
  's one bit': flip(bytes, 63),
  's zero': put(bytes, 32, item(0n)),
  's order': put(bytes, 32, item(n)),
  's high': put(bytes, 32, item(n - BigInt(`0x${Buffer.from(bytes.subarray(32, 64)).toString('hex')}`))),
  's high, v turned': flip(
    put(bytes, 32, item(n - BigInt(`0x${Buffer.from(bytes.subarray(32, 64)).toString('hex')}`))),
    64,
  ),
  'v turned': flip(bytes, 64),
  'v of Ethereum': put(bytes, 64, new Uint8Array([27 + (bytes[64] ?? 0)])),
  'v two more': put(bytes, 64, new Uint8Array([2 + (bytes[64] ?? 0)])),
})

const variantsOf = (name: string, bytes: Uint8Array, base: Uint8Array): Variants => {
  const kind = kinds[name] ?? 'bytes'
  switch (kind) {
    case 'bytes':
      return bytesVariants(bytes)
    case 'scalars':
      return scalarsVariants(bytes)
    case 'point':
      return pointVariants(bytes)
    case 'points':
      return pointsVariants(bytes, base)
    case 'proof':
      return proofVariants(bytes)
    case 'signature':
      return signatureVariants(bytes)
  }
}

/** Whether a changed value still passes as one of its kind: only then can a check that bans see it. */
const isDecodable = (name: string, bytes: Uint8Array): boolean => {
  const kind = kinds[name] ?? 'bytes'
  if (kind === 'scalars') return noble.scalars.areCanonical(bytes)
  return kind === 'point' ? noble.points.areValid(bytes) : true
}

/**
 * Who notices a changed field, and by which check. Where it is not the receiver, the field means something only later, and
 * the next session id or the base OT's own checks bind it.
 */
const setupEnd = {
  'response 2': {
    response: ['client: response of the base OT'],
    challenge: ['client: opening of the base OT', 'server: response of the base OT'],
  },
  'request 3': {
    openings: ['server: opening of the base OT'],
    response: ['server: response of the base OT'],
  },
  'response 3': { openings: ['client: opening of the base OT'], proof: ['client: proof conf/S'] },
  'request 4': { proof: ['server: proof conf/C'] },
}
const clientPoints = ['server: sid3', 'client: points of the base OT', 'client: points of the base OT repeat']
const secondRequest = {
  sid3: ['server: sid3'],
  points: [
    'server: response of the base OT',
    'server: points of the base OT',
    'server: points of the base OT repeat',
  ],
  challenge: ['server: opening of the base OT', 'client: response of the base OT'],
}
const noticed: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>>> = {
  keygen: {
    'request 1': {
      sid1: ['server: sid1'],
      nonce: ['server: sid1'],
      commitment: ['client: sid2'],
      base: ['server: base is no point', 'server: proof base/C'],
      baseProof: ['server: proof base/C'],
    },
    'response 1': {
      nonce: ['client: sid2'],
      sid2: ['client: sid2'],
      share: ['client: share is no point', 'client: proof share/S'],
      shareProof: ['client: proof share/S'],
      chainCode: ['server: sid3'],
      base: ['client: base', 'client: proof base/S'],
      baseProof: ['client: proof base/S'],
      points: clientPoints,
    },
    'request 2': {
      ...secondRequest,
      share: ['server: commitment'],
      shareProof: ['server: commitment'],
      chainCode: ['server: commitment'],
      blind: ['server: commitment'],
    },
    ...setupEnd,
  },
  attach: {
    'request 1': {
      sid1: ['server: sid1'],
      nonce: ['server: sid1'],
      shareProof: ['server: proof share/C'],
      base: ['server: base is no point', 'server: proof base/C'],
      baseProof: ['server: proof base/C'],
    },
    'response 1': {
      nonce: ['client: sid2'],
      sid2: ['client: sid2'],
      shareProof: ['client: proof share/S'],
      base: ['client: base', 'client: proof base/S'],
      baseProof: ['client: proof base/S'],
      points: clientPoints,
    },
    'request 2': secondRequest,
    ...setupEnd,
  },
  refresh: {
    'request 1': {
      sid1: ['server: sid1'],
      nonce: ['server: sid1'],
      shareProof: ['server: proof share/C'],
      exchange: ['server: ephemeral key', 'client: sid2'],
      base: ['server: base is no point', 'server: proof base/C'],
      baseProof: ['server: proof base/C'],
    },
    'response 1': {
      nonce: ['client: sid2'],
      sid2: ['client: sid2'],
      shareProof: ['client: proof share/S'],
      exchange: ['client: ephemeral key', 'server: sid3'],
      base: ['client: base', 'client: proof base/S'],
      baseProof: ['client: proof base/S'],
      points: clientPoints,
    },
    'request 2': secondRequest,
    ...setupEnd,
  },
  sign: {
    'request 1': {
      sid1: ['server: sid1'],
      nonce: ['server: sid1'],
      commitment: ['client: sid2'],
      matrix: ['server: consistency of the OT extension'],
      choiceHash: ['server: consistency of the OT extension'],
      rowHashes: ['server: consistency of the OT extension'],
    },
    'response 1': {
      nonce: ['client: sid2'],
      sid2: ['client: sid2'],
      R: ['client: R is no point', 'client: gamma check'],
      matrix: ['client: consistency of the OT extension'],
      choiceHash: ['client: consistency of the OT extension'],
      rowHashes: ['client: consistency of the OT extension'],
      tau: ['client: tau', 'client: multiplication check'],
      eta: ['client: eta', 'client: multiplication check'],
      mu: ['client: multiplication check'],
      gammaU: ['client: gamma', 'client: gamma check'],
      gammaV: ['client: gamma', 'client: gamma check'],
      psi: ['client: psi', 'server: sid3'],
    },
    'request 2': {
      sid3: ['server: sid3'],
      R: ['server: R is no point', 'server: commitment'],
      blind: ['server: commitment'],
      tau: ['server: tau', 'server: multiplication check'],
      eta: ['server: eta', 'server: multiplication check'],
      mu: ['server: multiplication check'],
      gammaU: ['server: gamma', 'server: gamma check'],
      gammaV: ['server: gamma', 'server: gamma check'],
      psi: ['server: psi', 'server: final signature'],
      w: ['server: final shares', 'server: final signature'],
      u: ['server: final shares', 'server: final signature'],
    },
    'response 2': { signature: ['client: r', 'client: final signature'] },
  },
}

type Case = { readonly setup: Run; readonly outcome: Outcome; readonly messages: readonly Sent[] }
const protocols = ['keygen', 'attach', 'refresh', 'sign'] as const
type Cases = Readonly<Record<(typeof protocols)[number], Case>>
let honest: Cases

beforeAll(() => {
  const wallet = makeWallet()
  const attaching = attachSetup(wallet, 'attach')
  const refreshing = refreshSetup(wallet, 'refresh')
  const signing = signSetup(wallet, sha256(utf8ToBytes('hello')), 'sign')
  honest = {
    keygen: { setup: keygenSetup, outcome: wallet.keygen, messages: messagesOf.keygen },
    attach: { setup: attaching, outcome: run(attaching), messages: messagesOf.attach },
    refresh: { setup: refreshing, outcome: run(refreshing), messages: messagesOf.refresh },
    sign: { setup: signing, outcome: run(signing), messages: messagesOf.sign },
  }
})

/** What ends a run says nothing but its class and one of these fixed reasons. */
const reasons = new Set([
  ...Object.values(noticed).flatMap((messages) =>
    Object.values(messages).flatMap((fields) =>
      Object.values(fields).flatMap((outcomes) => outcomes.map((outcome) => outcome.replace(/^\w+: /, ''))),
    ),
  ),
  ...[1, 2, 3, 4].flatMap((round) => [`length of request ${round}`, `length of response ${round}`]),
])

const stoppedBy = (of: Case, { to, round }: Sent, message: Uint8Array) => {
  const { stopped } = deliver(of.setup, of.outcome, to, round, message)
  if (stopped === undefined) return undefined
  expect(Object.keys(stopped).sort()).toEqual(['by', 'kind', 'reason'])
  expect(reasons).toContain(stopped.reason)
  return stopped
}

/** The first of several outcomes of a point or scalar is that of decoding it. */
const possible = (outcomes: readonly string[], name: string, changed: Uint8Array): readonly string[] => {
  const isTyped = kinds[name] === 'scalars' || kinds[name] === 'point'
  if (!isTyped || outcomes.length === 1) return outcomes
  return isDecodable(name, changed) ? outcomes.slice(1) : outcomes.slice(0, 1)
}

/** A of the vector that is sent to a party: its own, which it sent before. */
const baseOf = (of: Case, to: Position['to']): Uint8Array => {
  const other = to === 'client' ? 'server' : 'client'
  const sentBy = of.messages.find((message) => message.to === other && message.round === 1)
  const bytes = find(of.outcome, other, 1).position.message
  return sentBy?.codec.decode(bytes)?.['base'] ?? G
}
const repeating = ['two equal', 'all equal', 'one is the base']

describe.each(arithmetics)('computed by %s', (_, arithmetic) => {
  describe.each(protocols)('%s', (protocol) => {
    const caseOf = (): Case => ({ ...honest[protocol], setup: by(honest[protocol].setup, arithmetic) })

    for (const message of messagesOf[protocol]) {
      it(`${message.name}: every changed field ends the run as the table says`, () => {
        const of = caseOf()
        const { position } = find(of.outcome, message.to, message.round)
        const fields = message.codec.decode(position.message)
        if (fields === undefined) throw new Error('the message is not of its table')
        const base = baseOf(of, message.to)
        const found: Record<string, string> = {}
        const expected: Record<string, string> = {}
        for (const [name, bytes] of Object.entries(fields)) {
          for (const [variant, changed] of Object.entries(variantsOf(name, bytes, base))) {
            if (Buffer.compare(changed, bytes) === 0) throw new Error(`${name}, ${variant}: nothing changed`)
            const bans = banned[message.name]?.includes(name) && isDecodable(name, changed)
            expected[`${name}: ${variant}`] = bans ? 'ban' : 'abort'
            const stopped = stoppedBy(of, message, message.codec.encode({ ...fields, [name]: changed }))
            found[`${name}: ${variant}`] = stopped?.kind ?? 'nothing'
            const outcomes = repeating.includes(variant)
              ? [`${message.to}: points of the base OT repeat`]
              : possible(noticed[protocol]?.[message.name.slice(protocol.length + 1)]?.[name] ?? [], name, changed)
            expect(outcomes, `${message.name}, ${name}, ${variant}`).toContain(`${stopped?.by}: ${stopped?.reason}`)
          }
        }
        expect(found).toEqual(expected)
      })

      it(`${message.name}: another length, or another message in its place, aborts`, () => {
        const of = caseOf()
        const genuine = find(of.outcome, message.to, message.round).position.message
        const others = of.messages
          .filter((other) => other !== message)
          .map((other) => find(of.outcome, other.to, other.round).position.message)
        const wrong = [
          genuine.subarray(0, -1),
          genuine.subarray(1),
          new Uint8Array(0),
          concatBytes(genuine, new Uint8Array(1)),
          concatBytes(genuine, genuine),
          ...others,
        ]
        for (const bytes of wrong) expect(stoppedBy(of, message, bytes)).toMatchObject({ kind: 'abort', by: message.to })
      })
    }

    it('proofs and equal fields are not exchangeable between places', () => {
      const of = caseOf()
      for (const message of of.messages) {
        const fields = message.codec.decode(find(of.outcome, message.to, message.round).position.message) ?? {}
        const names = Object.keys(fields)
        for (const [index, first] of names.entries()) {
          for (const second of names.slice(index + 1)) {
            const [a, b] = [fields[first], fields[second]]
            if (a === undefined || b === undefined || a.length !== b.length) continue
            const exchanged = message.codec.encode({ ...fields, [first]: b, [second]: a })
            expect(stoppedBy(of, message, exchanged), `${message.name} ${first} ${second}`).toBeDefined()
          }
        }
      }
    })
  })
})
