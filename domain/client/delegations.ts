/** Sessions that this device hands to a server (domain/service/README.md#delegated-sessions). */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import * as DeviceKey from '../crypto/DeviceKey.ts'
import * as RootKey from '../crypto/RootKey.ts'
import type { Scope } from '../model/Delegation.ts'
import { requireOwnUser, requireUser } from '../model/Session.ts'
import { Api } from './ports/Api.ts'
import { DeviceKeys } from './ports/DeviceKeys.ts'
import { DeviceKeyMissing } from './runProtocol.ts'
import { currentSession, serverTime } from './touch.ts'

/** A session of a new key, which this device's key signs. It ends with this device's certificate at the latest. */
export const createDelegation = Effect.fn('delegations.createDelegation')(function* (scope: Scope, lifetimeMs: number) {
  const { sessionId, partnerId, ...session } = yield* currentSession
  const userId = yield* Effect.fromResult(requireOwnUser(session))
  const keys = yield* DeviceKeys
  const certification = Option.getOrUndefined(yield* keys.find(sessionId))?.certification
  if (certification === undefined) return yield* new DeviceKeyMissing()
  const { rootPublicKey, certificate } = certification
  const certified = RootKey.openCertificate(hexToBytes(rootPublicKey), hexToBytes(certificate))
  if (Result.isFailure(certified)) return yield* new DeviceKeyMissing()

  const key = yield* keys.makePortable
  const issuedAt = Math.floor(yield* serverTime)
  const expiresAt = Math.min(issuedAt + Math.floor(lifetimeMs), certified.success.expiresAt)
  const said = { scope, issuedAt, expiresAt }
  const devicePublicKey = hexToBytes(key.publicKey)
  const message = DeviceKey.delegationMessage({
    userId,
    partnerId: partnerId ?? '',
    sessionId,
    devicePublicKey,
    ...said,
  })
  const signature = bytesToHex(yield* keys.sign(sessionId, message))
  const made = yield* (yield* Api).call('createDelegation', {
    path: { userId },
    body: { devicePublicKey: key.publicKey, signature, ...said },
  })
  return { v: 1, sessionId: made.delegationId, privateKey: Redacted.value(key.privateKey), token: made.token }
})

/** The user's delegated sessions at this partner that are alive, by whichever device. */
export const listDelegations = Effect.fn('delegations.listDelegations')(function* () {
  const userId = yield* Effect.fromResult(requireUser(yield* currentSession))
  return (yield* (yield* Api).call('listDelegations', { path: { userId } })).delegations
})

export const endDelegation = Effect.fn('delegations.endDelegation')(function* (delegationId: string) {
  const userId = yield* Effect.fromResult(requireUser(yield* currentSession))
  yield* (yield* Api).call('endDelegation', { path: { userId, delegationId } })
})
