/** What makes a session a delegated one, and by what it is proven (domain/service/README.md#delegated-sessions). */
import * as Result from 'effect/Result'
import * as Schema from 'effect/Schema'
import * as DeviceKey from '../crypto/DeviceKey.ts'
import { fromHex } from '../crypto/Hex.ts'
import * as RootKey from '../crypto/RootKey.ts'
import { scopes } from '../model/Delegation.ts'
import type { Signatures } from './ports/Signatures.ts'

export const Delegation = Schema.Struct({
  /** The session whose device signed. */
  parentId: Schema.String,
  scope: Schema.Literals(scopes),
  /** Milliseconds since 1970. */
  issuedAt: Schema.Number,
  /** Milliseconds since 1970. */
  expiresAt: Schema.Number,
  /** That of the delegating device, hex: it has to outlive its session's row. */
  certificate: Schema.String,
  /** By that device's key over `DeviceKey.delegationMessage`, hex(64). */
  signature: Schema.String,
})
export type Delegation = typeof Delegation.Type

/** Of one user at one partner, alive at the same time. What ends a user's sessions ends each of them in one transaction. */
export const maximumDelegations = 20

/** Of the delegated session; its key is hex(65). */
type Delegated = {
  readonly userId: string | null
  readonly partnerId: string
  readonly devicePublicKey: string | null
}

/** Milliseconds by which the clock of the device may be ahead. */
const clockSkew = 60_000

/**
 * Whether the user's root key, hex(32), certified the delegating device, that device signed the delegation of exactly this
 * key, and both are in their time. A delegation ends with the certificate at the latest.
 */
export const isDelegated = (
  rootPublicKey: string | null,
  { userId, partnerId, devicePublicKey }: Delegated,
  delegation: Delegation,
  now: number,
  { p256, ed25519 }: Pick<Signatures['Service'], 'p256' | 'ed25519'>,
): boolean => {
  const root = fromHex(rootPublicKey ?? '', 32)
  const certificate = fromHex(delegation.certificate)
  const signature = fromHex(delegation.signature, DeviceKey.signatureLength)
  const key = fromHex(devicePublicKey ?? '', DeviceKey.publicKeyLength)
  if (root === undefined || certificate === undefined || signature === undefined) return false
  if (key === undefined || userId === null) return false
  const opened = RootKey.openCertificate(root, certificate, ed25519)
  if (Result.isFailure(opened)) return false
  const { parentId: sessionId, scope, issuedAt, expiresAt } = delegation
  const device = opened.success
  const isOfDevice = device.userId === userId && device.partnerId === partnerId && device.sessionId === sessionId
  const isInTime = issuedAt <= now + clockSkew && now < expiresAt && expiresAt <= device.expiresAt
  if (!isOfDevice || !isInTime) return false
  const signed = { userId, partnerId, sessionId, devicePublicKey: key, scope, issuedAt, expiresAt }
  return p256(device.devicePublicKey, DeviceKey.delegationMessage(signed), signature)
}
