import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { expect, it } from 'vitest'
import * as DeviceKey from '../../../domain/crypto/DeviceKey.ts'
import * as RootKey from '../../../domain/crypto/RootKey.ts'
import { noble } from '../../../domain/crypto/Signatures.ts'
import { isDelegated, type Delegation } from '../../../domain/service/Delegation.ts'
import { isFreshLogin } from '../../../domain/service/Refresh.ts'

const keysOf = (byte: number) => {
  const secretKey = new Uint8Array(32).fill(byte)
  return { secretKey, publicKey: p256.getPublicKey(secretKey, false) }
}
const root = new Uint8Array(32).fill(1)
const device = keysOf(2)
const server = keysOf(3)
const now = 1_700_000_000_000
const hour = 60 * 60_000

type Wish = {
  /** Changes what the root key says of the delegating device. */
  readonly certificate?: Partial<RootKey.DeviceCertificate>
  /** Changes what the device signs, and what is told of it. */
  readonly delegation?: Partial<Pick<Delegation, 'scope' | 'issuedAt' | 'expiresAt'>>
  readonly signer?: Uint8Array
  readonly root?: Uint8Array | null
  readonly user?: string | null
  /** Changes the record afterwards, as a writer of the database would. */
  readonly record?: Partial<Delegation>
}

const verdict = (wish: Wish = {}): boolean => {
  const of = { userId: 'ada', partnerId: 'shop', sessionId: 'a session' }
  const certificate = RootKey.certifyDevice(root, {
    ...of,
    origin: 'https://shop.example',
    devicePublicKey: device.publicKey,
    issuedAt: now - hour,
    expiresAt: now + 2 * hour,
    ...wish.certificate,
  })
  const signed = { scope: 'SIGN', issuedAt: now, expiresAt: now + hour, ...wish.delegation } as const
  const message = DeviceKey.delegationMessage({ ...of, devicePublicKey: server.publicKey, ...signed })
  const record = {
    ...signed,
    parentId: of.sessionId,
    certificate: bytesToHex(certificate),
    signature: bytesToHex(noble.signP256(wish.signer ?? device.secretKey, message)),
    ...wish.record,
  }
  const user = wish.user === undefined ? of.userId : wish.user
  const session = { ...of, userId: user, devicePublicKey: bytesToHex(server.publicKey) }
  const publicKey = wish.root === undefined ? root : wish.root
  return isDelegated(publicKey && bytesToHex(ed25519.getPublicKey(publicKey)), session, record, now, noble)
}

it.each<[string, Wish]>([
  ['as the device signed it', {}],
  ['by a clock that is a minute ahead', { delegation: { issuedAt: now + 60_000 } }],
  ['until the certificate is over', { delegation: { expiresAt: now + 2 * hour } }],
])('holds %s', (_, wish) => {
  expect(verdict(wish)).toBe(true)
})

it.each<[string, Wish]>([
  ['whose device another root key certified', { root: new Uint8Array(32).fill(9) }],
  ['of a user without a root key', { root: null }],
  ['of no user', { user: null }],
  ['of another user than the session', { user: 'eve' }],
  ['by the device of another user', { certificate: { userId: 'eve' } }],
  ['by a device at another partner', { certificate: { partnerId: 'other' } }],
  ['by the device of another session', { certificate: { sessionId: 'other' } }],
  ['that another key signed', { signer: server.secretKey }],
  ['that is over', { delegation: { expiresAt: now } }],
  ['of a later time', { delegation: { issuedAt: now + 60_001 } }],
  ['that outlives the certificate', { delegation: { expiresAt: now + 2 * hour + 1 } }],
  ['whose session was changed', { record: { parentId: 'other' } }],
  ['whose scope was changed', { delegation: { scope: 'READ' }, record: { scope: 'SIGN' } }],
  ['whose end was changed', { record: { expiresAt: now + 2 * hour } }],
  ['whose beginning was changed', { record: { issuedAt: now - 1 } }],
  ['whose certificate is none', { record: { certificate: '00' } }],
  ['whose signature is none', { record: { signature: '' } }],
])('does not hold %s', (_, wish) => {
  expect(verdict(wish)).toBe(false)
})

it('is no fresh login, which leads out of a lock', () => {
  const delegation = {
    parentId: '',
    scope: 'SIGN',
    issuedAt: now,
    expiresAt: now,
    certificate: '',
    signature: '',
  } as const

  expect(isFreshLogin({ authenticatedAt: now, delegation: null }, now)).toBe(true)
  expect(isFreshLogin({ authenticatedAt: now, delegation }, now)).toBe(false)
})
