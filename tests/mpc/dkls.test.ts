import { createPublicKey, verify } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToNumberBE, numberToBytesBE } from '@noble/curves/utils.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64urlnopad } from '@scure/base'
import { publicKeyToAddress } from 'viem/utils'
import { recoverAddress } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { begin } from '../../domain/mpc/ClientRun.ts'
import { noble } from '../../domain/mpc/noble.ts'
import * as OtRecord from '../../domain/mpc/dkls/OtRecord.ts'
import { kappa } from '../../domain/mpc/dkls/Parameters.ts'
import { shareIdOf, type Context } from '../../domain/mpc/Protocol.ts'
import { bit } from './dealtSeeds.ts'
import { clientInput, deliver, find, run, serverInput, serverStep, type Outcome, type Setup } from './run.ts'
import { enrolSetup, keygenSetup, makeWallet, signSetup, type Wallet } from './wallet.ts'

const { Point } = secp256k1
const n = Point.Fn.ORDER
const digestOf = (text: string) => sha256(utf8ToBytes(text))

let wallet: Wallet
let enrolled: Outcome
let signed: Outcome
let signing: Setup
let enrolling: Setup

beforeAll(() => {
  wallet = makeWallet()
  enrolling = enrolSetup(wallet, 'attach')
  enrolled = run(enrolling)
  signing = signSetup(wallet, digestOf('hello'), 'sign')
  signed = run(signing)
})

const recordOf = (ot: Uint8Array | undefined) => {
  const record = ot && OtRecord.decode(ot)
  if (!record) throw new Error('no OT record')
  return record
}

/** Each side's bits choose among the other side's seeds. */
const expectMatching = (holder: OtRecord.OtRecord, receiver: OtRecord.OtRecord) => {
  const at = (seeds: Uint8Array, i: number) => seeds.subarray(32 * i, 32 * i + 32)
  for (let i = 0; i < kappa; i++) {
    const { zeroSeeds, oneSeeds } = receiver
    const [chosen, other] = bit(holder.delta, i) ? [oneSeeds, zeroSeeds] : [zeroSeeds, oneSeeds]
    expect(at(holder.chosenSeeds, i)).toEqual(at(chosen, i))
    expect(at(holder.chosenSeeds, i)).not.toEqual(at(other, i))
  }
}

describe('keygen', () => {
  it('leaves two halves of one key, the same names on both sides, and the root key pinned in both', () => {
    const { client, server } = { client: wallet.client.share, server: wallet.server.share }
    const secret = (bytesToNumberBE(client.secret) + bytesToNumberBE(server.secret)) % n
    expect(Point.BASE.multiply(secret).toBytes()).toEqual(client.publicKey)
    expect(Point.BASE.multiply(bytesToNumberBE(client.secret)).toBytes()).toEqual(client.clientPublic)
    expect(Point.BASE.multiply(bytesToNumberBE(server.secret)).toBytes()).toEqual(client.serverPublic)
    expect({ ...client, secret: 0, role: 0 }).toEqual({ ...server, secret: 0, role: 0 })
    expect([client.role, server.role]).toEqual(['USER', 'PROVIDER'])
    const { attempt, rootPublicKey } = keygenSetup.client.context
    expect(client.shareId).toEqual(shareIdOf(attempt, client.clientPublic, client.serverPublic, client.publicKey))
    expect(client.rootPublicKey).toEqual(rootPublicKey)
  })

  it("leaves OT records that match: each side's bits choose among the other side's seeds", () => {
    const client = recordOf(wallet.client.ot)
    const server = recordOf(wallet.server.ot)
    expect(client.otId).toEqual(server.otId)
    expect(client.transcript).toEqual(server.transcript)
    expectMatching(client, server)
    expectMatching(server, client)
    expect(client.delta).not.toEqual(server.delta)
  })

  it('refuses a client that commits to a share which it cannot prove', () => {
    let multiplications = 0
    const arithmetic = {
      ...noble,
      scalars: {
        ...noble.scalars,
        /** The first product of a client is c·x of the proof of its share. */
        multiply: (a: Uint8Array, b: Uint8Array) => noble.scalars.multiply(a, multiplications++ === 0 ? a : b),
      },
    }
    const { stopped } = run({ ...keygenSetup, client: { ...keygenSetup.client, arithmetic } })
    expect(stopped).toEqual({ kind: 'abort', by: 'server', reason: 'proof share/C' })
  })

  it('is finished by the confirming call only', () => {
    const answers = wallet.keygen.positions
      .filter((position) => position.to === 'server')
      .map((position) => serverStep(keygenSetup, position))
    expect(answers.map((answer) => answer.kind)).toEqual(['answer', 'answer', 'answer', 'done'])
    for (const answer of answers.slice(0, 3)) expect(answer).not.toHaveProperty('result')
  })

  it('pins no root key where there is none', () => {
    const rootPublicKey = new Uint8Array(0)
    const context = { ...keygenSetup.client.context, rootPublicKey }
    const made = run({ ...keygenSetup, client: { context }, server: { context }, seed: 'without root' })
    expect(made.client?.share?.rootPublicKey).toEqual(rootPublicKey)
    expect(made.server?.share?.rootPublicKey).toEqual(rootPublicKey)
    const bad = { ...keygenSetup.client.context, rootPublicKey: new Uint8Array(31) }
    expect(run({ ...keygenSetup, client: { context: bad } }).stopped).toMatchObject({ kind: 'abort', by: 'client' })
  })
})

