import { randomUUID } from 'node:crypto'
import type { KeyShare } from '../../domain/service/ports/KeyShares.ts'

/** A backup row of which nothing but its place counts. */
export const keyShareOf = (changes: Partial<KeyShare>): KeyShare => ({
  id: randomUUID(),
  walletId: 'wallet',
  userId: 'user',
  partnerId: 'partner',
  epoch: 1,
  shareId: 'aa',
  encryptor: 'PASSWORD',
  keyRef: 'key',
  encryptedShare: 'c0ffee',
  encryptedKey: 'c3',
  protocolId: null,
  deviceSignature: null,
  certificate: null,
  createdAt: 1,
  ...changes,
})
