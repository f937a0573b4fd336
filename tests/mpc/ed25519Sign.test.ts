import { createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ed25519, ed25519_FROST as F } from '@noble/curves/ed25519.js'
import { bytesToNumberLE } from '@noble/curves/utils.js'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { begin } from '../../domain/mpc/ClientRun.ts'
import { drawing } from '../../domain/mpc/ed25519/Frost.ts'
import * as Rfc9591 from '../../domain/mpc/ed25519/rfc9591.ts'
import { request, response, sign } from '../../domain/mpc/ed25519/sign.ts'
import { noble } from '../../domain/mpc/noble.ts'
import { seededBytes } from '../../domain/mpc/Protocol.ts'
import { protocolOf } from '../../domain/mpc/protocols.ts'
import { times } from '../kit/long.ts'
import { makeWallet, otherContexts, signSetup, type Wallet } from './ed25519.ts'
import { kernel } from './kernel.ts'
import { clientInput, find, run, runSeed, serverStep, type Setup } from './run.ts'

const { Fn } = ed25519.Point
const clientId = F.Identifier.fromNumber(1)
const serverId = F.Identifier.fromNumber(2)
const empty = new Uint8Array(0)
const message = utf8ToBytes('pay 1 SOL to nobody')
let wallet: Wallet
let setup: Setup
beforeAll(() => {
  wallet = makeWallet()
  setup = signSetup(wallet, message, 'sign')
})

/** Node's own Ed25519. */
const isValidInNode = (signature: Uint8Array, of: Uint8Array, publicKey: Uint8Array) => {
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), publicKey])
  return verify(null, of, createPublicKey({ key: spki, format: 'der', type: 'spki' }), signature)
}

const fieldsOf = (outcome: ReturnType<typeof run>) => {
  const sent = request.decode(find(outcome, 'server', 1).position.message)
  const received = response.decode(find(outcome, 'client', 1).position.message)
  if (sent === undefined || received === undefined) throw new Error('no messages')
  return { sent, received }
}

describe('signing with ED25519', () => {
  it('takes one request and gives a signature that noble and Node verify strictly', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (of, seed) => {
        const outcome = run(signSetup(wallet, of, seed))
        const signature = outcome.client?.signature ?? empty

        expect(outcome.positions.map(({ to }) => to)).toEqual(['server', 'client'])
        expect(ed25519.verify(signature, of, wallet.client.publicKey, { zip215: false })).toBe(true)
        expect(isValidInNode(signature, of, wallet.client.publicKey)).toBe(true)
      }),
      { numRuns: times(12, 120) },
    )
  })

  it('gives the signature to the client alone', () => {
    const outcome = run(setup)

    expect(outcome.client?.signature?.length).toBe(64)
    expect(outcome.server).toEqual({})
  })

  it('answers a repeated request with the same bytes', () => {
    const { position } = find(run(setup), 'server', 1)

    expect(serverStep(setup, position)).toEqual(serverStep(setup, position))
  })

  it('gives the share that noble computes without blinding', () => {
    const { sent, received } = fieldsOf(run(setup))
    const { nonces, secret } = serverNonces()
    const list = [
      { identifier: clientId, hiding: sent.hiding, binding: sent.binding },
      { identifier: serverId, hiding: received.hiding, binding: received.binding },
    ]

    expect(received.share).toEqual(F.signShare(secret, groupOf(wallet), nonces, list, message))
    expect(F.verifyShare(groupOf(wallet), list, message, serverId, received.share)).toBe(true)
  })

  it('reads one response only, so that one pair of nonces serves one signature share', () => {
    const begun = begin(sign, clientInput(setup, 0))
    if ('kind' in begun) throw new Error(begun.reason)
    const position = { ...find(run(setup), 'server', 1).position, message: begun.request }
    const [first, second] = ['a', 'b'].map((seed) => serverStep({ ...setup, seed }, position))
    if (first?.kind !== 'done' || second?.kind !== 'done') throw new Error('no answers')

    expect(begun.receive(1, first.response).kind).toBe('done')
    expect(begun.receive(1, second.response).kind).toBe('abort')
  })

  it('has no ban and no attach', () => {
    expect(protocolOf('ED25519', 'attach')).toBeUndefined()
    expect(protocolOf('ED25519', 'sign')).toBe(sign)
  })
})