describe('a signature', () => {
  it('is low in s and valid for noble, OpenSSL and viem, every time', async () => {
    const { publicKey } = wallet.client.share
    const uncompressed = Point.fromBytes(publicKey).toBytes(false)
    const key = createPublicKey({
      format: 'jwk',
      key: {
        kty: 'EC',
        crv: 'secp256k1',
        x: base64urlnopad.encode(uncompressed.subarray(1, 33)),
        y: base64urlnopad.encode(uncompressed.subarray(33)),
      },
    })
    const address = publicKeyToAddress(`0x${bytesToHex(uncompressed)}`)
    const seen = new Set<string>()
    const recoveryBits = new Set<number>()
    for (let index = 0; index < 12; index++) {
      const message = utf8ToBytes(`message ${index}`)
      const { client, server, stopped } = run(signSetup(wallet, sha256(message), `signature ${index}`))
      expect(stopped).toBeUndefined()
      const signature = client?.signature ?? new Uint8Array(0)
      expect(signature).toEqual(server?.signature)
      const compact = signature.subarray(0, 64)
      expect(secp256k1.verify(compact, sha256(message), publicKey, { prehash: false, lowS: true })).toBe(true)
      expect(verify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, compact)).toBe(true)
      const hex = bytesToHex(compact)
      const recovered = await recoverAddress({
        hash: `0x${bytesToHex(sha256(message))}`,
        signature: { r: `0x${hex.slice(0, 64)}`, s: `0x${hex.slice(64)}`, yParity: signature[64] ?? 9 },
      })
      expect(recovered).toBe(address)
      expect(bytesToNumberBE(compact.subarray(32)) <= n >> 1n).toBe(true)
      seen.add(hex.slice(0, 64))
      recoveryBits.add(signature[64] ?? 9)
    }
    expect(seen.size).toBe(12)
    expect(recoveryBits).toEqual(new Set([0, 1]))
  })

  it('of a digest above the order is that of the digest modulo the order; 0 is refused', () => {
    const above = numberToBytesBE(n + 1n, 32)
    const signature = run(signSetup(wallet, above, 'above')).client?.signature ?? new Uint8Array(0)
    const options = { prehash: false, lowS: true }
    expect(secp256k1.verify(signature.subarray(0, 64), above, wallet.client.share.publicKey, options)).toBe(true)
    for (const zero of [new Uint8Array(32), numberToBytesBE(n, 32)]) {
      expect(run(signSetup(wallet, zero, 'zero')).stopped).toMatchObject({ kind: 'abort', by: 'client' })
    }
  })
})

