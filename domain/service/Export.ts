/**
 * An export of a wallet's private key (domain/service/README.md#key-export): the key of the one page to which the
 * provider's half is sealed, and the opener's signed answer to that page. It is kept with the portal session, once.
 */
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Result from 'effect/Result'
import * as DeviceKey from '../crypto/DeviceKey.ts'
import { nonceOf } from '../crypto/Export.ts'
import * as RootKey from '../crypto/RootKey.ts'
import { isRecent } from './clocks.ts'
import type { PortalSessionRecord } from './PortalSession.ts'
import type { SessionRecord } from './Session.ts'

export type Export = {
  readonly walletId: string
  readonly openingId: string
  /** X25519, hex(32). */
  readonly recipientPublicKey: string
  /** SHA-256 of the opener's secret, hex(32), and its device's signature of the answer to the page, hex(64). */
  readonly hostSecretHash: string
  readonly deviceSignature: string
  readonly createdAt: number
  /** When the provider's half was first released. It is released again only to the same recipient. */
  readonly releasedAt: number | null
}

/** Times in milliseconds. */
export const exportLimits = {
  /** How old the proof of the user may be. */
  stepUp: 5 * 60_000,
  /** Exports of one wallet within `day`. */
  daily: 3,
  day: 24 * 60 * 60_000,
} as const

/** Whether the page's user has shown a credential just now. */
export const isSteppedUp = ({ state, verifiedAt }: PortalSessionRecord, now: number): boolean =>
  state === 'VERIFIED' && verifiedAt !== null && isRecent(verifiedAt, exportLimits.stepUp, now)

/** What the answer of an opener to an export page says (domain/client/README.md#portal-session). */
export type OpenerAnswer = Pick<Export, 'recipientPublicKey' | 'hostSecretHash' | 'deviceSignature'> & {
  readonly portalSession: Pick<PortalSessionRecord, 'id' | 'sessionId' | 'portalOrigin' | 'page' | 'recordId'>
  /** 32 bytes. */
  readonly ticket: Uint8Array
}

/** Whether the device of this key signed the answer to a page with this very recipient. */
export const isAnswer = (devicePublicKey: Uint8Array, answer: OpenerAnswer): boolean => {
  const { portalSession, ticket, recipientPublicKey, hostSecretHash, deviceSignature } = answer
  const message = DeviceKey.openerMessageOf({
    openingId: portalSession.id,
    sessionId: portalSession.sessionId,
    portalOrigin: portalSession.portalOrigin,
    page: portalSession.page,
    record: portalSession.recordId ?? undefined,
    nonce: nonceOf(hexToBytes(recipientPublicKey)),
    ticket,
    hostSecretHash: hexToBytes(hostSecretHash),
  })
  return DeviceKey.verify(devicePublicKey, message, hexToBytes(deviceSignature))
}

/** The device that answered, with its certificate. */
export type Answerer = RootKey.Device & { readonly certificate: Uint8Array }

export const answererOf = (session: SessionRecord): Answerer | undefined => {
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
 * Whether a device of the user answered, by the root key that the sealed share itself names: a writer of the database
 * can substitute neither the device nor the recipient.
 */
export const isAskedByUser = (
  rootPublicKey: Uint8Array,
  { certificate, ...device }: Answerer,
  answer: OpenerAnswer,
  now: number,
): boolean =>
  Result.isSuccess(RootKey.checkCertificate(rootPublicKey, certificate, device, now)) &&
  device.sessionId === answer.portalSession.sessionId &&
  isAnswer(device.devicePublicKey, answer)
