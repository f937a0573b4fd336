/** Refresh of both schemes: what stays, what does not work afterwards, and what ends a run. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { beforeAll, describe, expect, it } from 'vitest'
import * as Address from '../../domain/model/Address.ts'
import type { Context } from '../../domain/mpc/Protocol.ts'
import * as Ed25519 from './ed25519.ts'
import { arithmetics, kernel } from './kernel.ts'
import { by, deliver, find, run, serverStep, type Party, type Setup } from './run.ts'
import { makeWallet, refreshed, refreshSetup, signSetup, type Wallet } from './wallet.ts'

const digest = sha256(utf8ToBytes('after the refresh'))
const message = utf8ToBytes('after the refresh')

describe('DKLS', () => {
  let old: Pick<Wallet, 'client' | 'server'>
  let setup: Setup
  let next: Pick<Wallet, 'client' | 'server'>
  beforeAll(() => {
    old = makeWallet()
    setup = refreshSetup(old, 'refresh')
    next = refreshed(old, run(setup))
  })

  it('keeps the key, its chain code and its root key, and changes everything else', () => {
    for (const party of ['client', 'server'] as const) {
      const [before, after] = [old[party].share, next[party].share]
      expect(after).toMatchObject({
        publicKey: before.publicKey,
        chainCode: before.chainCode,
        rootPublicKey: before.rootPublicKey,
        walletId: before.walletId,
        epoch: before.epoch + 1,
      })
      for (const field of ['secret', 'shareId', 'clientPublic', 'serverPublic'] as const) {
        expect(after[field]).not.toEqual(before[field])
      }
    }
    const { Fn } = secp256k1.Point
    const key = Fn.add(Fn.fromBytes(next.client.share.secret), Fn.fromBytes(next.server.share.secret))
    expect(secp256k1.Point.BASE.multiply(key).toBytes()).toEqual(old.client.share.publicKey)
    expect(next.client.share.shareId).toEqual(next.server.share.shareId)
    expect(next.client.context.otId).not.toEqual(old.client.context.otId)
  })

  it('pins the root key that the run is bound to, on both sides', () => {
    const rootPublicKey = sha256(utf8ToBytes('the root key of a recovery'))

    const { client, server } = refreshed(old, run(refreshSetup(old, 'refresh', { rootPublicKey })))

    expect([client.share.rootPublicKey, server.share.rootPublicKey]).toEqual([rootPublicKey, rootPublicKey])
  })

  it('signs with the new shares', () => {
    const { client } = run(signSetup(next, digest, 'sign'))
    const signature = client?.signature?.subarray(0, 64) ?? new Uint8Array(0)
    expect(secp256k1.verify(signature, digest, old.client.share.publicKey, { prehash: false })).toBe(true)
  })

  it('the key and its address are the same after 50 refreshes, no share repeats, and the last ones sign', () => {
    const { Fn, BASE } = secp256k1.Point
    const seen = new Set([bytesToHex(old.client.share.secret), bytesToHex(old.server.share.secret)])
    let wallet = old
    for (let count = 0; count < 50; count++) {
      wallet = refreshed(wallet, run(by(refreshSetup(wallet, `refresh ${count}`), kernel)))
      const { client, server } = wallet
      for (const { share } of [client, server]) seen.add(bytesToHex(share.secret))
      const key = Fn.add(Fn.fromBytes(client.share.secret), Fn.fromBytes(server.share.secret))
      expect(BASE.multiply(key).toBytes()).toEqual(old.client.share.publicKey)
    }

    const { share } = wallet.client
    expect(seen.size).toBe(2 * 51)
    expect(share.epoch).toBe(51)
    expect(Address.fromPublicKey('EVM', share.publicKey)).toBe(Address.fromPublicKey('EVM', old.client.share.publicKey))
    const { client } = run(by(signSetup(wallet, digest, 'sign'), kernel))
    const signature = client?.signature?.subarray(0, 64)
    expect(secp256k1.verify(signature!, digest, old.client.share.publicKey, { prehash: false })).toBe(true)
  })

  it('the old shares still sign with each other until they are dropped', () => {
    expect(run(signSetup(old, digest, 'sign')).client?.signature).toHaveLength(65)
  })

  it('an old share never signs with a new one, whatever the context claims', () => {
    const forms = (from: Pick<Wallet, 'client' | 'server'>): readonly Context[] => [
      from.client.context,
      { ...from.client.context, shareId: old.client.share.shareId },
    ]
    for (const [client, server] of [
      [old, next],
      [next, old],
    ] as const) {
      for (const context of [...forms(old), ...forms(next)]) {
        const pair = { client: { ...client.client, context }, server: { ...server.server, context } }
        for (const [, arithmetic] of arithmetics) {
          expect(run(by(signSetup(pair, digest, 'sign'), arithmetic)).stopped).toMatchObject({ kind: 'abort' })
        }
      }
    }
  })

  it('an old share with a new share put into its own record signs nothing', () => {
    const share = { ...next.client.share, secret: old.client.share.secret }
    const pair = { client: { ...next.client, share }, server: next.server }
    expect(run(signSetup(pair, digest, 'sign')).stopped).toEqual({
      kind: 'abort',
      by: 'client',
      reason: 'share is damaged',
    })
  })

  it('does not begin with a share that does not fit the context', () => {
    const of = (party: Party): Party => ({ ...party, context: { ...party.context, epoch: 2 } })
    expect(run({ ...setup, client: of(setup.client), server: of(setup.server) }).stopped).toMatchObject({
      kind: 'abort',
    })
  })

  it('refuses its own ephemeral key reflected', () => {
    const outcome = run(setup)
    const { position } = find(outcome, 'server', 1)
    const answered = serverStep(setup, position)
    if (answered.kind !== 'answer') throw new Error('no answer')
    const exchange = position.message.subarray(32 + 32 + 65, 32 + 32 + 65 + 33)
    const mirrored = answered.response.slice()
    mirrored.set(exchange, 32 + 32 + 65)
    expect(deliver(setup, outcome, 'client', 1, mirrored).stopped).toEqual({
      kind: 'abort',
      by: 'client',
      reason: 'ephemeral key given back',
    })
  })

  it('answers a repeated request with the same bytes, in every step', () => {
    for (const position of run(setup).positions.filter(({ to }) => to === 'server')) {
      expect(serverStep(setup, position)).toEqual(serverStep(setup, position))
    }
  })
})

describe('ED25519', () => {
  const old = Ed25519.makeWallet()
  const setup = Ed25519.refreshSetup(old, 'refresh')
  const outcome = run(setup)
  const next = sharesOf(outcome)

  it('keeps the key and changes both shares', () => {
    const { Fn } = ed25519.Point
    const [client, server] = [next.client.secret, next.server.secret].map((secret) => Fn.fromBytes(secret))
    const key = Fn.sub(Fn.add(client!, client!), server!)
    expect(ed25519.Point.BASE.multiply(key).toBytes()).toEqual(old.client.publicKey)
    for (const party of ['client', 'server'] as const) {
      expect(next[party]).toMatchObject({
        publicKey: old[party].publicKey,
        epoch: 2,
        rootPublicKey: old[party].rootPublicKey,
      })
      expect(next[party].secret).not.toEqual(old[party].secret)
    }
    expect(next.client.shareId).toEqual(next.server.shareId)
  })

  it('pins the root key that the run is bound to, on both sides', () => {
    const rootPublicKey = sha256(utf8ToBytes('the root key of a recovery'))

    const { client, server } = sharesOf(run(Ed25519.refreshSetup(old, 'refresh', { rootPublicKey })))

    expect([client.rootPublicKey, server.rootPublicKey]).toEqual([rootPublicKey, rootPublicKey])
  })

  it('takes one request and the confirming call', () => {
    expect(outcome.positions.filter(({ to }) => to === 'server')).toHaveLength(2)
  })

  it('signs with the new shares, and never with an old and a new one', () => {
    const signature = run(Ed25519.signSetup(next, message, 'sign')).client?.signature
    expect(ed25519.verify(signature!, message, old.client.publicKey, { zip215: false })).toBe(true)
    for (const pair of [
      { client: old.client, server: next.server },
      { client: next.client, server: old.server },
    ]) {
      for (const changes of [{}, { shareId: pair.server.shareId, epoch: pair.server.epoch }]) {
        const mixed = Ed25519.signSetup(pair, message, 'sign', changes)
        for (const [, arithmetic] of arithmetics) {
          expect(run(by(mixed, arithmetic)).stopped).toMatchObject({ kind: 'abort' })
        }
      }
    }
  })

  it('the key is the same after 50 refreshes, and the last shares sign', () => {
    let wallet: Pick<Ed25519.Wallet, 'client' | 'server'> = old
    for (let count = 0; count < 50; count++) wallet = sharesOf(run(Ed25519.refreshSetup(wallet, `refresh ${count}`)))

    expect(wallet.client.epoch).toBe(51)
    const signature = run(Ed25519.signSetup(wallet, message, 'sign')).client?.signature
    expect(ed25519.verify(signature!, message, old.client.publicKey, { zip215: false })).toBe(true)
  })

  it('answers a repeated request with the same bytes', () => {
    for (const position of outcome.positions.filter(({ to }) => to === 'server')) {
      expect(serverStep(setup, position)).toEqual(serverStep(setup, position))
    }
  })

  it('ends as an abort when one side has another context', () => {
    for (const [name, context] of Ed25519.otherContexts(setup.server.context)) {
      const { stopped } = run({ ...setup, server: { ...setup.server, context } })
      expect({ name, kind: stopped?.kind }).toEqual({ name, kind: 'abort' })
    }
  })
})

function sharesOf({ client, server, stopped }: ReturnType<typeof run>): Pick<Ed25519.Wallet, 'client' | 'server'> {
  if (client?.share === undefined || server?.share === undefined) throw new Error(`refresh failed: ${stopped?.reason}`)
  return { client: client.share, server: server.share }
}