const groupOf = ({ client }: Wallet) => ({
  signers: { min: 2, max: 2 },
  commitments: [client.publicKey],
  verifyingShares: { [clientId]: client.clientPublic, [serverId]: client.serverPublic },
})

/** The co-signer's nonces of the run of `setup`, drawn again as its step draws them. */
const serverNonces = () => {
  const { position } = find(run(setup), 'server', 1)
  const sid1 = request.decode(position.message)?.sid1 ?? empty
  const input = { seed: runSeed(setup), requestHashes: [sha256(position.message)], context: setup.server.context }
  const secret = { identifier: serverId, signingShare: wallet.server.secret }
  const draw = drawing((label, length) => seededBytes(input, sid1, label, length), 'nonces', 32)
  return { secret, nonces: F.commit(secret, draw).nonces }
}

describe('two sides that differ', () => {
  it('in one field of the context end the run before any arithmetic', () => {
    for (const [name, context] of otherContexts(setup.server.context)) {
      const { stopped, positions } = run({ ...setup, server: { ...setup.server, context } })
      expect([name, stopped?.kind, stopped?.by, positions.length]).toEqual([name, 'abort', 'server', 1])
    }
  })

  it('in the message or its class end the run, with the reason of the session and not of a signature', () => {
    const payloads = [
      { message: utf8ToBytes('pay 100 SOL to nobody'), class: 'solanaMessage' },
      { message, class: 'blind' },
      { message: empty, class: 'solanaMessage' },
    ]

    for (const payload of payloads) {
      const context = { ...setup.server.context, payload }
      const { stopped } = run({ ...setup, server: { ...setup.server, context } })
      expect(stopped).toEqual({ kind: 'abort', by: 'server', reason: 'sid1' })
    }
  })

  it('in the share end the run: another wallet, epoch, role, key, or a damaged record', () => {
    const other = makeWallet('other')
    const { server } = wallet
    const shares = [
      other.server,
      { ...other.server, shareId: server.shareId },
      wallet.client,
      { ...server, epoch: 2 },
      { ...server, secret: new Uint8Array(32) },
      { ...server, secret: wallet.client.secret },
      { ...server, publicKey: other.server.publicKey },
      { ...server, clientPublic: other.server.clientPublic },
      { ...server, scheme: 'DKLS' as const },
    ]

    const reasons = shares.map((share) => run({ ...setup, server: { ...setup.server, share } }).stopped)
    expect(reasons).toEqual(
      [
        'share of another sharing',
        'sid1',
        'share of another scheme or role',
        'share of another wallet or epoch',
        'share is damaged',
        'share is damaged',
        'share is damaged',
        'share is damaged',
        'share of another scheme or role',
      ].map((reason) => ({ kind: 'abort', by: 'server', reason })),
    )
    const { share: _, ...without } = setup.server
    expect(run({ ...setup, server: without }).stopped).toMatchObject({ kind: 'abort', by: 'server' })
    expect(run({ ...setup, client: { ...setup.client, share: other.client } }).stopped?.by).toBe('client')
  })

  it('sign nothing without a payload or a share id', () => {
    const { payload: _, ...context } = setup.client.context
    const wrong = [
      context,
      { ...setup.client.context, shareId: empty },
      { ...setup.client.context, kind: 'keygen' as const },
      { ...setup.client.context, scheme: 'DKLS' as const },
    ]

    for (const one of wrong) {
      expect(run({ ...setup, client: { ...setup.client, context: one } }).stopped?.by).toBe('client')
      expect(run({ ...setup, server: { ...setup.server, context: one } }).stopped?.by).toBe('server')
      const { position } = find(run(setup), 'server', 1)
      const answer = serverStep({ ...setup, server: { ...setup.server, context: one } }, position)
      expect(answer).not.toMatchObject({ reason: 'sid1' })
    }
  })
})

