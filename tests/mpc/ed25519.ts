/** Wallets and runs of ED25519 for its tests, on the driver of both parties. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js'
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
 * Bytes that a peer might send in place of these, by name: one bit off, all zeros, and in each 32 bytes alone the
 * group order and the field's and their neighbours, small numbers and the largest, points of small order, the negative
 * scalar, the same scalar not canonical, and the point with torsion.
 */
export const variants = (field: Uint8Array): Readonly<Record<string, Uint8Array>> => {
  const flipped = (index: number, mask: number) => field.with(index, (field[index] ?? 0) ^ mask)
  const chunks = Array.from({ length: field.length >> 5 }, (_, chunk) => {
    const own = field.subarray(32 * chunk, 32 * chunk + 32)
    const scalar = Fn.create(bytesToNumberLE(own))
    const values = {
      ...constants,
      negative: numberToBytesLE(Fn.neg(scalar), 32),
      'and the order': numberToBytesLE(scalar + Fn.ORDER, 32),
      'with torsion': withTorsion(own),
    }
    return Object.entries(values).map(([name, value]) => {
      const changed = field.slice()
      changed.set(value, 32 * chunk)
      return [`${chunk}: ${name}`, changed] as const
    })
  })
  const all = [
    ['first bit', flipped(0, 1)],
    ['last bit', flipped(field.length - 1, 0x80)],
    ['bit 255', flipped(31, 0x80)],
    ['middle bit', flipped(field.length >> 1, 0x10)],
    ['zero', new Uint8Array(field.length)],
    ...chunks.flat(),
  ] as const
  return Object.fromEntries(all.filter(([, other]) => !Buffer.from(other).equals(field)))
}

export const replacements = (field: Uint8Array): readonly Uint8Array[] => Object.values(variants(field))

const { Fn, Fp } = ed25519.Point

/** Canonical encodings of points of order 8, 4 and 2. */
const smallOrder = [
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  '0000000000000000000000000000000000000000000000000000000000000080',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]

const constants: Readonly<Record<string, Uint8Array>> = {
  ...Object.fromEntries(
    Object.entries({
      0: 0n,
      1: 1n,
      2: 2n,
      7: 7n,
      order: Fn.ORDER,
      'order less one': Fn.ORDER - 1n,
      'order and one': Fn.ORDER + 1n,
      field: Fp.ORDER,
      'field less one': Fp.ORDER - 1n,
      'field and one': Fp.ORDER + 1n,
      largest: 2n ** 256n - 1n,
    }).map(([name, value]) => [name, numberToBytesLE(value, 32)]),
  ),
  ...Object.fromEntries(smallOrder.map((point, index) => [`small order ${index}`, Buffer.from(point, 'hex')])),
}

/** The point and one of order 8; bytes that are no point stay. */
const withTorsion = (bytes: Uint8Array): Uint8Array => {
  try {
    return ed25519.Point.fromBytes(bytes)
      .add(ed25519.Point.fromHex(smallOrder[0] ?? ''))
      .toBytes()
  } catch {
    return bytes
  }
}
