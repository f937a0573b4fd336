/**
 * Who writes to the database puts a share whose key they know in the place of a wallet's: no device of the SDK takes it,
 * at whichever partner, also after a recovery.
 */
import { randomUUID } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, randomBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RsaWebCrypto } from '../../adapters/browser/Rsa.ts'
import { Database } from '../../adapters/service/database/Database.ts'
import { Rsa } from '../../domain/client/ports/Rsa.ts'
import * as Events from '../../domain/model/Events.ts'
import * as Address from '../../domain/model/Address.ts'
import { shareIdOf } from '../../domain/mpc/Protocol.ts'
import * as ShareText from '../../domain/mpc/ShareText.ts'
import { connect, openRecovery } from '../kit/recoverer.ts'
import { startService, type TestService } from '../kit/service.ts'
import { Device, logIn, makeStorage, mailedCode, newPassword, signUp, type Person, type Place } from './people.ts'
import { rowsOf } from './rows.ts'
import { shareTextsIn } from './wire.ts'

const types = { EVM: true } as const
const { Point } = secp256k1

let service: TestService
/** Where ada signs up, and another partner where she logs in. */
let first: Place
let second: Place
let ada: Person
/** Of a device that has the wallet at each partner. */
const held = new Map<Place, Device>()

beforeAll(async () => {
  service = await startService()
  const addresses = { ...service.addresses, connect }
  first = { ...service, addresses }
  second = { ...first, partner: await service.addPartner() }
  ada = await signUp(first, { types })
  held.set(first, ada.device)
  held.set(second, await logIn(second, ada, { types }))
}, 120_000)

afterAll(() => service.stop())

/** The account's wallet at this partner as the database has it, and its last credential's public key. */
const rowsAt = async ({ partner }: Place) => {
  const { wallets = [], passwords = [] } = await rowsOf(service)
  const wallet = wallets.find((row) => row['partner_id'] === partner.partnerId)
  const password = passwords.find((row) => row['status'] === 'COMPLETE')
  const { sigDerivedPublicKey } = password?.['completion'] as { readonly sigDerivedPublicKey: string }
  return { wallet, passwordId: String(password?.['id']), credentialKey: sigDerivedPublicKey }
}

/** Both halves are the writer's. The share is not signed, and pins no root key. */
const plant = async (place: Place) => {
  const { wallet, passwordId, credentialKey } = await rowsAt(place)
  const walletId = String(wallet?.['id'])
  const [secret, provider] = [secp256k1.utils.randomSecretKey(), secp256k1.utils.randomSecretKey()]
  const clientPublic = Point.BASE.multiply(Point.Fn.fromBytes(secret))
  const serverPublic = Point.BASE.multiply(Point.Fn.fromBytes(provider))
  const publicKey = clientPublic.add(serverPublic).toBytes()
  const shareId = shareIdOf(randomBytes(16), clientPublic.toBytes(), serverPublic.toBytes(), publicKey)
  const shareText = ShareText.write({
    userId: ada.userId,
    partnerId: place.partner.partnerId,
    cosignerName: 'localhost',
    cosignerKey: new Uint8Array(65),
    share: {
      scheme: 'DKLS',
      role: 'USER',
      walletId,
      epoch: 9,
      shareId,
      secret,
      clientPublic: clientPublic.toBytes(),
      serverPublic: serverPublic.toBytes(),
      publicKey,
      chainCode: randomBytes(32),
      rootPublicKey: new Uint8Array(0),
    },
  })
  const sealing = Effect.flatMap(Rsa, ({ encrypt }) =>
    encrypt(credentialKey, { plaintext: shareText, messageKey: randomBytes(16) }),
  )
  const { encryptedMessageHex, encryptedKeyHex } = await Effect.runPromise(Effect.provide(sealing, RsaWebCrypto))
  const sharing = { epoch: 9, share_id: bytesToHex(shareId) }
  const key = { public_key: bytesToHex(publicKey), address: Address.evm(publicKey) }
  const backup = {
    ...sharing,
    id: randomUUID(),
    wallet_id: walletId,
    user_id: ada.userId,
    partner_id: place.partner.partnerId,
    encryptor: 'PASSWORD' as const,
    key_ref: passwordId,
    encrypted_share: encryptedMessageHex,
    encrypted_key: encryptedKeyHex,
    digest: '00'.repeat(32),
    protocol_id: null,
    device_signature: null,
    certificate: null,
    created_at: Date.now(),
  }
  await service.run(
    Effect.flatMap(Database, ({ query }) =>
      query(async (db) => {
        await db
          .updateTable('wallets')
          .set({ ...sharing, ...key })
          .where('id', '=', walletId)
          .execute()
        await db.insertInto('key_shares').values(backup).execute()
      }),
    ),
  )
  const takeAway = () =>
    service.run(
      Effect.flatMap(Database, ({ query }) =>
        query(async (db) => {
          await db.deleteFrom('key_shares').where('id', '=', backup.id).execute()
          const { epoch, share_id, public_key, address } = wallet as never
          await db
            .updateTable('wallets')
            .set({ epoch, share_id, public_key, address })
            .where('id', '=', walletId)
            .execute()
        }),
      ),
    )
  return { walletId, address: key.address, takeAway }
}

/** A login with the planted share in place: on a device that has nothing, and on one that has the wallet's own share. */
const tryAt = async (place: Place, password: string) => {
  const { walletId, address, takeAway } = await plant(place)
  const [fresh, known] = [makeStorage(), makeStorage(held.get(place)?.storage)]
  const before = shareTextsIn(known)[walletId]
  const outcomes = []
  for (const storage of [fresh, known]) {
    const device = new Device({ apiKey: place.partner.apiKey, addresses: place.addresses, password, storage, types })
    const said: unknown[] = []
    device.on(Events.login, ({ data }) => said.push(data))
    await device.login({ email: ada.email })
    const addresses = (await device.getWallets()).map((wallet) => wallet.address)
    outcomes.push({ said, addresses, share: shareTextsIn(storage)[walletId] })
    await device.dispose()
  }
  await takeAway()
  return { walletId, address, before, outcomes }
}

const expectNothingTaken = ({ walletId, address, before, outcomes }: Awaited<ReturnType<typeof tryAt>>) => {
  expect(before).toBeDefined()
  expect(outcomes).toMatchObject([
    { said: [{ missing: [walletId] }], share: undefined },
    { said: [{ missing: [walletId] }], share: before },
  ])
  expect(outcomes.flatMap(({ addresses }) => addresses)).not.toContain(address)
}

describe('a planted backup', () => {
  it('is not delivered at the partner where the credential was made', async () => {
    expectNothingTaken(await tryAt(first, ada.password))
  }, 120_000)

  it('is not delivered at another partner', async () => {
    expectNothingTaken(await tryAt(second, ada.password))
  }, 120_000)

  it('is not delivered at either of them after a recovery', async () => {
    const password = newPassword()
    const page = openRecovery(first, { password, email: ada.email })
    await page.until('email')
    await page.submitEmail(ada.email)
    await page.until('code')
    await page.submitCode(await mailedCode(service, ada.email))
    await page.until('secret')
    await page.submitSecret(ada.recoverySecret ?? '')
    await page.until('credential')
    void page.setUp('PASSWORD')
    await page.until('secret-made')
    await page.kept()
    await page.close()
    for (const place of [first, second]) held.set(place, await logIn(place, { ...ada, password }, { types }))

    expectNothingTaken(await tryAt(first, password))
    expectNothingTaken(await tryAt(second, password))
  }, 120_000)
})
