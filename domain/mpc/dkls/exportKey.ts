/** The whole key from its two halves. From here on it is not shared any more. domain/mpc/README.md#key-export */
import { equal } from '../../crypto/Equal.ts'
import type { ShareRecord } from '../ShareRecord.ts'
import type { Arithmetic } from './Arithmetic.ts'

/**
 * Whether the record's scalar is the half of its role, and both halves add up to the wallet's key: x·G = X and
 * X_C + X_S = PK. False for ED25519.
 */
export const isShareOfKey = ({ points }: Pick<Arithmetic, 'points'>, record: ShareRecord): boolean => {
  const { scheme, role, secret, clientPublic, serverPublic, publicKey } = record
  if (scheme !== 'DKLS') return false
  const own = points.multiplyBase(secret)
  const whole = points.add(clientPublic, serverPublic)
  if (own === undefined || whole === undefined) return false
  return equal(own, role === 'USER' ? clientPublic : serverPublic) && equal(whole, publicKey)
}

/** x = x_C + x_S, 32 bytes big-endian, or `undefined` unless both halves and their sum fit the wallet's key. */
export const exportKey = (
  { points, scalars }: Pick<Arithmetic, 'points' | 'scalars'>,
  user: ShareRecord,
  providerSecret: Uint8Array,
): Uint8Array | undefined => {
  const provider: ShareRecord = { ...user, role: 'PROVIDER', secret: providerSecret }
  if (user.role !== 'USER' || !isShareOfKey({ points }, user) || !isShareOfKey({ points }, provider)) return undefined
  const key = scalars.add(user.secret, providerSecret)
  const publicKey = points.multiplyBase(key)
  return publicKey !== undefined && equal(publicKey, user.publicKey) ? key : undefined
}
