/**
 * Every field of every message, changed once in each way that its kind allows: the run ends as the tables of
 * messages.ts say, with an abort or a ban, in that step and by that check, and never with anything else. Blind changes
 * do not represent a cheater who knows the protocol; those are in selectiveFailure.test.ts.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToNumberBE, numberToBytesBE } from '@noble/curves/utils.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { describe, expect, it } from 'vitest'
import * as Ed25519 from './ed25519.ts'
import { kernel, usualArithmetics } from './kernel.ts'
import * as Messages from './messages.ts'
import { by, deliver, find, run, type Outcome, type Setup } from './run.ts'
import { enrolSetup, keygenSetup, makeWallet, refreshSetup, signSetup } from './wallet.ts'

const { Point } = secp256k1
const n = Point.Fn.ORDER
const p = Point.Fp.ORDER
const G = Point.BASE.toBytes()

const flip = (bytes: Uint8Array, index: number, mask = 1) => bytes.with(index, (bytes[index] ?? 0) ^ mask)
const put = (bytes: Uint8Array, offset: number, item: Uint8Array) => {
  const out = bytes.slice()
  out.set(item, offset)
  return out
}
const item = (value: bigint) => numberToBytesBE(value, 32)
const withPrefix = (prefix: number, x: bigint) => concatBytes(new Uint8Array([prefix]), item(x))

type Variants = Readonly<Record<string, Uint8Array>>

const prefixed = (name: string, variants: Variants): Variants =>
  Object.fromEntries(Object.entries(variants).map(([key, value]) => [`${name}, ${key}`, value]))

/** Items of 32 bytes changed at both ends of a vector, and on both sides of its middle. */
const inItems = (bytes: Uint8Array, variants: (bytes: Uint8Array, offset: number) => Variants): Variants => {
  const count = bytes.length / 32
  const places = new Set([0, Math.max(0, (count >> 1) - 1), count >> 1, count - 1])
  const all = [...places].map((index) => prefixed(`item ${index}`, variants(bytes, 32 * index)))
  return Object.fromEntries(all.flatMap((changed) => Object.entries(changed)))
}

const bytesVariants = (bytes: Uint8Array): Variants => ({
  'first bit': flip(bytes, 0),
  'middle bit': flip(bytes, bytes.length >> 1, 8),
  'last bit': flip(bytes, bytes.length - 1, 0x80),
  zero: new Uint8Array(bytes.length),
})

const hashesVariants = (bytes: Uint8Array): Variants => ({
  ...inItems(bytes, (_, at) => ({ 'one bit': flip(bytes, at), zero: put(bytes, at, item(0n)) })),
  zero: new Uint8Array(bytes.length),
})

const scalarVariants = (bytes: Uint8Array, offset = 0): Variants => ({
  'one bit': flip(bytes, offset + 31),
  zero: put(bytes, offset, item(0n)),
  'order less one': put(bytes, offset, item(n - 1n)),
  order: put(bytes, offset, item(n)),
  'above the order': put(bytes, offset, item((1n << 256n) - 1n)),
  negated: put(bytes, offset, item(n - bytesToNumberBE(bytes.subarray(offset, offset + 32)))),
})

const scalarsVariants = (bytes: Uint8Array): Variants => ({
  ...inItems(bytes, scalarVariants),
  ...(bytes.length > 32 ? { zero: new Uint8Array(bytes.length) } : {}),
})

const pointVariants = (bytes: Uint8Array, offset = 0): Variants => ({
  negated: flip(bytes, offset),
  generator: put(bytes, offset, G),
  'one bit': flip(bytes, offset + 32),
  'off the curve': put(bytes, offset, withPrefix(2, 5n)),
  identity: put(bytes, offset, new Uint8Array(33)),
  'x is the field': put(bytes, offset, withPrefix(2, p)),
  'x above the field': put(bytes, offset, withPrefix(3, p + 1n)),
  'uncompressed prefix': put(bytes, offset, new Uint8Array([4])),
  'hybrid prefix': put(bytes, offset, new Uint8Array([6])),
})