describe('attach', () => {
  it('does not change the key, and gives an OT record of its own that signs', () => {
    expect(enrolled.stopped).toBeUndefined()
    expect(enrolled.client?.share).toBeUndefined()
    expect(enrolled.server?.share).toBeUndefined()
    const client = recordOf(enrolled.client?.ot)
    const server = recordOf(enrolled.server?.ot)
    expectMatching(client, server)
    expectMatching(server, client)
    expect(client.otId).toEqual(server.otId)
    expect(client.otId).not.toEqual(recordOf(wallet.client.ot).otId)

    const setup = signSetup(wallet, digestOf('attached'), 'attached', { otId: client.otId })
    const withOt = (ot: Uint8Array | undefined, party: Setup['client']) => ({ ...party, ot: ot ?? new Uint8Array(0) })
    const outcome = run({
      ...setup,
      client: withOt(enrolled.client?.ot, setup.client),
      server: withOt(enrolled.server?.ot, setup.server),
    })
    expect(outcome.client?.signature).toHaveLength(65)
    expect(outcome.client?.signature).toEqual(outcome.server?.signature)
  })
})

describe('the server', () => {
  it('gives the same bytes for the same request in every round of every protocol', () => {
    for (const [setup, outcome] of [
      [keygenSetup, wallet.keygen],
      [enrolling, enrolled],
      [signing, signed],
    ] as const) {
      const requests = outcome.positions.filter((position) => position.to === 'server')
      expect(requests).toHaveLength(setup.protocol.server.length)
      for (const position of requests) {
        const again = serverStep(setup, position)
        expect(again.kind === 'answer' || again.kind === 'done' ? again.response : undefined).toEqual(
          find(outcome, 'client', position.round).position.message,
        )
        expect(serverStep(setup, position)).toEqual(again)
      }
    }
  })

  it('takes no state of another step, protocol, fork or version, and no wrong list of requests', () => {
    const { position } = find(signed, 'server', 2)
    const input = serverInput(signing, position)
    const step = signing.protocol.server[1]
    expect(step?.(input).kind).toBe('done')
    const keygenState = find(wallet.keygen, 'server', 2).position.serverState
    const hashes = input.requestHashes
    const other = digestOf('another request')
    const wrong = [
      { ...input, state: keygenState },
      { ...input, state: new Uint8Array(0) },
      { ...input, state: input.state.subarray(1) },
      { ...input, state: concatBytes(input.state, new Uint8Array(1)) },
      { ...input, state: input.state.with(3, 0x32) },
      { ...input, requestHashes: hashes.slice(1) },
      { ...input, requestHashes: [...hashes, other] },
      { ...input, requestHashes: [other, ...hashes.slice(1)] },
      { ...input, requestHashes: [...hashes.slice(0, 1), other] },
      { ...input, seed: input.seed.subarray(1) },
    ]
    for (const changed of wrong) expect(step?.(changed).kind).toBe('abort')

    const first = serverInput(signing, find(signed, 'server', 1).position)
    const firstStep = signing.protocol.server[0]
    expect(firstStep?.(first).kind).toBe('answer')
    for (const more of [[...first.requestHashes, other], [other, ...first.requestHashes], []]) {
      expect(firstStep?.({ ...first, requestHashes: more }).kind).toBe('abort')
    }
  })
})

const anotherWallet = 'ffffffff-bbbb-4ccc-8ddd-eeeeeeeeeeee'
const otherBytes = (length: number) => digestOf('other').subarray(0, length)
const differences: Partial<Context>[] = [
  { protocolId: 'ffffffff-2222-4333-8444-555555555555' },
  { userId: 'ffffffff-8888-4777-8666-555555555555' },
  { partnerId: 'ffffffff-1234-4123-8123-123456789abc' },
  { deviceKeyThumb: otherBytes(32) },
  { attempt: otherBytes(16) },
  { rootPublicKey: otherBytes(32) },
]

