/**
 * An export of a wallet's private key (mpc-review 18; security 1.2, 7): the key of the one page to which the provider's
 * half is sealed, and by what the page's opener answered for it. It is kept with the page's opening, once.
 */
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Result from 'effect/Result'
import * as DeviceKey from '../crypto/DeviceKey.ts'
import { nonceOf } from '../crypto/Export.ts'
import * as RootKey from '../crypto/RootKey.ts'
import type { Opening } from './Opening.ts'
import type { Session } from './Session.ts'

export type Export = {
  readonly walletId: string
  readonly openingId: string
  /** X25519, hex(32). */
  readonly recipientPublicKey: string
  /** SHA-256 of the opener's secret, hex(32), and its device's signature of the answer to the page, hex(64). */
  readonly hostSecretHash: string
  readonly deviceSignature: string
  readonly createdAt: number
  /** When the provider's half was first handed to it; again only ever to the same recipient. */
  readonly releasedAt: number | null
}

export const limits = {
  /** So old a user's proof may be (flows 12). */
  stepUp: 5 * 60_000,
  /** Exports of one wallet within a day (security 1.2, 7). */
  daily: 3,
  day: 24 * 60 * 60_000,
  /** Of one user, and how often one page may ask again (security 2, R7). */
  asks: { burst: 3, perMs: 8 * 60 * 60_000 },
} as const

/** Whether the page's user has shown a credential just now. */
export const isSteppedUp = ({ state, verifiedAt }: Opening, now: number): boolean =>
  state === 'VERIFIED' && verifiedAt !== null && now <= verifiedAt + limits.stepUp

/** What an opener's answer to an export page says (flows 13, `tandem.answer`). */
export type OpenerAnswer = Pick<Export, 'recipientPublicKey' | 'hostSecretHash' | 'deviceSignature'> & {
  readonly opening: Pick<Opening, 'id' | 'sessionId' | 'portalOrigin' | 'page' | 'recordId'>
  /** 32 bytes. */
  readonly ticket: Uint8Array
}

/** Whether the device of this key signed the answer to a page with this very recipient. */
export const isAnswer = (devicePublicKey: Uint8Array, answer: OpenerAnswer): boolean => {
  const { opening, ticket, recipientPublicKey, hostSecretHash, deviceSignature } = answer
  const message = DeviceKey.openerMessageOf({
    openingId: opening.id,
    sessionId: opening.sessionId,
    portalOrigin: opening.portalOrigin,
    page: opening.page,
    record: opening.recordId ?? undefined,
    nonce: nonceOf(hexToBytes(recipientPublicKey)),
    ticket,
    hostSecretHash: hexToBytes(hostSecretHash),
  })
  return DeviceKey.verify(devicePublicKey, message, hexToBytes(deviceSignature))
}

/** The device that answered, with what says whose it is. */
export type Answerer = RootKey.Device & { readonly certificate: Uint8Array }

export const answererOf = (session: Session): Answerer | undefined => {
  const { id, userId, partnerId, origin, devicePublicKey, deviceCertificate } = session
  if (userId === null || devicePublicKey === null || deviceCertificate === null) return undefined
  return {
    userId,
    partnerId,
    origin: origin ?? '',
    sessionId: id,
    devicePublicKey: hexToBytes(devicePublicKey),
    certificate: hexToBytes(deviceCertificate),
  }
}

/**
 * Whether a device of the user answered, by the root key that the sealed share itself names: whoever writes the
 * database can put neither another device nor another recipient in their place.
 */
export const isAskedByUser = (
  rootPublicKey: Uint8Array,
  { certificate, ...device }: Answerer,
  answer: OpenerAnswer,
  now: number,
): boolean =>
  Result.isSuccess(RootKey.checkCertificate(rootPublicKey, certificate, device, now)) &&
  device.sessionId === answer.opening.sessionId &&
  isAnswer(device.devicePublicKey, answer)
