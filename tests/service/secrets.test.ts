/** Secrets that must not be readable in the database, in files, in the log or in addresses. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { masterKey } from '../../domain/client/portal/masterKey.ts'
import { Navigation } from '../../domain/client/ports/Navigation.ts'
import * as CredentialWrap from '../../domain/crypto/CredentialWrap.ts'
import * as PasswordKeys from '../../domain/crypto/PasswordKeys.ts'
import * as RsaKey from '../../domain/crypto/RsaKey.ts'
import * as Header from '../../domain/model/Header.ts'
import * as StorageKeys from '../../domain/model/StorageKeys.ts'
import * as OtRecord from '../../domain/mpc/dkls/OtRecord.ts'
import * as ShareRecord from '../../domain/mpc/ShareRecord.ts'
import * as ShareText from '../../domain/mpc/ShareText.ts'
import { Vault, type AssociatedData } from '../../domain/service/ports/Vault.ts'
import {
  cosignerKeyAssociatedData,
  otAssociatedData,
  shareAssociatedData,
} from '../../domain/service/protocol/associatedData.ts'
import { personWith, type Play } from '../kit/portalPlayer.ts'
import { PasswordHashOnce } from '../kit/passwordHash.ts'
import { startLogged, type LoggedService } from './loggedService.ts'
import { foundIn, textNeedle, type Needle } from './needles.ts'
import {
  Device,
  logIn,
  makeStorage,
  mailedCode,
  newEmail,
  newPassword,
  signUp,
  type BrowserStorage,
  type Person,
} from './people.ts'
import { startProxy, type Proxy } from './proxy.ts'
import { rowsOf, type Rows } from './rows.ts'
import { ask, heldBy, shareTextsIn, success } from './wire.ts'

const message = 'nothing secret'

let folder: string
let service: LoggedService
let proxies: readonly Proxy[]
let ada: Person
let rows: Rows
/** Both devices' storages, with every value that was ever in them. */
let storages: readonly [BrowserStorage, BrowserStorage]
const pages: string[] = []
const printed: string[] = []

/** Never at rest with the service, in its log or in an address. */
const kept: Needle[] = []
/** The part of them that is never even sent to the service. */
const own: Needle[] = []

beforeAll(async () => {
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation((...said: unknown[]) => void printed.push(said.map(String).join(' ')))
  }
  folder = mkdtempSync(join(tmpdir(), 'tandem-secrets-'))
  service = await startLogged(folder)
  proxies = [await startProxy(service.addresses.api), await startProxy(service.addresses.cosigner)]
  const [api, cosigner] = proxies.map(({ address }) => address)
  const addresses = { ...service.addresses, api: api ?? '', cosigner: cosigner ?? '' }
  const password = newPassword()
  const play: Play = Effect.gen(function* () {
    pages.push(yield* (yield* Navigation).url)
    return yield* personWith(password)
  })
  const [email, logLevel] = [newEmail(), 'Debug'] as const
  storages = [makeStorage(), makeStorage()]
  ada = await signUp(service, { email, password, play, addresses, logLevel, storage: storages[0] })
  const phone = await logIn(service, ada, { play, addresses, logLevel, storage: storages[1] })
  for (const device of [ada.device, phone]) {
    for (const walletId of ada.walletIds) await device.signMessage({ walletId, message })
  }
  await collect(ada.device, phone)
  rows = await rowsOf(service)
  kept.push(...(await ofTheProvider()))
  await service.stop()
})

afterAll(async () => {
  vi.restoreAllMocks()
  for (const proxy of proxies) await proxy.stop()
  rmSync(folder, { recursive: true, force: true })
})

const seen = () => proxies.flatMap((proxy) => proxy.seen)