/** ρ_S and c of a signing with these commitments, by RFC 9591 §4.4 to 4.6, from public data alone. */
const publicsOf = (
  of: Uint8Array,
  client: { readonly hiding: Uint8Array; readonly binding: Uint8Array },
  server: { readonly hiding: Uint8Array; readonly binding: Uint8Array },
) => {
  const publicKey = wallet.client.publicKey
  const h = (use: string, ...parts: readonly Uint8Array[]) =>
    sha512(concatBytes(utf8ToBytes(`FROST-ED25519-SHA512-v1${use}`), ...parts))
  const scalar = (bytes: Uint8Array) => Fn.create(bytesToNumberLE(bytes))
  const ids = [Fn.toBytes(1n), Fn.toBytes(2n)] as const
  const list = concatBytes(ids[0], client.hiding, client.binding, ids[1], server.hiding, server.binding)
  const prefix = concatBytes(publicKey, h('msg', of), h('com', list))
  const [rhoC, rhoS] = ids.map((id) => scalar(h('rho', prefix, id)))
  if (rhoC === undefined || rhoS === undefined) throw new Error('no factors')
  const read = (bytes: Uint8Array) => ed25519.Point.fromBytes(bytes)
  const R = read(client.hiding)
    .add(read(client.binding).multiply(rhoC))
    .add(read(server.hiding))
    .add(read(server.binding).multiply(rhoS))
  return { rho: rhoS, c: scalar(sha512(concatBytes(R.toBytes(), publicKey, of))) }
}

type Equation = { readonly rho: bigint; readonly c: bigint; readonly z: bigint }

/** s out of three equations z = d + ρ·e − c·s, if d and e are the same in all of them. */
const solve = ([one, two, three]: readonly [Equation, Equation, Equation]): bigint => {
  const [r2, c2, z2] = [Fn.sub(two.rho, one.rho), Fn.sub(two.c, one.c), Fn.sub(two.z, one.z)]
  const [r3, c3, z3] = [Fn.sub(three.rho, one.rho), Fn.sub(three.c, one.c), Fn.sub(three.z, one.z)]
  return Fn.div(Fn.sub(Fn.mul(z2, r3), Fn.mul(z3, r2)), Fn.sub(Fn.mul(c3, r2), Fn.mul(c2, r3)))
}

describe('forks of a run', () => {
  const secretOf = (share: Uint8Array) => Fn.fromBytes(share)
  const forkMessages = ['a', 'b', 'c'].map((text) => utf8ToBytes(text))
  const three = <A>([a, b, c]: readonly A[]): readonly [A, A, A] => {
    if (a === undefined || b === undefined || c === undefined) throw new Error('not three')
    return [a, b, c]
  }

  it('would reveal the co-signer’s share if its nonces came from the seed alone', () => {
    const secret = { identifier: serverId, signingShare: wallet.server.secret }
    const equations = forkMessages.map((of, index) => {
      const own = F.commit(secret, () => new Uint8Array(32).fill(7))
      const client = F.commit({ identifier: clientId, signingShare: wallet.client.secret }, () =>
        new Uint8Array(32).fill(index),
      ).commitments
      const z = F.signShare(secret, groupOf(wallet), own.nonces, [client, own.commitments], of)
      return { ...publicsOf(of, client, own.commitments), z: Fn.fromBytes(z) }
    })

    expect(solve(three(equations))).toBe(secretOf(wallet.server.secret))
  })

  it('have nonces of their own for another message, and reveal nothing', () => {
    const forks = forkMessages.map((of) => ({ of, ...fieldsOf(run(signSetup(wallet, of, 'fork'))) }))
    const equations = forks.map(({ of, sent, received }) => ({
      ...publicsOf(of, sent, received),
      z: Fn.fromBytes(received.share),
    }))

    expect(solve(three(equations))).not.toBe(secretOf(wallet.server.secret))
    for (const name of ['hiding', 'binding', 'nonce', 'share'] as const) {
      expect(new Set(forks.map(({ received }) => Buffer.from(received[name]).toString('hex'))).size).toBe(3)
    }
  })

  it('have nonces of their own for other commitments of the client, with everything else the same', () => {
    const outcome = run(setup)
    const { sent } = fieldsOf(outcome)
    const swapped = request.encode({ ...sent, hiding: sent.binding, binding: sent.hiding })
    const { position } = find(outcome, 'server', 1)
    const [one, two] = [position.message, swapped].map((bytes) => {
      const answer = serverStep(setup, { ...position, message: bytes })
      return answer.kind === 'done' ? response.decode(answer.response) : undefined
    })

    expect(one?.hiding).not.toEqual(two?.hiding)
    expect(one?.binding).not.toEqual(two?.binding)
  })
})

