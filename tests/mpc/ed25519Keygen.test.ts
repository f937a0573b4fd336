import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { ed25519, ed25519_FROST, x25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { expand } from '../../domain/crypto/expand.ts'
import * as Frost from '../../domain/mpc/ed25519/Frost.ts'
import {
  confirmation,
  firstRequest,
  firstResponse,
  keygen,
  secondRequest,
  secondResponse,
} from '../../domain/mpc/ed25519/keygen.ts'
import { begin } from '../../domain/mpc/ClientRun.ts'
import { noble } from '../../domain/mpc/noble.ts'
import { seededBytes, shareIdOf } from '../../domain/mpc/Protocol.ts'
import { keygenSetup, makeWallet, otherContexts, replacements, type Wallet } from './ed25519.ts'
import { arithmetics } from './kernel.ts'
import { by, clientInput, deliver, find, playOn, run, runSeed, serverInput, serverStep, type Position } from './run.ts'

const { Point } = ed25519
const setup = keygenSetup('keygen')
const empty = new Uint8Array(0)
let wallet: Wallet
beforeAll(() => {
  wallet = makeWallet()
})

describe('key generation of ED25519', () => {
  it('takes two requests and the confirming call', () => {
    const { positions } = wallet.keygen

    expect(positions.map(({ to, round }) => `${to} ${round}`)).toEqual([
      'server 1',
      'client 1',
      'server 2',
      'client 2',
      'server 3',
      'client 3',
    ])
    expect(positions.at(-1)?.message).toEqual(empty)
  })

  it('gives both sides the same wallet, each its own share', () => {
    const { client, server } = wallet
    const { secret: clientSecret, role: clientRole, ...ofClient } = client
    const { secret: serverSecret, role: serverRole, ...ofServer } = server

    expect([clientRole, serverRole]).toEqual(['USER', 'PROVIDER'])
    expect(ofClient).toEqual(ofServer)
    expect(clientSecret).not.toEqual(serverSecret)
    expect(client.rootPublicKey).toEqual(setup.client.context.rootPublicKey)
    const { attempt } = setup.client.context
    expect(client.shareId).toEqual(shareIdOf(attempt, client.clientPublic, client.serverPublic, client.publicKey))
  })

  it('gives shares of the key: x·G = X on each side, and 2·x_C − x_S is its secret', () => {
    const { client, server } = wallet
    const [x, y] = [client.secret, server.secret].map((secret) => Point.Fn.fromBytes(secret))
    if (x === undefined || y === undefined) throw new Error('no scalars')
    const combined = ed25519_FROST.combineSecret(
      [
        { identifier: ed25519_FROST.Identifier.fromNumber(1), signingShare: client.secret },
        { identifier: ed25519_FROST.Identifier.fromNumber(2), signingShare: server.secret },
      ],
      { min: 2, max: 2 },
    )

    expect(Point.BASE.multiply(x).toBytes()).toEqual(client.clientPublic)
    expect(Point.BASE.multiply(y).toBytes()).toEqual(client.serverPublic)
    expect(Point.BASE.multiply(Point.Fn.sub(Point.Fn.add(x, x), y)).toBytes()).toEqual(client.publicKey)
    expect(Point.BASE.multiply(Point.Fn.fromBytes(combined)).toBytes()).toEqual(client.publicKey)
  })

  it('gives another key for another run', () => {
    expect(makeWallet('another').client.publicKey).not.toEqual(wallet.client.publicKey)
  })

  it('answers a repeated request with the same bytes, in every step', () => {
    for (const position of wallet.keygen.positions.filter(({ to }) => to === 'server')) {
      expect(serverStep(setup, position)).toEqual(serverStep(setup, position))
    }
  })

  it('draws everything of a step from the seed and the requests so far', () => {
    const { position } = find(wallet.keygen, 'server', 1)
    const answers = [
      serverStep(setup, position),
      serverStep({ ...setup, seed: 'other' }, position),
      serverStep(setup, { ...position, message: find(run(keygenSetup('third')), 'server', 1).position.message }),
    ].map((answer) => (answer.kind === 'answer' ? firstResponse.decode(answer.response) : undefined))

    for (const name of ['nonce', 'constant', 'slope', 'proof', 'exchange'] as const) {
      const values = answers.map((answer) => Buffer.from(answer?.[name] ?? []).toString('hex'))
      expect([name, new Set(values).size]).toEqual([name, 3])
    }
  })

  it('reads response 1 once: a second one ends the run', () => {
    const begun = begin(keygen, clientInput(setup, 0))
    if ('kind' in begun) throw new Error(begun.reason)
    const position = { ...find(wallet.keygen, 'server', 1).position, message: begun.request }
    const first = serverStep(setup, position)
    const second = serverStep({ ...setup, seed: 'x' }, position)
    if (first.kind !== 'answer' || second.kind !== 'answer') throw new Error('no answers')

    const progress = begun.receive(1, first.response)
    expect(progress.kind).toBe('request')
    expect(begun.receive(1, first.response)).toEqual(progress)
    expect(begun.receive(1, second.response).kind).toBe('abort')
    expect(begun.receive(1, first.response).kind).toBe('abort')
  })
})

const messages: readonly { readonly to: Position['to']; readonly round: number }[] = [
  { to: 'server', round: 1 },
  { to: 'client', round: 1 },
  { to: 'server', round: 2 },
  { to: 'client', round: 2 },
  { to: 'server', round: 3 },
]

/** How a message from another session is detected: by its session id where it has one, before any other check. */
const refusals: Readonly<Record<string, object>> = {
  'server 1': { kind: 'abort', by: 'client', reason: 'sid2' },
  'client 1': { kind: 'abort', by: 'client', reason: 'sid2' },
  'server 2': { kind: 'abort', by: 'server', reason: 'sid3' },
  'client 2': { kind: 'abort', by: 'client', reason: 'sealed share' },
  'server 3': { kind: 'abort', by: 'server', reason: 'proof conf/C' },
}

describe.each(messages)('the message that $to gets in round $round', ({ to, round }) => {
  it('ends the run when it is truncated, extended, empty, or the own message given back', () => {
    const { message } = find(wallet.keygen, to, round).position
    const own = wallet.keygen.positions[wallet.keygen.positions.findIndex((one) => one.message === message) - 1]
    const extended = new Uint8Array([...message, 0])
    const others = [message.slice(1), message.slice(0, -1), extended, empty, own?.message ?? empty]

    for (const other of others) {
      const outcome = deliver(setup, wallet.keygen, to, round, other)
      expect([outcome.stopped?.kind, outcome.stopped?.by]).toEqual(['abort', to])
    }
  })

  it('ends the run when it comes from another session', () => {
    const other = run(keygenSetup('other session'))

    const { stopped } = deliver(setup, wallet.keygen, to, round, find(other, to, round).position.message)

    // A first request begins a session of its own, which then is not the one that the client knows.
    expect(stopped).toEqual(refusals[`${to} ${round}`])
  })
})

describe('a context that differs', () => {
  it('on one side ends the run before anything is agreed', () => {
    for (const [name, context] of otherContexts(setup.server.context)) {
      const { stopped, positions } = run({ ...setup, server: { context } })
      expect([name, stopped?.kind, stopped?.by, positions.length]).toEqual([name, 'abort', 'server', 1])
    }
  })

  it('between steps ends the run on either side', () => {
    for (const [name, context] of otherContexts(setup.server.context)) {
      for (const [to, round] of [
        ['server', 2],
        ['server', 3],
        ['client', 1],
        ['client', 2],
      ] as const) {
        for (const [computer, arithmetic] of arithmetics) {
          const { position, before } = find(wallet.keygen, to, round)
          const { stopped } = playOn(by({ ...setup, [to]: { context } }, arithmetic), position, before)
          expect([name, to, round, computer, stopped?.kind, stopped?.by]).toEqual([
            name,
            to,
            round,
            computer,
            'abort',
            to,
          ])
        }
      }
    }
  })

  it('at the confirming call ends the run for that very reason: no share is pinned to another root key', () => {
    const unfit = ['kind', 'scheme', 'shareId', 'otId']
    const fit = otherContexts(setup.server.context).filter(([name]) => !unfit.includes(name))
    const { position } = find(wallet.keygen, 'server', 3)

    expect(fit.map(([name]) => name)).toContain('rootPublicKey')
    for (const [name, context] of fit) {
      const answer = serverStep({ ...setup, server: { context } }, position)
      expect([name, answer]).toEqual([name, { kind: 'abort', reason: 'context changed within the run' }])
    }
  })

  it('is refused for keygen with a share, an attempt or a malformed root key', () => {
    const wrong = [
      { shareId: new Uint8Array(32) },
      { attempt: empty },
      { deviceKeyThumb: empty },
      { rootPublicKey: new Uint8Array(31) },
      { payload: { message: empty, class: 'blind' } },
      { kind: 'sign' as const },
      { scheme: 'DKLS' as const },
      { otId: new Uint8Array(32) },
    ]

    expect(wrong.map((changes) => run(keygenSetup('wrong', changes)).stopped?.by)).toEqual(wrong.map(() => 'client'))
  })
})

describe('a wallet without a root key', () => {
  it('is possible, for a partner that pregenerates', () => {
    expect(makeWallet('pregen', { rootPublicKey: empty }).client.rootPublicKey).toEqual(empty)
  })
})

describe('the co-signer', () => {
  it('requires the hashes of exactly the requests so far', () => {
    const { position } = find(wallet.keygen, 'server', 2)
    const wrong = [[], [sha256(empty), sha256(empty)], [empty], [...position.requestHashes, ...position.requestHashes]]

    for (const requestHashes of [...wrong, [sha256(empty)]]) {
      expect(serverStep(setup, { ...position, requestHashes }).kind).toBe('abort')
    }
    for (const [index, step] of keygen.server.entries()) {
      const input = serverInput(setup, find(wallet.keygen, 'server', index + 1).position)
      const requestHashes = [...input.requestHashes.slice(0, -1), sha256(empty)]
      expect(step({ ...input, requestHashes })).toEqual({ kind: 'abort', reason: 'request hash' })
      expect(step({ ...input, seed: empty })).toEqual({ kind: 'abort', reason: 'seed' })
    }
  })

  it('takes no state of another step, run or seed', () => {
    const other = run(keygenSetup('other'))
    for (const round of [2, 3]) {
      const { position } = find(wallet.keygen, 'server', round)
      const states = [empty, find(other, 'server', round).position.serverState, position.serverState.subarray(1)]
      for (const serverState of [...states, find(wallet.keygen, 'server', 5 - round).position.serverState]) {
        expect([round, serverStep(setup, { ...position, serverState }).kind]).toEqual([round, 'abort'])
      }
    }
    const { position } = find(wallet.keygen, 'server', 2)
    const { serverState } = find(other, 'server', 2).position
    const anotherRun = { kind: 'abort', reason: 'state of another run' }
    const anotherContext = { ...setup, server: { context: { ...setup.server.context, epoch: 2 } } }
    expect(serverStep({ ...setup, seed: 'x' }, position)).toEqual(anotherRun)
    expect(serverStep(anotherContext, position)).toEqual(anotherRun)
    expect(serverStep(setup, { ...position, serverState })).toEqual({ kind: 'abort', reason: 'sid3' })
  })

  it('gives no share before the confirming call', () => {
    const kinds = [1, 2, 3].map((round) => serverStep(setup, find(wallet.keygen, 'server', round).position).kind)

    expect(kinds).toEqual(['answer', 'answer', 'done'])
  })
})

/** What a cheating client knows: the session and the keys that seal the shares. */
const insideClient = () => {
  const { position } = find(wallet.keygen, 'client', 1)
  const seed = position.clientState.subarray(0, 32)
  const request = firstRequest.decode(position.clientState.subarray(32))
  const response = firstResponse.decode(position.message)
  if (request === undefined || response === undefined) throw new Error('no session')
  const draw = Frost.clientBytes(seed, request.sid1)
  const shared = x25519.getSharedSecret(draw('exchange', 32), response.exchange)
  const sid3 = Frost.sid3Of(response.sid2, position.message)
  const keyOf = (direction: string, bound: Uint8Array) =>
    expand(Frost.tags.seal, [direction, sid3, shared, request.exchange, response.exchange, bound], 32)
  return { sid3, keyOf }
}

describe('a peer that deals wrongly', () => {
  const torsion = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa')
  const twisted = (bytes: Uint8Array) => Point.fromBytes(bytes).add(torsion).toBytes()

  it('is refused at once: points with torsion, the identity, a proof for another point', () => {
    for (const [to, codec] of [
      ['server', firstRequest],
      ['client', firstResponse],
    ] as const) {
      const fields = codec.decode(find(wallet.keygen, to, 1).position.message)
      if (fields === undefined) throw new Error('no message')
      const wrong = [
        ['commitment', { constant: twisted(fields.constant) }],
        ['commitment', { slope: twisted(fields.slope) }],
        ['commitment', { constant: Point.ZERO.toBytes() }],
        ['commitment', { slope: torsion.toBytes() }],
        ['proof of knowledge', { constant: fields.slope }],
        ['proof of knowledge', { proof: concatBytes(fields.constant, fields.proof.subarray(32)) }],
      ] as const

      for (const [reason, changes] of wrong) {
        const message = concatBytes(...Object.entries({ ...fields, ...changes }).map(([, value]) => value))
        const { stopped, positions } = deliver(setup, wallet.keygen, to, 1, message)
        expect(stopped).toEqual({ kind: 'abort', by: to, reason })
        expect(positions.at(-1)?.to).toBe(to)
      }
    }
  })
})

describe('a peer that seals rightly but cheats inside', () => {
  it('is refused by the co-signer when the share does not fit its commitments', () => {
    const { sid3, keyOf } = insideClient()
    const { message } = find(wallet.keygen, 'server', 2).position
    const cipher = chacha20poly1305(keyOf('C>S', empty), new Uint8Array(12))
    const honest = cipher.decrypt(secondRequest.decode(message)?.sealed ?? empty)
    const send = (share: Uint8Array) => {
      const sealed = chacha20poly1305(keyOf('C>S', empty), new Uint8Array(12)).encrypt(share)
      return deliver(setup, wallet.keygen, 'server', 2, secondRequest.encode({ sid3, sealed }))
    }

    expect(send(honest).stopped).toBeUndefined()
    for (const share of replacements(honest)) expect(send(share).stopped).toMatchObject({ kind: 'abort', by: 'server' })
  })

  it('is refused by the client when the share does not fit its commitments', () => {
    const { keyOf } = insideClient()
    const second = find(wallet.keygen, 'server', 2).position.message
    const fields = secondResponse.decode(find(wallet.keygen, 'client', 2).position.message)
    if (fields === undefined) throw new Error('no response')
    const honest = chacha20poly1305(keyOf('S>C', second), new Uint8Array(12)).decrypt(fields.sealed)
    const send = (share: Uint8Array) => {
      const sealed = chacha20poly1305(keyOf('S>C', second), new Uint8Array(12)).encrypt(share)
      return deliver(setup, wallet.keygen, 'client', 2, secondResponse.encode({ ...fields, sealed }))
    }

    expect(send(honest).stopped).toBeUndefined()
    for (const share of replacements(honest)) expect(send(share).stopped).toMatchObject({ kind: 'abort', by: 'client' })
  })

  it('learns nothing about a share from the messages: neither share is in any message', () => {
    const { keyOf } = insideClient()
    const second = secondRequest.decode(find(wallet.keygen, 'server', 2).position.message)?.sealed ?? empty
    const share = chacha20poly1305(keyOf('C>S', empty), new Uint8Array(12)).decrypt(second)

    for (const { message } of wallet.keygen.positions) {
      for (const secret of [share, wallet.client.secret, wallet.server.secret]) {
        expect(Buffer.from(message).includes(Buffer.from(secret))).toBe(false)
      }
    }
  })

  it('cannot reflect the other side’s commitments, although their proof is valid', () => {
    const request = firstRequest.decode(find(wallet.keygen, 'server', 1).position.message)
    const fields = firstResponse.decode(find(wallet.keygen, 'client', 1).position.message)
    if (request === undefined || fields === undefined) throw new Error('no messages')
    const negated = Point.fromBytes(request.constant).negate().toBytes()
    const others = [
      { ...fields, constant: request.constant, proof: request.proof },
      { ...fields, constant: request.constant, slope: request.slope, proof: request.proof },
      { ...fields, slope: request.slope },
      { ...fields, exchange: request.exchange },
      { ...fields, constant: negated },
    ]

    for (const other of others) {
      const { stopped } = deliver(setup, wallet.keygen, 'client', 1, firstResponse.encode(other))
      expect(stopped).toMatchObject({ kind: 'abort', by: 'client' })
    }
  })

  it('cannot make the key the identity or both shares the same', () => {
    const share = wallet.client
    const G = Point.BASE
    const identity = Point.ZERO.toBytes()
    const one = Point.Fn.toBytes(1n)
    const wrong = [
      { ...share, publicKey: identity },
      { ...share, secret: one, clientPublic: G.toBytes(), serverPublic: G.multiply(2n).toBytes(), publicKey: identity },
      { ...share, secret: one, clientPublic: G.toBytes(), serverPublic: G.toBytes(), publicKey: G.toBytes() },
      { ...share, serverPublic: share.clientPublic },
      { ...share, secret: one },
    ]

    Frost.demandShareOfKey(noble.ed25519, share)
    for (const other of wrong) expect(() => Frost.demandShareOfKey(noble.ed25519, other)).toThrow('share is damaged')
  })

  it('cannot confirm with a share that is not its own', () => {
    const fields = secondResponse.decode(find(wallet.keygen, 'client', 2).position.message)
    const confirm = confirmation.decode(find(wallet.keygen, 'server', 3).position.message)
    if (fields === undefined || confirm === undefined) throw new Error('no messages')
    const asServer = secondResponse.encode({ ...fields, confirmation: confirm.confirmation })
    const asClient = confirmation.encode({ confirmation: fields.confirmation })

    expect(deliver(setup, wallet.keygen, 'client', 2, asServer).stopped).toMatchObject({ kind: 'abort', by: 'client' })
    expect(deliver(setup, wallet.keygen, 'server', 3, asClient).stopped).toMatchObject({ kind: 'abort', by: 'server' })
  })
})

describe('the seed of a run', () => {
  it('determines every value of the co-signer, under the transcript of the requests', () => {
    const { position } = find(wallet.keygen, 'server', 1)
    const request = firstRequest.decode(position.message)
    const response = firstResponse.decode(find(wallet.keygen, 'client', 1).position.message)
    const input = { seed: runSeed(setup), requestHashes: [sha256(position.message)], context: setup.server.context }

    expect(response?.nonce).toEqual(seededBytes(input, request?.sid1 ?? empty, 'nonce', 32))
    expect(response?.exchange).toEqual(x25519.getPublicKey(seededBytes(input, request?.sid1 ?? empty, 'exchange', 32)))
  })
})