const json = (bytes: Uint8Array): Record<string, unknown> => {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** Everything that the two devices, the page and the person know. */
const collect = async (...devices: readonly Device[]) => {
  for (const [index, device] of devices.entries()) {
    const held = await heldBy(service, device)
    own.push({ name: `device key ${index}`, bytes: held.secretKey })
    for (const [walletId, text] of Object.entries(shareTextsIn(device.storage))) {
      const { share } = Result.getOrThrow(ShareText.open(Redacted.make(text)))
      const key = held.keyOf(walletId)
      own.push({ name: `user share ${share.scheme} ${walletId} on device ${index}`, bytes: share.secret })
      own.push(textNeedle(`share text ${walletId} on device ${index}`, text.slice(-64)))
      const ot = key.ot === undefined ? undefined : OtRecord.decode(key.ot)
      if (ot !== undefined) own.push(...otNeedles(`user's OT state ${walletId} on device ${index}`, ot))
    }
  }
  const texts = (place: string) => storages.flatMap(({ written }) => written.filter((value) => value.includes(place)))
  const loginKeys = texts('privateKey').flatMap((value) => textOf(json(Buffer.from(value)).privateKey))
  own.push(...loginKeys.flatMap((pemHex, index) => rsaNeedles(`login key ${index}`, Redacted.make(pemHex))))
  const portalSessionSecrets = storages.flatMap(({ written }) =>
    written.flatMap((value) => /^[0-9a-f-]{36}\.([0-9a-f]{64})\b/.exec(value)?.[1] ?? []),
  )
  own.push(...portalSessionSecrets.map((hex, index) => ({ name: `host secret ${index}`, bytes: hexToBytes(hex) })))
  const { backupDecryptionKey } = json(Buffer.from(ada.recoverySecret ?? ''))
  own.push({ name: 'recovery secret', bytes: hexToBytes(String(backupDecryptionKey)) })
  own.push(textNeedle('password', ada.password))

  const replies = seen().map(({ reply }) => json(reply.body))
  const pepper = hexToBytes(textOf(...replies.map((reply) => reply.pepper)).at(-1) ?? '')
  const verified = replies.find((reply) => 'ewpk' in reply) ?? {}
  const held = await heldBy(service, ada.device)
  const list = success(await ask(held.client, 'GET', `/users/passwords?userId=${ada.userId}`)).passwords
  const [record] = list as {
    id: string
    salt: string
    kdf: PasswordKeys.Kdf
    sigDerivedPublicKey: string
    rootPublicKey: string
  }[]
  if (record === undefined) throw new Error('there is no password')
  const { id: recordId, salt, kdf, sigDerivedPublicKey: publicKey } = record
  const input = { password: Redacted.make(ada.password), passwordId: recordId, salt: hexToBytes(salt), kdf }
  const master = await Effect.runPromise(Effect.provide(masterKey(input), PasswordHashOnce))
  const wrapping = PasswordKeys.passwordWrappingKeys(master, pepper, recordId)
  const auth = PasswordKeys.authKey(master, recordId)
  const rootPublicKey = hexToBytes(record.rootPublicKey)
  const owner = { kind: 'PASSWORD', userId: ada.userId, recordId, variant: '', publicKey, rootPublicKey } as const
  const root = Result.getOrThrow(CredentialWrap.openRoot(wrapping, owner, String(verified.wrappedRootKey)))
  const privateKey = Result.getOrThrow(CredentialWrap.openPrivateKey(wrapping, owner, String(verified.ewpk)))
  own.push(
    { name: 'master key', bytes: master },
    { name: 'password signing seed', bytes: auth.seed },
    { name: 'wrapping key of the private key', bytes: wrapping.privateKey },
    { name: 'wrapping key of the root key', bytes: wrapping.root },
    { name: 'root key', bytes: Redacted.value(root.seed) },
    ...rsaNeedles('credential key', privateKey),
  )

  const headers = seen().flatMap(({ request, reply }) =>
    textOf(request.headers[Header.session], reply.headers[Header.session]),
  )
  const tokens = [
    ...new Set([...headers, ...storages.flatMap(({ local }) => local.get(StorageKeys.sessionCookie) ?? [])]),
  ]
  kept.push(
    ...own,
    { name: 'pepper', bytes: pepper },
    { name: 'password verifier', bytes: auth.publicKey },
    ...tokens.map((token, index) => textNeedle(`token ${index}`, token)),
    ...textOf(...replies.map((reply) => reply.openingSecret)).map((hex, index) => ({
      name: `opening secret ${index}`,
      bytes: hexToBytes(hex),
    })),
    ...textOf(...replies.map((reply) => reply.ticket)).map((hex, index) => ({
      name: `ticket ${index}`,
      bytes: hexToBytes(hex),
    })),
    { ...textNeedle('mailed code', await mailedCode(service, ada.email)), alone: true },
    textNeedle('secret key of the partner', service.partner.secretKey),
  )
}

const sharingOf = (row: Readonly<Record<string, unknown>>) => ({
  walletId: String(row['wallet_id']),
  epoch: Number(row['epoch']),
  shareId: String(row['share_id']),
})

/** The provider's own secrets, which no client and no copy of the database may have. */
const ofTheProvider = async (): Promise<readonly Needle[]> => {
  const open = (place: AssociatedData, sealed: unknown) =>
    service.run(Effect.flatMap(Vault, (vault) => vault.open(place, hexToBytes(String(sealed)))))
  const needles: Needle[] = []
  for (const row of rows['provider_shares'] ?? []) {
    const sharing = sharingOf(row)
    const share = ShareRecord.decode(await open(shareAssociatedData(sharing), row['sealed']))
    if (share?.role !== 'PROVIDER') throw new Error('not the provider’s share')
    needles.push({ name: `provider share ${sharing.walletId}`, bytes: share.secret })
  }
  for (const row of rows['ot_records'] ?? []) {
    const otId = String(row['ot_id'])
    const ot = OtRecord.decode(await open(otAssociatedData(sharingOf(row), otId), row['sealed']))
    if (ot === undefined) throw new Error('not an OT record')
    needles.push(...otNeedles(`provider's OT state ${otId}`, ot))
  }
  for (const { name, sealed } of rows['cosigner_keys'] ?? []) {
    needles.push({
      name: 'frame key of the co-signer',
      bytes: await open(cosignerKeyAssociatedData(String(name)), sealed),
    })
  }
  return needles
}

const otNeedles = (name: string, ot: OtRecord.OtRecord): readonly Needle[] =>
  [ot.delta, ot.chosenSeeds.subarray(0, 32), ot.zeroSeeds.subarray(64, 96), ot.oneSeeds.subarray(-32)].map(
    (bytes, index) => ({
      name: `${name}, part ${index}`,
      bytes,
    }),
  )

/** The text form, and 32 bytes of the private exponent, because the bytes before it are the public modulus. */
const rsaNeedles = (name: string, key: Redacted.Redacted): readonly Needle[] => {
  const der = RsaKey.privateDer(key)
  if (der === undefined) throw new Error('not a private key')
  return [
    textNeedle(`${name} as text`, Redacted.value(key).slice(1_200, 1_400)),
    { name, bytes: der.subarray(300, 332) },
  ]
}

const textOf = (...values: readonly unknown[]): readonly string[] =>
  values.filter((value): value is string => typeof value === 'string')

/** Every row as text, and bytes also as what they are. */
const dumpOf = (all: Rows): Buffer =>
  Buffer.concat(
    Object.entries(all).flatMap(([table, found]) =>
      found.flatMap((row) =>
        Object.entries(row).flatMap(([column, value]) => {
          const text = typeof value === 'string' ? value : JSON.stringify(value)
          const isHex = /^(?:[0-9a-f]{2})+$/.test(text)
          return [
            Buffer.from(`\n${table}.${column} `),
            Buffer.from(text),
            ...(isHex ? [Buffer.from('\n'), Buffer.from(text, 'hex')] : []),
          ]
        }),
      ),
    ),
  )

const filesIn = (place: string): readonly string[] =>
  readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** Public values that the service keeps: the same search finds them wherever they are stored. */
const known = (): readonly Needle[] => {
  const [text = ''] = Object.values(shareTextsIn(ada.device.storage))
  const { share } = Result.getOrThrow(ShareText.open(Redacted.make(text)))
  return [
    textNeedle('address', String(rows['wallets']?.[0]?.['address'])),
    textNeedle('e-mail', ada.email),
    { name: 'public key', bytes: share.publicKey },
    { name: 'device public key', bytes: hexToBytes(String(rows['sessions']?.[0]?.['device_public_key'])) },
  ]
}

describe('a sign-up, three key generations, signatures and a second device', () => {
  it('produce secrets of every kind to look for', () => {
    const kinds = [
      ...new Set(kept.map(({ name }) => name.replaceAll(/ ?\b(?:[0-9a-f-]{36}|[0-9a-f]{64}|\d+)\b,?/g, ''))),
    ]

    expect(kinds.sort()).toEqual(
      [
        'credential key',
        'credential key as text',
        'device key',
        'frame key of the co-signer',
        'host secret',
        'login key',
        'login key as text',
        'mailed code',
        'master key',
        'opening secret',
        'password',
        'password signing seed',
        'password verifier',
        'pepper',
        "provider's OT state part",
        'provider share',
        'recovery secret',
        'root key',
        'secret key of the partner',
        'share text on device',
        'ticket',
        'token',
        "user's OT state on device part",
        'user share DKLS on device',
        'user share ED25519 on device',
        'wrapping key of the private key',
        'wrapping key of the root key',
      ].sort(),
    )
    expect(kept.filter(({ name }) => name.startsWith('user share'))).toHaveLength(6)
    expect(kept.filter(({ name }) => name.startsWith('provider share'))).toHaveLength(3)
    expect(kept.filter(({ name }) => name.startsWith('token')).length).toBeGreaterThanOrEqual(4)
  })

  it('leave none of them in the database', () => {
    const dump = dumpOf(rows)

    expect(foundIn(dump, known())).toEqual(['address', 'device public key', 'e-mail', 'public key'])
    expect(foundIn(dump, kept)).toEqual([])
  })

  it('leave none of them in a file, whether a row was deleted or not', { timeout: 300_000 }, () => {
    const files = filesIn(folder)
    const found = new Set<string>()
    for (const file of files) for (const name of foundIn(readFileSync(file), [...known(), ...kept])) found.add(name)

    expect(files.some((file) => file.includes('pg_wal'))).toBe(true)
    expect(files.some((file) => file.endsWith('watermarks'))).toBe(true)
    expect([...found].sort()).toEqual(['address', 'device public key', 'e-mail', 'public key'])
  })

  it('log none of them, nor the user’s identity', () => {
    const log = Buffer.from([...service.lines, ...printed].join('\n'))

    expect(foundIn(log, [textNeedle('template', '/users/:userId/wallets'), ...kept])).toEqual(['template'])
    expect(foundIn(Buffer.from(service.lines.join('\n')), [...known(), textNeedle('user id', ada.userId)])).toEqual([])
  })

  it('put none of them into an address', () => {
    const addresses = Buffer.from([...seen().map(({ request }) => request.target), ...pages].join('\n'))

    expect(foundIn(addresses, [textNeedle('user id', ada.userId), ...kept])).toEqual(['user id'])
    expect(pages.map((url) => new URL(url).pathname.replace(/[0-9a-f-]{36}.*/, ''))).toEqual([
      '/web/users/',
      '/web/passwords/login',
    ])
  })

  it('send none of the user’s own secrets', () => {
    const bodies = Buffer.concat(seen().flatMap(({ request }) => [Buffer.from('\n'), Buffer.from(request.body)]))

    expect(bodies.length).toBeGreaterThan(100_000)
    expect(foundIn(bodies, [textNeedle('e-mail', ada.email), ...own])).toEqual(['e-mail'])
  })

  it('answer none of the provider’s own secrets', () => {
    const replies = Buffer.concat(seen().flatMap(({ reply }) => [Buffer.from('\n'), Buffer.from(reply.body)]))
    const provider = kept.filter(
      ({ name }) => name.startsWith('provider') || name.startsWith('frame key') || name === 'password verifier',
    )

    expect(provider.length).toBeGreaterThan(10)
    expect(foundIn(replies, [textNeedle('e-mail', ada.email), ...provider])).toEqual(['e-mail'])
  })
})

describe('the search', () => {
  const secret = Uint8Array.from({ length: 32 }, (_, index) => (index * 37 + 11) % 256)
  const needle: Needle = { name: 'secret', bytes: secret }
  const around = (before: number) => Buffer.concat([Buffer.alloc(before, 7), secret, Buffer.alloc(5, 9)])

  it.each([0, 1, 2, 3])('finds a secret behind %d other bytes, in every spelling', (before) => {
    const bytes = around(before)
    for (const heap of [
      bytes,
      Buffer.from(bytes.toString('hex')),
      Buffer.from(bytes.toString('hex').toUpperCase()),
      Buffer.from(bytes.toString('base64')),
      Buffer.from(bytes.toString('base64url')),
      Buffer.from(Buffer.from(bytes.toString('base64')).toString('hex')),
      Buffer.from(Buffer.from(bytes.toString('hex')).toString('base64')),
    ]) {
      expect(foundIn(heap, [needle])).toEqual(['secret'])
    }
    expect(
      foundIn(
        bytes.map((byte, index) => (index === before + 16 ? byte ^ 1 : byte)),
        [needle],
      ),
    ).toEqual([])
  })

  it('finds a code only where no letter or digit is beside it', () => {
    const code = { ...textNeedle('code', '314159'), alone: true }

    expect(foundIn(Buffer.from('{"code":"314159"}'), [code])).toEqual(['code'])
    expect(foundIn(Buffer.from('{"at":1314159000}'), [code])).toEqual([])
  })
})