describe('version 1 of the protocol', () => {
  it('sends the bytes that it has always sent, so that a run may be computed again after a new release', () => {
    const stored: unknown = JSON.parse(readFileSync(new URL('fixtures/ed25519.v1.json', import.meta.url), 'utf8'))
    const messagesOf = (outcome: ReturnType<typeof run>) =>
      outcome.positions.map((position) => Buffer.from(position.message).toString('hex'))

    expect({ keygen: messagesOf(wallet.keygen), sign: messagesOf(run(setup)) }).toEqual(stored)
  })
})

/** RFC 9591, appendix E.1: FROST(Ed25519, SHA-512), two of three, signers 1 and 3. */
const rfc9591 = {
  groupPublicKey: '15d21ccd7ee42959562fc8aa63224c8851fb3ec85a3faf66040d380fb9738673',
  groupSecretKey: '7b1c33d3f5291d85de664833beb1ad469f7fb6025a0ec78b3a790c6e13a98304',
  message: '74657374',
  signers: [
    {
      id: 1,
      share: '929dcc590407aae7d388761cddb0c0db6f5627aea8e217f4a033f2ec83d93509',
      hidingRandomness: '0fd2e39e111cdc266f6c0f4d0fd45c947761f1f5d3cb583dfcb9bbaf8d4c9fec',
      bindingRandomness: '69cd85f631d5f7f2721ed5e40519b1366f340a87c2f6856363dbdcda348a7501',
      hiding: 'b5aa8ab305882a6fc69cbee9327e5a45e54c08af61ae77cb8207be3d2ce13de3',
      binding: '67e98ab55aa310c3120418e5050c9cf76cf387cb20ac9e4b6fdb6f82a469f932',
      sigShare: '001719ab5a53ee1a12095cd088fd149702c0720ce5fd2f29dbecf24b7281b603',
    },
    {
      id: 3,
      share: 'd3cb090a075eb154e82fdb4b3cb507f110040905468bb9c46da8bdea643a9a02',
      hidingRandomness: '86d64a260059e495d0fb4fcc17ea3da7452391baa494d4b00321098ed2a0062f',
      bindingRandomness: '13e6b25afb2eba51716a9a7d44130c0dbae0004a9ef8d7b5550c8a0e07c61775',
      hiding: 'cfbdb165bd8aad6eb79deb8d287bcc0ab6658ae57fdcc98ed12c0669e90aec91',
      binding: '7487bc41a6e712eea2f2af24681b58b1cf1da278ea11fe4e8b78398965f13552',
      sigShare: 'bd86125de990acc5e1f13781d8e32c03a9bbd4c53539bbc106058bfd14326007',
    },
  ],
  signature:
    '36282629c383bb820a88b71cae937d41f2f2adfcc3d02e55507e2fb9e2dd3cbe' +
    'bd9d2b0844e49ae0f3fa935161e1419aab7b47d21a37ebeae1f17d4987b3160b',
}

