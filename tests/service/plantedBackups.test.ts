/**
 * Who writes to the database puts a share whose key they know in the place of a wallet's: no device of the SDK takes it,
 * at whichever partner, also after a recovery.
 */
import { randomUUID } from 'node:crypto'
import { bytesToHex, randomBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RsaWebCrypto } from '../../adapters/browser/Rsa.ts'
import { Database } from '../../adapters/service/database/Database.ts'
import { Rsa } from '../../domain/client/ports/Rsa.ts'
import * as Events from '../../domain/model/Events.ts'
import { connect, recover } from '../kit/recoverer.ts'
import { startService, type TestService } from '../kit/service.ts'
import { makeUserShare } from '../kit/userShare.ts'
import { Device, logIn, makeStorage, newPassword, signUp, type Person, type Place } from './people.ts'
import { rowsOf } from './rows.ts'
import { shareTextsIn } from './wire.ts'

const types = { EVM: true } as const

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
  const { shareText, shareId, publicKey, address } = makeUserShare({
    userId: ada.userId,
    partnerId: place.partner.partnerId,
    rootPublicKey: new Uint8Array(0),
    walletId,
    epoch: 9,
  })
  const sealing = Effect.flatMap(Rsa, ({ encrypt }) =>
    encrypt(credentialKey, { plaintext: shareText, messageKey: randomBytes(16) }),
  )
  const { encryptedMessageHex, encryptedKeyHex } = await Effect.runPromise(Effect.provide(sealing, RsaWebCrypto))
  const sharing = { epoch: 9, share_id: bytesToHex(shareId) }
  const key = { public_key: bytesToHex(publicKey), address }
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
  return { walletId, address, takeAway }
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
    const page = await recover(first, { ...ada, password })
    await page.kept()
    await page.close()
    for (const place of [first, second]) held.set(place, await logIn(place, { ...ada, password }, { types }))

    expectNothingTaken(await tryAt(first, password))
    expectNothingTaken(await tryAt(second, password))
  }, 120_000)
})
