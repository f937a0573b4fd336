import { secp256k1 } from '@noble/curves/secp256k1.js'
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exportKey, isShareOfKey } from '../../domain/mpc/dkls/exportKey.ts'
import { noble } from '../../domain/mpc/noble.ts'
import type { ShareRecord } from '../../domain/mpc/ShareRecord.ts'
import { kernel } from './kernel.ts'

const { Point } = secp256k1
const order = Point.Fn.ORDER
const scalar = (value: bigint) => Point.Fn.toBytes(value)

const user = (() => {
  const [secret, provider] = [secp256k1.utils.randomSecretKey(), secp256k1.utils.randomSecretKey()]
  const client = Point.BASE.multiply(Point.Fn.fromBytes(secret))
  const server = Point.BASE.multiply(Point.Fn.fromBytes(provider))
  const record: ShareRecord = {
    scheme: 'DKLS',
    role: 'USER',
    walletId: '6f1c7a1e-0d5b-4c7e-9f0a-0123456789ab',
    epoch: 1,
    shareId: new Uint8Array(32),
    secret,
    clientPublic: client.toBytes(),
    serverPublic: server.toBytes(),
    publicKey: client.add(server).toBytes(),
    chainCode: new Uint8Array(32),
    rootPublicKey: new Uint8Array(0),
  }
  return { record, provider }
})()
const { record, provider } = user
const other = secp256k1.utils.randomSecretKey()

describe.each([
  ['noble', noble],
  ['the kernel', kernel],
])('the whole key, computed by %s', (_, arithmetic) => {
  it('is the sum of both halves, and its public key the wallet’s', () => {
    const key = exportKey(arithmetic, record, provider)

    expect(key && secp256k1.getPublicKey(key)).toEqual(record.publicKey)
  })

  it('is refused where a half, a point or the record does not belong to the wallet', () => {
    const wrong: readonly (readonly [ShareRecord, Uint8Array])[] = [
      [record, other],
      [record, new Uint8Array(32)],
      [record, scalar(1n)],
      [record, new Uint8Array(randomBytes(32)).fill(0xff)],
      [{ ...record, secret: other }, provider],
      [{ ...record, clientPublic: record.serverPublic, serverPublic: record.clientPublic }, provider],
      [{ ...record, publicKey: record.clientPublic }, provider],
      [{ ...record, serverPublic: new Uint8Array(33) }, provider],
      [{ ...record, role: 'PROVIDER' }, provider],
      [{ ...record, scheme: 'ED25519' }, provider],
    ]

    expect(wrong.map(([share, half]) => exportKey(arithmetic, share, half))).toEqual(wrong.map(() => undefined))
  })

  it('is refused where the halves cancel', () => {
    const negative = scalar(order - Point.Fn.fromBytes(record.secret))
    const cancelled = { ...record, serverPublic: secp256k1.getPublicKey(negative) }

    expect(exportKey(arithmetic, cancelled, negative)).toBeUndefined()
    expect(isShareOfKey(arithmetic, cancelled)).toBe(false)
  })
})