describe('RFC 9591, E.1', () => {
  it.each([
    ['noble', noble.ed25519],
    ['the kernel', kernel.ed25519],
  ] as const)('is what our implementation computes over %s', (_, arithmetic) => {
    const { scalars } = arithmetic
    const of = Buffer.from(rfc9591.message, 'hex')
    const publicKey = Buffer.from(rfc9591.groupPublicKey, 'hex')
    const signers = rfc9591.signers.map((signer) => {
      const secret = Buffer.from(signer.share, 'hex')
      const random = [signer.hidingRandomness, signer.bindingRandomness].map((hex) => Buffer.from(hex, 'hex'))
      const own = Rfc9591.commit(arithmetic, secret, () => random.shift() ?? empty)
      return { identifier: Rfc9591.identifierOf(signer.id), secret, ...own, expected: signer }
    })
    const list = signers.map(({ identifier, commitments }) => ({ identifier, ...commitments }))
    const group = Rfc9591.groupOf(arithmetic, publicKey, list, of)
    // Lagrange at 0 of 1 and 3: 3/(3 − 1) and 1/(1 − 3).
    const lambdas = [Fn.div(3n, 2n), Fn.neg(Fn.inv(2n))]
    const shares = signers.map(({ nonces, secret }, index) => {
      const keyed = scalars.multiply(scalars.multiply(group.challenge, Fn.toBytes(lambdas[index] ?? 0n)), secret)
      return scalars.add(Rfc9591.nonceSum(arithmetic, nonces, group.factors[index] ?? empty), keyed)
    })
    const signature = concatBytes(
      group.commitment,
      shares.reduce((a, b) => scalars.add(a, b)),
    )

    const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
    expect(list.map(({ hiding }) => hex(hiding))).toEqual(rfc9591.signers.map(({ hiding }) => hiding))
    expect(list.map(({ binding }) => hex(binding))).toEqual(rfc9591.signers.map(({ binding }) => binding))
    expect(shares.map(hex)).toEqual(rfc9591.signers.map(({ sigShare }) => sigShare))
    expect(hex(signature)).toBe(rfc9591.signature)
    expect(Rfc9591.isSignature(arithmetic, publicKey, of, signature)).toBe(true)
    expect(signers.every(({ nonces }) => nonces.every((byte) => byte === 0))).toBe(true)
  })

  it('is what noble computes with the given randomness of the nonces', () => {
    const of = Buffer.from(rfc9591.message, 'hex')
    const signers = rfc9591.signers.map((signer) => {
      const secret = { identifier: F.Identifier.fromNumber(signer.id), signingShare: Buffer.from(signer.share, 'hex') }
      const random = [signer.hidingRandomness, signer.bindingRandomness].map((hex) => Buffer.from(hex, 'hex'))
      return { secret, ...F.commit(secret, () => random.shift() ?? empty), expected: signer }
    })
    const list = signers.map(({ commitments }) => commitments)
    const verifyingShares = Object.fromEntries(
      signers.map(({ secret }) => [
        secret.identifier,
        ed25519.Point.BASE.multiply(Fn.fromBytes(secret.signingShare)).toBytes(),
      ]),
    )
    const group = {
      signers: { min: 2, max: 3 },
      commitments: [Buffer.from(rfc9591.groupPublicKey, 'hex')],
      verifyingShares,
    }

    const shares = signers.map(({ secret, nonces }) => F.signShare(secret, group, nonces, list, of))
    const signature = F.aggregate(
      group,
      list,
      of,
      Object.fromEntries(signers.map(({ secret }, index) => [secret.identifier, shares[index] ?? empty])),
    )

    const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
    expect(list.map(({ hiding }) => hex(hiding))).toEqual(rfc9591.signers.map(({ hiding }) => hiding))
    expect(list.map(({ binding }) => hex(binding))).toEqual(rfc9591.signers.map(({ binding }) => binding))
    expect(shares.map(hex)).toEqual(rfc9591.signers.map(({ sigShare }) => sigShare))
    expect(hex(signature)).toBe(rfc9591.signature)
    expect(isValidInNode(signature, of, Buffer.from(rfc9591.groupPublicKey, 'hex'))).toBe(true)
    const secretKey = Fn.fromBytes(Buffer.from(rfc9591.groupSecretKey, 'hex'))
    expect(hex(ed25519.Point.BASE.multiply(secretKey).toBytes())).toBe(rfc9591.groupPublicKey)
  })
})
