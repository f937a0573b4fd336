/**
 * The keys that a host makes for its session and registers before it opens the portal: always the device key, for a
 * login the login pair, for a sign-up the recovery pair. What the portal certified of them is in certifiedKeys.ts.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import * as v from 'valibot'
import * as DeviceKey from '../crypto/DeviceKey.ts'
import * as RecoverySecret from '../crypto/RecoverySecret.ts'
import * as Json from '../model/Json.ts'
import * as StorageKeys from '../model/StorageKeys.ts'
import { Api } from './ports/Api.ts'
import { DeviceKeys } from './ports/DeviceKeys.ts'
import { Random } from './ports/Random.ts'
import { Rsa, type RsaPair } from './ports/Rsa.ts'
import { ShareStore, type PendingRecovery } from './ports/ShareStore.ts'
import { Storage } from './ports/Storage.ts'
import type { HostSession } from './SessionState.ts'
import { rememberDeviceKey } from './rememberDeviceKey.ts'

/** For a login: the pair to whose public half the portal encrypts the shares. */
export const prepareLoginKeys = Effect.fn('sessions.prepareLoginKeys')(function* (session: HostSession) {
  const found = yield* loginPair(session.sessionId)
  const pair = Option.isSome(found) ? found.value : yield* makeLoginPair(session.sessionId)
  yield* register(session, { loginPublicKey: pair.publicKey })
  return pair
})

/** For a sign-up: the recovery pair whose public half the portal's root key signs. */
export const prepareSignUpKeys = Effect.fn('sessions.prepareSignUpKeys')(function* (
  session: HostSession,
  userId: string,
) {
  const { pendingRecovery } = yield* ShareStore
  const found = yield* pendingRecovery.get(userId)
  const recovery = Option.isSome(found) ? found.value : yield* makeRecoveryPair(userId)
  if (Option.isNone(found)) yield* pendingRecovery.set(recovery)
  yield* register(session, { recoveryPublicKey: hexToBytes(recovery.publicKey) })
  return recovery
})

/** In session storage under a name that other clients use as well: a pair in another form is replaced. */
const storedPair = v.object({ v: v.literal(1), sessionId: v.string(), publicKey: v.string(), privateKey: v.string() })

/** The pair of this session, which survives a reload. */
export const loginPair = Effect.fn('sessions.loginPair')(function* (sessionId: string) {
  const text = yield* (yield* Storage).session.get(StorageKeys.loginEncryptionKeyPair)
  const stored = text === undefined ? undefined : Json.parse(storedPair, text)
  if (stored?.sessionId !== sessionId) return Option.none<RsaPair>()
  const { publicKey, privateKey } = stored
  return Option.some<RsaPair>({ publicKey, privateKey: Redacted.make(privateKey, { label: 'RSA private key' }) })
})

export const forgetLoginPair = Effect.gen(function* () {
  yield* (yield* Storage).session.remove(StorageKeys.loginEncryptionKeyPair)
})

/** Whether any login was begun in this tab. */
export const hasLoginPair = Effect.gen(function* () {
  return (yield* (yield* Storage).session.get(StorageKeys.loginEncryptionKeyPair)) !== undefined
})

const makeLoginPair = Effect.fnUntraced(function* (sessionId: string) {
  const pair = yield* (yield* Rsa).generate
  const { publicKey, privateKey } = pair
  const stored = { v: 1, sessionId, publicKey, privateKey: Redacted.value(privateKey) }
  yield* (yield* Storage).session.set(StorageKeys.loginEncryptionKeyPair, JSON.stringify(stored))
  return pair
})

const makeRecoveryPair = Effect.fnUntraced(function* (userId: string) {
  const random = yield* Random
  let secretKey = yield* random.bytes(RecoverySecret.secretKeyLength)
  // One in 2^128 texts of 32 bytes is no scalar.
  while (!secp256k1.utils.isValidSecretKey(secretKey)) secretKey = yield* random.bytes(RecoverySecret.secretKeyLength)
  const publicKey = bytesToHex(RecoverySecret.publicKeyOf(secretKey))
  const secret = Redacted.make(bytesToHex(secretKey), { label: 'recovery key' })
  return { userId, secretKey: secret, publicKey, lackingBackup: [] } satisfies PendingRecovery
})

/** For the protocols' frames alone: a session of the public client, whose requests no key signs. */
export const prepareDeviceKey = (session: HostSession) => register(session, {})

type OtherKeys = Pick<DeviceKey.SessionKeys, 'loginPublicKey' | 'recoveryPublicKey'>

const register = Effect.fnUntraced(function* ({ sessionId }: HostSession, others: OtherKeys) {
  const keys = yield* DeviceKeys
  const { publicKey } = yield* keys.create(sessionId)
  const message = DeviceKey.sessionKeysMessage({ sessionId, devicePublicKey: hexToBytes(publicKey), ...others })
  const proof = yield* keys.sign(sessionId, message)
  const { loginPublicKey, recoveryPublicKey } = others
  yield* (yield* Api).call('registerSessionKeys', {
    path: { sessionId },
    body: {
      devicePublicKey: publicKey,
      proof: bytesToHex(proof),
      ...(loginPublicKey === undefined ? {} : { loginPublicKey }),
      ...(recoveryPublicKey === undefined ? {} : { recoveryPublicKey: bytesToHex(recoveryPublicKey) }),
    },
  })
  // Not before: a page with an earlier session, which is refused here, deletes no key of the one that stands.
  yield* rememberDeviceKey(sessionId)
})