describe('two sides that differ in their context abort and never ban', () => {
  const expectAbort = (setup: Setup, changes: Partial<Context>, reason: string) => {
    const server = { ...setup.server, context: { ...setup.server.context, ...changes } }
    expect(run({ ...setup, server }).stopped).toEqual({ kind: 'abort', by: 'server', reason })
  }

  it('in signing, digest and class included', () => {
    const own: Partial<Context>[] = [
      { payload: { message: digestOf('another digest'), class: 'eip191' } },
      { payload: { message: digestOf('hello'), class: 'blind' } },
    ]
    for (const changes of [...differences, ...own]) expectAbort(signing, changes, 'sid1')
  })

  it('in keygen and attach', () => {
    for (const changes of [...differences, { epoch: 2 }]) expectAbort(keygenSetup, changes, 'sid1')
    for (const changes of differences) expectAbort(enrolling, changes, 'sid1')
  })

  it('when a later step runs under another context than the first', () => {
    for (const [setup, outcome] of [
      [keygenSetup, wallet.keygen],
      [enrolling, enrolled],
      [signing, signed],
    ] as const) {
      const changes: Partial<Context> = { partnerId: 'ffffffff-1234-4123-8123-123456789abc' }
      const server = { ...setup.server, context: { ...setup.server.context, ...changes } }
      const client = { ...setup.client, context: { ...setup.client.context, ...changes } }
      for (const position of outcome.positions.filter(({ to, round }) => to === 'server' && round > 1)) {
        const answer = serverStep({ ...setup, server }, position)
        expect(answer).toEqual({ kind: 'abort', reason: 'context changed within the run' })
      }
      for (const position of outcome.positions.filter(({ to, round }) => to === 'client' && round < 3)) {
        if (setup === signing && position.round === 2) continue
        const stopped = deliver({ ...setup, client }, outcome, 'client', position.round, position.message).stopped
        expect(stopped).toEqual({ kind: 'abort', by: 'client', reason: 'context changed within the run' })
      }
    }
  })

  it('when the run is of another kind or scheme', () => {
    expectAbort(signing, { kind: 'attach' }, 'context is of another protocol')
    expectAbort(signing, { scheme: 'ED25519' }, 'context is of another protocol')
    expectAbort(keygenSetup, { kind: 'attach' }, 'context is of another protocol')
    expectAbort(enrolling, { kind: 'keygen' }, 'context is of another protocol')
  })
})

describe('frames of another run abort', () => {
  it('when a request or response of one signing is put into another', () => {
    const other = signSetup(wallet, digestOf('hello'), 'another run')
    const otherRun = run(other)
    for (const [to, round, reason] of [
      ['client', 1, 'sid2'],
      ['server', 2, 'sid3'],
      ['client', 2, 'r'],
    ] as const) {
      const { message } = find(otherRun, to, round).position
      const { stopped } = deliver(signing, signed, to, round, message)
      expect(stopped).toEqual({ kind: 'abort', by: to, reason })
    }
  })

  it('when a message of one keygen is put into another', () => {
    const { positions } = run({ ...keygenSetup, seed: 'another keygen' })
    for (const { to, round, message } of positions.slice(1, -1)) {
      expect(deliver(keygenSetup, wallet.keygen, to, round, message).stopped).toMatchObject({ kind: 'abort', by: to })
    }
  })
})