/** Valid points, some of them twice, or A. */
const repeatedVariants = (bytes: Uint8Array, base: Uint8Array): Variants => ({
  'two equal': put(bytes, 0, bytes.subarray(33, 66)),
  'last two equal': put(bytes, bytes.length - 33, bytes.subarray(bytes.length - 66, bytes.length - 33)),
  'all equal': concatBytes(...Array.from({ length: bytes.length / 33 }, () => bytes.subarray(0, 33))),
  'one is the base': put(bytes, 33, base),
  'last is the base': put(bytes, bytes.length - 33, base),
})

/** One value for every reason to be refused, and one that is a point. */
const anyPoint = (bytes: Uint8Array, offset: number): Variants => {
  const { negated, identity, 'x is the field': field, 'uncompressed prefix': prefix } = pointVariants(bytes, offset)
  if (!negated || !identity || !field || !prefix) throw new Error('no such variant')
  return { negated, identity, field, prefix }
}

const pointsVariants = (bytes: Uint8Array): Variants => ({
  ...prefixed('first', pointVariants(bytes)),
  ...prefixed('middle', anyPoint(bytes, 33 * 64)),
  ...prefixed('last', anyPoint(bytes, bytes.length - 33)),
  'two exchanged': put(put(bytes, 0, bytes.subarray(33, 66)), 33, bytes.subarray(0, 33)),
})

const proofVariants = (bytes: Uint8Array): Variants => ({
  ...prefixed('R', pointVariants(bytes)),
  ...prefixed('z', scalarVariants(bytes, 33)),
})

const signatureVariants = (bytes: Uint8Array): Variants => ({
  ...prefixed('r', scalarVariants(bytes)),
  ...prefixed('s', scalarVariants(bytes, 32)),
  's negated, v turned': flip(scalarVariants(bytes, 32)['negated'] ?? bytes, 64),
  'v turned': flip(bytes, 64),
  'v of Ethereum': put(bytes, 64, new Uint8Array([27 + (bytes[64] ?? 0)])),
  'v two more': put(bytes, 64, new Uint8Array([2 + (bytes[64] ?? 0)])),
})

const variantsOf = (kind: Messages.Kind | undefined, bytes: Uint8Array): Variants => {
  switch (kind) {
    case 'scalars':
      return scalarsVariants(bytes)
    case 'point':
      return pointVariants(bytes)
    case 'points':
      return pointsVariants(bytes)
    case 'hashes':
      return hashesVariants(bytes)
    case 'proof':
      return proofVariants(bytes)
    case 'signature':
      return signatureVariants(bytes)
    default:
      return bytesVariants(bytes)
  }
}

const message = utf8ToBytes('hello')
const wallet = makeWallet()
const edWallet = Ed25519.makeWallet()

type Case = {
  readonly setup: Setup
  readonly messages: readonly Messages.Sent[]
  readonly variants: typeof variantsOf
}
const edVariants: typeof variantsOf = (_, bytes) => Ed25519.variants(bytes)
const { dkls, ed25519 } = Messages
const cases: Readonly<Record<string, Case>> = {
  'DKLS keygen': { setup: keygenSetup, messages: dkls.keygen, variants: variantsOf },
  'DKLS attach': { setup: enrolSetup(wallet, 'attach'), messages: dkls.attach, variants: variantsOf },
  'DKLS refresh': { setup: refreshSetup(wallet, 'refresh'), messages: dkls.refresh, variants: variantsOf },
  'DKLS sign': { setup: signSetup(wallet, sha256(message), 'sign'), messages: dkls.sign, variants: variantsOf },
  'ED25519 keygen': { setup: Ed25519.keygenSetup('keygen'), messages: ed25519.keygen, variants: edVariants },
  'ED25519 refresh': {
    setup: Ed25519.refreshSetup(edWallet, 'refresh'),
    messages: ed25519.refresh,
    variants: edVariants,
  },
  'ED25519 sign': {
    setup: Ed25519.signSetup(edWallet, message, 'sign'),
    messages: ed25519.sign,
    variants: edVariants,
  },
}

const fieldsOf = (of: Outcome, { to, round, codec }: Messages.Sent): Variants => {
  const fields = codec.decode(find(of, to, round).position.message)
  if (fields === undefined) throw new Error('the message is not of its table')
  return fields
}

/** A of the vector that is sent to a party: its own, which it sent before. */
const baseOf = (of: Outcome, messages: readonly Messages.Sent[], to: Messages.Sent['to']): Uint8Array => {
  const sentBy = messages.find((one) => one.to !== to && one.round === 1)
  return (sentBy && fieldsOf(of, sentBy)['base']) ?? G
}

