/** Wallets and runs of ED25519 for its tests, on the driver of both parties. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE } from '@noble/curves/utils.js'
import { keygen } from '../../domain/mpc/ed25519/keygen.ts'
import { refresh } from '../../domain/mpc/ed25519/refresh.ts'
import { sign } from '../../domain/mpc/ed25519/sign.ts'
import type { Context } from '../../domain/mpc/Protocol.ts'
import type { ShareRecord } from '../../domain/mpc/ShareRecord.ts'
import { contextOf, run, type Outcome, type Setup } from './run.ts'

export const keygenSetup = (seed: string, changes: Partial<Context> = {}): Setup => {
  const context = contextOf('keygen', { scheme: 'ED25519', ...changes })
  return { protocol: keygen, client: { context }, server: { context }, seed }
}

export type Wallet = { readonly keygen: Outcome; readonly client: ShareRecord; readonly server: ShareRecord }

export const makeWallet = (seed = 'keygen', changes: Partial<Context> = {}): Wallet => {
  const outcome = run(keygenSetup(seed, changes))
  const [client, server] = [outcome.client?.share, outcome.server?.share]
  if (client === undefined || server === undefined) throw new Error(`keygen failed: ${outcome.stopped?.reason}`)
  return { keygen: outcome, client, server }
}

export const signSetup = (
  wallet: Pick<Wallet, 'client' | 'server'>,
  message: Uint8Array,
  seed: string,
  changes: Partial<Context> = {},
): Setup => {
  const context = contextOf('sign', {
    scheme: 'ED25519',
    shareId: wallet.client.shareId,
    epoch: wallet.client.epoch,
    rootPublicKey: new Uint8Array(0),
    payload: { message, class: 'solanaMessage' },
    ...changes,
  })
  return { protocol: sign, client: { context, share: wallet.client }, server: { context, share: wallet.server }, seed }
}

export const refreshSetup = (
  wallet: Pick<Wallet, 'client' | 'server'>,
  seed: string,
  changes: Partial<Context> = {},
): Setup => {
  const context = contextOf('refresh', {
    scheme: 'ED25519',
    shareId: wallet.client.shareId,
    epoch: wallet.client.epoch,
    rootPublicKey: wallet.client.rootPublicKey,
    ...changes,
  })
  const [client, server] = [wallet.client, wallet.server].map((share) => ({ context, share }))
  if (client === undefined || server === undefined) throw new Error('no wallet')
  return { protocol: refresh, client, server, seed }
}

/** Every context that differs from this one in one field. */
export const otherContexts = (context: Context): readonly (readonly [string, Context])[] => {
  const changes: Partial<Context> = {
    kind: context.kind === 'sign' ? 'keygen' : 'sign',
    scheme: 'DKLS',
    protocolId: '22222222-2222-4333-8444-555555555555',
    walletId: 'bbbbbbbb-bbbb-4ccc-8ddd-eeeeeeeeeeee',
    userId: '88888888-8888-4777-8666-555555555555',
    partnerId: '22345678-1234-4123-8123-123456789abc',
    deviceKeyThumb: new Uint8Array(32),
    epoch: context.epoch + 1,
    attempt: new Uint8Array(16),
    shareId: new Uint8Array(32),
    otId: new Uint8Array(32),
    rootPublicKey: new Uint8Array(32),
  }
  return Object.entries(changes).map(([name, value]) => [name, { ...context, [name]: value }])
}

/**
 * Bytes that a peer might send in place of these: one bit off at either end, nothing, everything, the group order and
 * its neighbours, the identity, points of small order, no point, not canonical, and the negative.
 */
export const replacements = (field: Uint8Array): readonly Uint8Array[] => {
  const bit = (index: number, mask: number) => field.map((byte, at) => (at === index ? byte ^ mask : byte))
  const fitted = (bytes: Uint8Array) => {
    const out = new Uint8Array(field.length)
    for (let offset = 0; offset < out.length; offset += bytes.length) {
      out.set(bytes.subarray(0, out.length - offset), offset)
    }
    return out
  }
  const le = (value: bigint) =>
    Uint8Array.from({ length: 32 }, (_, index) => Number((value >> BigInt(8 * index)) & 255n))
  const order = ed25519.Point.Fn.ORDER
  const p = 2n ** 255n - 19n
  /** Each scalar of the field in turn, as its negative. */
  const negatives = Array.from({ length: field.length >> 5 }, (_, index) => {
    const scalar = ed25519.Point.Fn.create(bytesToNumberLE(field.subarray(32 * index, 32 * index + 32)))
    const negative = field.slice()
    negative.set(le(order - scalar), 32 * index)
    return negative
  })
  const values = [0n, 1n, order, order - 1n, order + 1n, p, p + 1n, p - 1n, 2n ** 256n - 1n, 2n, 7n]
  return [
    bit(0, 1),
    bit(field.length - 1, 0x80),
    bit(31, 0x80),
    bit(field.length >> 1, 0x10),
    ...negatives,
    ...values.map((value) => fitted(le(value))),
    ...smallOrder.map((point) => fitted(Buffer.from(point, 'hex'))),
  ].filter((other) => !Buffer.from(other).equals(field))
}

/** Canonical encodings of points of order 8, 4 and 2. */
const smallOrder = [
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  '0000000000000000000000000000000000000000000000000000000000000080',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]
