/** Sessions, portal tokens and recoveries in any state, put where the service reads them: what a caller may come with. */
import { randomBytes, randomUUID } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as DeviceKey from '../../domain/crypto/DeviceKey.ts'
import type { Scope } from '../../domain/model/Delegation.ts'
import type { State } from '../../domain/model/Session.ts'
import { portalSessionLimits } from '../../domain/service/PortalSession.ts'
import { tokenMac } from '../../domain/service/portalSessions.ts'
import { Delegations } from '../../domain/service/ports/Delegations.ts'
import { PortalSessions } from '../../domain/service/ports/PortalSessions.ts'
import { Recoveries } from '../../domain/service/ports/Recoveries.ts'
import { Sessions } from '../../domain/service/ports/Sessions.ts'
import { Vault } from '../../domain/service/ports/Vault.ts'
import { recoveryLimits } from '../../domain/service/Recovery.ts'
import type { TestService } from '../kit/service.ts'
import { portal, shop } from './people.ts'
import type { SigningKey } from './wire.ts'

export type TestSession = {
  readonly id: string
  readonly lookupId: string
  readonly token: string
  readonly device: SigningKey
}

type Running = Pick<TestService, 'run'>

const newToken = () => randomBytes(32).toString('base64url')

export type SessionToMake = {
  readonly partnerId: string
  readonly userId: string | null
  readonly state?: Exclude<State, 'CLOSED'>
  readonly origin?: string
  /** How long ago it began. */
  readonly ageMs?: number
}

/** A session with a device key that signs its requests; AUTHENTICATED unless told otherwise. */
export const makeSession = (service: Running, of: SessionToMake): Promise<TestSession> =>
  service.run(
    Effect.gen(function* () {
      const { partnerId, userId, state = 'AUTHENTICATED', origin = shop, ageMs = 0 } = of
      const sessions = yield* Sessions
      const { mac } = yield* Vault
      const now = (yield* Clock.currentTimeMillis) - ageMs
      const [id, lookupId, token] = [randomUUID(), randomUUID(), newToken()]
      const isProven = state === 'VERIFIED' || state === 'AUTHENTICATED'
      const begun = { id, lookupId, partnerId, origin, userId, userProven: isProven, identity: null, now }
      yield* sessions.create({ ...begun, state: isProven ? 'VERIFIED' : state }, mac('session token', token))
      const { secretKey, publicKey } = p256.keygen()
      const devicePublicKey = p256.Point.fromBytes(publicKey).toBytes(false)
      yield* sessions.registerKeys(id, {
        loginPublicKey: null,
        loginKeyThumbprint: null,
        devicePublicKey: bytesToHex(devicePublicKey),
        deviceKeyThumb: bytesToHex(DeviceKey.thumbprint(devicePublicKey)),
        deviceSignsRequests: true,
        recoveryPublicKey: null,
      })
      if (state === 'AUTHENTICATED' && userId !== null) {
        const by = { currentWalletIds: {}, needsWallet: false, deviceCertificate: null, openingResult: null }
        yield* sessions.authenticate(id, { userId, authMethod: 'PASSWORD', authenticatedAt: now, ...by }, now)
      }
      return { id, lookupId, token, device: { sessionId: id, secretKey } }
    }),
  )

/** A delegated session that this one made, as far as its API sees it: nothing is signed by it. */
export const makeDelegation = (
  service: Running,
  of: {
    readonly parent: TestSession
    readonly userId: string
    readonly partnerId: string
    readonly scope: Scope
    /** How long ago it was over. */
    readonly overMs?: number
  },
): Promise<TestSession> =>
  service.run(
    Effect.gen(function* () {
      const { parent, userId, partnerId, scope, overMs = -3_600_000 } = of
      const { mac } = yield* Vault
      const now = yield* Clock.currentTimeMillis
      const [id, lookupId, token] = [randomUUID(), randomUUID(), newToken()]
      const { secretKey, publicKey } = p256.keygen()
      const key = p256.Point.fromBytes(publicKey).toBytes(false)
      const proof = {
        parentId: parent.id,
        scope,
        issuedAt: now,
        expiresAt: now - overMs,
        certificate: '',
        signature: '',
      }
      const owner = { id, lookupId, userId, partnerId, currentWalletIds: {}, now }
      const keys = { devicePublicKey: bytesToHex(key), deviceKeyThumb: bytesToHex(DeviceKey.thumbprint(key)) }
      yield* (yield* Delegations).create({ ...owner, ...keys, delegation: proof }, mac('session token', token))
      return { id, lookupId, token, device: { sessionId: id, secretKey } }
    }),
  )

/** The session gets another token, and the one that is known has retired. */
export const replaceToken = (service: Running, { id, token }: TestSession): Promise<void> =>
  service.run(
    Effect.gen(function* () {
      const { mac } = yield* Vault
      const now = yield* Clock.currentTimeMillis
      yield* (yield* Sessions).replaceToken({
        sessionId: id,
        oldTokenMac: mac('session token', token),
        tokenMac: mac('session token', newToken()),
        retiresAt: now - 1,
        now,
      })
    }),
  )

export type PortalSessionToMake = {
  readonly session: Pick<TestSession, 'id'>
  readonly partnerId: string
  /** Who was verified there; nobody yet if it is null. */
  readonly userId: string | null
  readonly ageMs?: number
}

/** A visit to the page for a login by password, which a session opened. A session has one at a time. */
export const makePortalSession = (
  service: Running,
  { session, partnerId, userId, ageMs = 0 }: PortalSessionToMake,
): Promise<{ readonly id: string; readonly token: string }> =>
  service.run(
    Effect.gen(function* () {
      const portalSessions = yield* PortalSessions
      const now = (yield* Clock.currentTimeMillis) - ageMs
      const [id, token] = [randomUUID(), newToken()]
      yield* portalSessions.create({
        id,
        sessionId: session.id,
        partnerId,
        page: 'login-password',
        recordId: null,
        portalOrigin: portal,
        userId: null,
        secretHash: '00'.repeat(32),
        now,
        expiresAt: now + portalSessionLimits.life,
      })
      yield* portalSessions.ticket(id, session.id, now)
      yield* portalSessions.enter(id, { variant: 'opener' }, yield* tokenMac(token))
      if (userId !== null) yield* portalSessions.verify(id, userId, now)
      return { id, token }
    }),
  )

export type RecoveryToMake = {
  readonly session: Pick<TestSession, 'id'>
  readonly userId: string
  readonly walletIds: readonly string[]
  readonly ageMs?: number
}

/** Makes the session's recovery READY. */
export const makeRecovery = (
  service: Running,
  { session, userId, walletIds, ageMs = 0 }: RecoveryToMake,
): Promise<void> =>
  service.run(
    Effect.gen(function* () {
      const recoveries = yield* Recoveries
      const createdAt = (yield* Clock.currentTimeMillis) - ageMs
      const expiresAt = createdAt + recoveryLimits.life
      yield* recoveries.begin({ sessionId: session.id, userId, createdAt, expiresAt })
      yield* recoveries.ready(session.id, userId, { walletIds, expiresAt })
    }),
  )