/** Checks come in this order: context and form, what bans, and the signature. domain/mpc/README.md#aborts-and-bans */
const orderOf = (end: string, { to, round }: Messages.Sent): number => {
  if (!end.includes(`by ${to} ${round}:`)) return 3
  return end.includes('final signature') ? 2 : end.startsWith('ban') ? 1 : 0
}

describe.each(Object.entries(cases))('%s', (protocol, { setup: either, messages, variants }) => {
  // The same bytes by either arithmetic.
  const honest = run(by(either, kernel))

  describe.each(usualArithmetics)('by %s', (computer, arithmetic) => {
    const setup = by(either, arithmetic)
    /** Noble is slow: what the same code compares for both arithmetics is tried in fewer ways. */
    const isSlow = computer === 'noble' && protocol.startsWith('DKLS')
    const endWith = ({ to, round, codec }: Messages.Sent, fields: Variants): string =>
      Messages.endOf(deliver(setup, honest, to, round, codec.encode(fields)))

    it.each(messages)('$name: every changed field ends the run as the table says', (sent) => {
      const fields = fieldsOf(honest, sent)
      for (const [name, bytes] of Object.entries(fields)) {
        const kind = sent.kinds[name]
        const expectEnd = (all: Variants, ends: (changed: Uint8Array) => readonly string[]) => {
          for (const [variant, changed] of Object.entries(all)) {
            if (Buffer.compare(changed, bytes) === 0) throw new Error(`${name}, ${variant}: nothing changed`)
            const end = endWith(sent, { ...fields, [name]: changed })
            expect(ends(changed), `${name}, ${variant}`).toContain(end)
          }
        }
        const all = isSlow && kind === 'hashes' ? bytesVariants(bytes) : variants(kind, bytes)
        expectEnd(all, (changed) => Messages.endsOf(sent, name, changed))
        if (kind !== 'points') continue
        const repeat = `abort by ${sent.to} ${sent.round}: points of the base OT repeat`
        expectEnd(repeatedVariants(bytes, baseOf(honest, messages, sent.to)), () => [repeat])
      }
    })

    it.each(messages)('$name: another length, or another message in its place, aborts', (sent) => {
      const genuine = find(honest, sent.to, sent.round).position.message
      const wrong = [
        genuine.subarray(0, -1),
        genuine.subarray(1),
        new Uint8Array(0),
        concatBytes(genuine, new Uint8Array(1)),
        concatBytes(genuine, genuine),
        ...messages.filter((other) => other !== sent).map(({ to, round }) => find(honest, to, round).position.message),
      ]
      for (const bytes of wrong) {
        const { stopped, positions } = deliver(setup, honest, sent.to, sent.round, bytes)
        expect(stopped).toEqual({ kind: 'abort', by: sent.to, reason: expect.stringMatching(/^length of |^sid[12]$/) })
        expect(positions.at(-1)).toMatchObject({ to: sent.to, round: sent.round })
      }
    })

    it.each(messages)('$name: no field stands for another of its length, of this message or any other', (sent) => {
      const fields = fieldsOf(honest, sent)
      const all = messages.flatMap((other) =>
        Object.entries(fieldsOf(honest, other)).map(([name, bytes]) => ({ name, bytes, of: other })),
      )
      for (const [name, bytes] of Object.entries(fields)) {
        if (isSlow && sent.kinds[name] !== 'proof') continue
        for (const other of all) {
          if (other.name === name || other.bytes.length !== bytes.length) continue
          const taken = endWith(sent, { ...fields, [name]: other.bytes })
          const ends = Messages.endsOf(sent, name, other.bytes)
          expect(ends, `${name} from ${other.name} of ${other.of.name}`).toContain(taken)
          if (other.of !== sent) continue
          const both = [...ends, ...Messages.endsOf(sent, other.name, bytes)]
          const first = Math.min(...both.map((end) => orderOf(end, sent)))
          const exchanged = endWith(sent, { ...fields, [name]: other.bytes, [other.name]: bytes })
          expect(
            both.filter((end) => orderOf(end, sent) === first),
            `${name} and ${other.name}`,
          ).toContain(exchanged)
        }
      }
    })
  })
})