describe('own records are checked before the first message', () => {
  const changedRecord = (ot: Uint8Array, change: (record: OtRecord.OtRecord) => Partial<OtRecord.OtRecord>) => {
    const record = recordOf(ot)
    const changed = { ...record, ...change(record) }
    return OtRecord.encode({ ...changed, otId: OtRecord.otIdOf(changed) })
  }
  const stoppedWith = (party: 'client' | 'server', change: Partial<Setup['client']>) =>
    run({ ...signing, [party]: { ...signing[party], ...change } }).stopped

  it('an OT record of another wallet, epoch, sharing, role or id is refused', () => {
    for (const party of ['client', 'server'] as const) {
      const ot = wallet[party].ot
      const wrong: [Uint8Array, string][] = [
        [changedRecord(ot, () => ({ walletId: anotherWallet })), 'OT record of another wallet'],
        [changedRecord(ot, () => ({ epoch: 2 })), 'OT record of another sharing'],
        [changedRecord(ot, () => ({ shareId: otherBytes(32) })), 'OT record of another sharing'],
        [changedRecord(ot, () => ({ transcript: otherBytes(32) })), 'another OT record'],
        [wallet[party === 'client' ? 'server' : 'client'].ot, 'OT record of the other role'],
        [enrolled[party]?.ot ?? ot, 'another OT record'],
        [ot.with(0, 0), 'OT record is damaged'],
        [ot.with(4, 2), 'OT record is damaged'],
        [ot.with(60, (ot[60] ?? 0) ^ 1), 'OT record is damaged'],
        [ot.subarray(1), 'OT record is damaged'],
        [new Uint8Array(0), 'OT record is damaged'],
      ]
      for (const [changed, reason] of wrong) {
        expect(stoppedWith(party, { ot: changed })).toEqual({ kind: 'abort', by: party, reason })
      }
    }
  })

  it('a share of another wallet, epoch, sharing, scheme or role, or a damaged one, is refused', () => {
    for (const party of ['client', 'server'] as const) {
      const share = wallet[party].share
      const G = Point.BASE.toBytes()
      const wrong: [Partial<typeof share>, string][] = [
        [{ walletId: anotherWallet }, 'share of another wallet or epoch'],
        [{ epoch: 2 }, 'share of another wallet or epoch'],
        [{ shareId: otherBytes(32) }, 'share of another sharing'],
        [{ scheme: 'ED25519' }, 'share of another scheme or role'],
        [{ role: party === 'client' ? 'PROVIDER' : 'USER' }, 'share of another scheme or role'],
        [{ secret: otherBytes(32) }, 'share is damaged'],
        [{ secret: new Uint8Array(32) }, 'share is no scalar'],
        [{ clientPublic: G }, 'share is damaged'],
        [{ serverPublic: G }, 'share is damaged'],
        [{ publicKey: G }, 'share is damaged'],
      ]
      for (const [changes, reason] of wrong) {
        const stopped = stoppedWith(party, { share: { ...share, ...changes } })
        expect(stopped).toEqual({ kind: 'abort', by: party, reason })
        const enrolParty = { ...enrolling[party], share: { ...share, ...changes } }
        expect(run({ ...enrolling, [party]: enrolParty }).stopped).toEqual({ kind: 'abort', by: party, reason })
      }
    }
  })
})

describe("a client's secrets of a round serve one response", () => {
  const begun = () => {
    const made = begin(signing.protocol, clientInput(signing, 0))
    if ('kind' in made) throw new Error('the run does not begin')
    return made
  }
  const response1 = () => find(signed, 'client', 1).position.message
  const response2 = () => find(signed, 'client', 2).position.message

  it('the same response again gives the same request', () => {
    const client = begun()
    const first = client.receive(1, response1())
    expect(first.kind).toBe('request')
    expect(client.receive(1, response1().slice())).toBe(first)
    expect(client.receive(1, response1().slice())).toBe(first)
  })

  it('a second, different response ends the run, and the genuine one comes too late', () => {
    const client = begun()
    expect(client.receive(1, response1()).kind).toBe('request')
    expect(client.receive(1, response1().with(0, 1)).kind).toBe('abort')
    expect(client.receive(1, response1()).kind).toBe('abort')
    expect(client.receive(2, response2()).kind).toBe('abort')
  })

  it('a failed response uses them up as well', () => {
    const client = begun()
    const bad = response1().with(70, (response1()[70] ?? 0) ^ 0x40)
    expect(['abort', 'ban']).toContain(client.receive(1, bad).kind)
    expect(client.receive(1, response1())).toEqual({
      kind: 'abort',
      reason: 'another response to an answered request',
    })
  })

  it('a response on which the arithmetic fails uses them up as well', () => {
    let failures = 0
    const receive: typeof noble.multiplication.receive = (input) => {
      if (failures++ === 0) throw new Error('out of memory')
      return noble.multiplication.receive(input)
    }
    const arithmetic = { ...noble, multiplication: { ...noble.multiplication, receive } }
    const client = begin(signing.protocol, { ...clientInput(signing, 0), arithmetic })
    if ('kind' in client) throw new Error('the run does not begin')
    expect(() => client.receive(1, response1())).toThrow('out of memory')
    expect(client.receive(1, response1())).toEqual({ kind: 'abort', reason: 'no such request' })
    expect(failures).toBe(1)
  })

  it('no response is read out of turn', () => {
    const client = begun()
    expect(client.receive(2, response2()).kind).toBe('abort')
    expect(client.receive(1, response1()).kind).toBe('abort')
  })
})
