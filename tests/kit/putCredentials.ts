/** Credentials of a session's user in a database, put where the portal's pages would have put them. */
import { randomBytes, randomUUID } from 'node:crypto'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import { defaultKdf } from '../../domain/crypto/PasswordKeys.ts'
import { Passkeys } from '../../domain/service/ports/Passkeys.ts'
import { Passwords } from '../../domain/service/ports/Passwords.ts'
import type { SignedIn, TestUser, World } from './cosignerWorld.ts'

const rootFields = ({ rootPublicKey }: TestUser) => ({
  rootPublicKey: bytesToHex(rootPublicKey),
  wrappedRootKey: 'v2.cm9vdA',
  rootSignature: '00'.repeat(64),
})

/** A recovery stages its password, which becomes valid when the recovery ends. */
export const putPassword = (world: World, by: SignedIn, step: 'complete' | 'stage' = 'complete') =>
  world.run(
    Effect.gen(function* () {
      const passwords = yield* Passwords
      const pending = pendingOf(by, world.now())
      const { id } = pending
      const salt = '00'.repeat(16)
      yield* passwords.create({ ...pending, salt, sealedPepper: randomBytes(32) })
      yield* passwords[step](id, {
        ...rootFields(by.user),
        sigDerivedPublicKey: 'aa',
        salt,
        kdf: defaultKdf,
        encryptedWalletPrivateKey: 'v2.d3JhcHBlZA',
        encryptionKeyHash: '11'.repeat(32),
        sealedVerifier: randomBytes(32),
      })
      return id
    }),
  )

/** `key` is what backups to the passkey name it by. */
export const putPasskey = (world: World, by: SignedIn) =>
  world.run(
    Effect.gen(function* () {
      const passkeys = yield* Passkeys
      const pending = pendingOf(by, world.now())
      const { id } = pending
      const key = bytesToHex(randomBytes(32))
      yield* passkeys.create({ ...pending, type: 'WEB' })
      yield* passkeys.complete(id, {
        ...rootFields(by.user),
        credentialId: id,
        sigDerivedPublicKey: key,
        authenticatorKey: randomBytes(65),
        aaguid: '00'.repeat(16),
        counter: 0,
        rpId: 'portal.localhost',
        variant: 'prf',
      })
      return { id, key }
    }),
  )

const pendingOf = ({ user, partner, sessionId }: SignedIn, now: number) => ({
  id: randomUUID(),
  userId: user.userId,
  partnerId: partner.id,
  sessionId,
  expiresAt: now + 1_000,
  now,
})
