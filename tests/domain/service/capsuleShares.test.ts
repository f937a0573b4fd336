import { randomBytes } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Database } from '../../../adapters/service/database/Database.ts'
import type { Tables } from '../../../adapters/service/database/Tables.ts'
import * as DeviceKey from '../../../domain/crypto/DeviceKey.ts'
import * as Export from '../../../domain/crypto/Export.ts'
import * as Hpke from '../../../domain/crypto/Hpke.ts'
import * as RootKey from '../../../domain/crypto/RootKey.ts'
import * as Address from '../../../domain/model/Address.ts'
import { exportKey } from '../../../domain/mpc/dkls/exportKey.ts'
import { noble } from '../../../domain/mpc/noble.ts'
import { getCapsuleShare } from '../../../domain/service/capsuleShares.ts'
import { listPasswordKeyShares } from '../../../domain/service/keyShares.ts'
import { createTemporaryShares } from '../../../domain/service/temporaryShares.ts'
import * as PortalSession from '../../../domain/service/PortalSession.ts'
import * as handshakes from '../../../domain/service/handshakes.ts'
import * as portalSessions from '../../../domain/service/portalSessions.ts'
import type { PartnerRecord } from '../../../domain/service/Partner.ts'
import { CosignerEngine } from '../../../domain/service/ports/CosignerEngine.ts'
import { Deployment } from '../../../domain/service/ports/Deployment.ts'
import { Failpoints } from '../../../domain/service/ports/Failpoints.ts'
import { PortalSessions } from '../../../domain/service/ports/PortalSessions.ts'
import { Watermarks } from '../../../domain/service/ports/Watermarks.ts'
import { lockedWatermark } from '../../../domain/service/protocol/watermarks.ts'
import { refreshKeys } from '../../../domain/service/refreshes.ts'
import { setWallets } from '../../../domain/service/wallets.ts'
import {
  makePartner,
  makeUser,
  openLogin,
  putWallet,
  signIn,
  startWorld,
  value,
  type Outcome,
  type SignedIn,
  type TestUser,
  type World,
} from '../../kit/cosignerWorld.ts'
import { keyOf, type WalletKey } from '../../kit/device.ts'

const minute = 60_000
const day = 24 * 60 * minute

let world: World
let partner: PartnerRecord
let ada: TestUser
let session: SignedIn
let key: WalletKey
let portalOrigin: string

const write = (query: (db: Database['Service']['root']) => Promise<unknown>) =>
  world.run(Effect.flatMap(Database, ({ root }) => Effect.promise(() => query(root))))

const tagOf = (outcome: Outcome<unknown>) => (outcome.kind === 'refused' ? outcome.tag : outcome.kind)

beforeAll(async () => {
  world = await startWorld()
  portalOrigin = await world.run(Effect.map(Deployment, (deployment) => deployment.portalOrigin))
  partner = await makePartner(world)
  ada = await makeUser(world)
  session = await signIn(world, ada, partner)
  key = await newKey(session, ada)
})

afterAll(() => world.stop())

const newKey = async (of: SignedIn, user: TestUser, type: 'EVM' | 'COSMOS' = 'EVM'): Promise<WalletKey> => {
  const { walletId, protocolId } = value(await of.createWallet({ type }))
  return keyOf(await of.device.keygen({ scheme: 'DKLS', walletId, protocolId }, user.rootPublicKey))
}

const visitOf = ({ sessionId }: SignedIn, walletId: string) =>
  ({ sessionId, page: 'export', record: walletId }) as const

const begin = (of: SignedIn, walletId: string, settings = of.partner) =>
  world.as({ partner: settings, origin: portalOrigin }, portalSessions.createOpening(visitOf(of, walletId)))

/** A page whose opener answered; `answer` may change the request that the page makes of the answer. */
const openExport = async (
  of: SignedIn,
  walletId: string,
  answer: (honest: handshakes.TokenRequest) => handshakes.TokenRequest = (honest) => honest,
) => {
  const { openingId, openingSecret } = value(await begin(of, walletId))
  const { page, record } = visitOf(of, walletId)
  const ticket = value(await of.as({}, handshakes.createOpeningTicket(openingId, { page, record })))
  const recipient = Uint8Array.from(randomBytes(32))
  const recipientPublicKey = Hpke.publicKeyOf(recipient)
  const hostSecret = Uint8Array.from(randomBytes(32))
  const nonce = Export.nonceOf(recipientPublicKey)
  const message = DeviceKey.openerMessage({
    openingId,
    sessionId: of.sessionId,
    portalOrigin,
    page,
    record,
    nonce,
    ticket: hexToBytes(ticket),
    hostSecret,
  })
  const entered = await world.as(
    { partner, origin: portalOrigin },
    handshakes.createOpeningToken(
      openingId,
      answer({
        openingSecret,
        ticket,
        recipientPublicKey: bytesToHex(recipientPublicKey),
        deviceSignature: bytesToHex(of.device.signBytes(message)),
        hostSecretHash: bytesToHex(sha256(hostSecret)),
      }),
    ),
  )
  const find = Effect.flatMap(PortalSessions, (port) => port.find(openingId))
  const portalSession = () => world.run(Effect.map(find, Option.getOrThrow))
  const as: World['as'] = async (caller, flow) =>
    world.as({ portal: PortalSession.tokenOf(await portalSession()), partner, session: undefined, ...caller }, flow)
  return {
    openingId,
    recipient,
    entered,
    as,
    /** The row of a page after a proof of a credential. */
    stepUp: (userId = of.user.userId) =>
      world.run(Effect.flatMap(PortalSessions, ({ verify }) => verify(openingId, userId, world.now()))),
    ask: (id = walletId) => as({}, getCapsuleShare(of.user.userId, id)),
  }
}

type Page = Awaited<ReturnType<typeof openExport>>

const steppedUp = async (of: SignedIn = session, walletId = key.walletId) => {
  const page = await openExport(of, walletId)
  await page.stepUp()
  return page
}

const opened = (page: Page, text: string, recipient = page.recipient) => {
  const { walletId, shareId, epoch, serverPublic, publicKey } = key.share
  const { openingId } = page
  const binding = { walletId, shareId, epoch, serverPublic, publicKey, openingId }
  return Export.open({ ...binding, sessionId: session.sessionId, userId: ada.userId }, text, recipient)
}

const exportRow = (openingId: string, change: Partial<Tables['exports']>) =>
  write((db) => db.updateTable('exports').set(change).where('opening_id', '=', openingId).execute())

/** Earlier exports do not count for the next test. */
const forgetExports = async () => {
  await write((db) => db.updateTable('exports').set({ released_at: null }).execute())
  await write((db) => db.deleteFrom('rate_limits').where('bucket', 'in', ['exports', 'repeated exports']).execute())
}

const auditsOf = async (event: string) => ((await world.dump())['audits'] ?? []).filter((row) => row['event'] === event)

describe('a page whose user has just shown a credential', () => {
  it('gets the half of the wallet’s key, and a repeated request counts once', async () => {
    const page = await steppedUp()

    const [first, second] = [value(await page.ask()), value(await page.ask())]

    const secret = opened(page, first)
    expect(opened(page, first, Uint8Array.from(randomBytes(32)))).toBeUndefined()
    const whole = exportKey(noble, key.share, secret ?? new Uint8Array(32))
    const wallet = (await world.dump())['wallets']?.find(({ id }) => id === key.walletId)
    expect(first).not.toBe(second)
    expect(opened(page, second)).toEqual(secret)
    expect(whole && Address.evm(noble.points.multiplyBase(whole) ?? new Uint8Array(33))).toBe(wallet?.['address'])
    const { audits = [], exports = [] } = await world.dump()
    for (const done of ['share.export', 'share.export repeated']) {
      expect(audits.filter(({ event }) => event === done)).toMatchObject([
        { user_id: ada.userId, subject: key.walletId, detail: { severity: 'HIGH' } },
      ])
    }
    expect(exports.filter(({ released_at }) => released_at !== null)).toHaveLength(1)
    expect(wallet?.['exported_at']).toBe(exports[0]?.['released_at'])
  })

  it('gets the user, and the credentials that they can use', async () => {
    const page = await openExport(session, key.walletId)

    expect(value(page.entered)).toMatchObject({
      identity: { kind: 'email' },
      exporting: { walletAddress: Address.evm(key.share.publicKey), authMethods: [] },
    })
  })

  it('gets the half for three exports a day', async () => {
    await forgetExports()
    const outcomes: string[] = []
    for (let count = 0; count < 4; count++) outcomes.push(tagOf(await (await steppedUp()).ask()))

    expect(outcomes).toEqual(['success', 'success', 'success', 'TooManyExports'])
    const refused = await steppedUp()
    let unsealed = 0
    const counted = Effect.updateService(CosignerEngine, (engine) => ({
      ...engine,
      exportShare: (job) =>
        Effect.andThen(
          Effect.sync(() => unsealed++),
          engine.exportShare(job),
        ),
    }))
    expect(tagOf(await refused.as({}, counted(getCapsuleShare(ada.userId, key.walletId))))).toBe('TooManyExports')
    expect(unsealed).toBe(0)
    world.advance(day)
    session = await signIn(world, ada, partner)
    expect(tagOf(await (await steppedUp()).as({}, counted(getCapsuleShare(ada.userId, key.walletId))))).toBe('success')
    expect(unsealed).toBe(1)
  })

  it('gets no fourth export in a day when two pages ask at the same moment', async () => {
    await forgetExports()
    for (let count = 0; count < 2; count++) value(await (await steppedUp()).ask())
    // The user's limit allows another request every eight hours: afterwards only the wallet's count limits.
    world.advance(8 * 60 * minute)
    session = await signIn(world, ada, partner)
    const pages = [await steppedUp(), await steppedUp(await signIn(world, ada, partner))]
    const arrived: (() => void)[] = []
    const meet = Effect.promise(
      () =>
        new Promise<void>((resolve) => {
          arrived.push(resolve)
          if (arrived.length === pages.length) for (const goOn of arrived) goOn()
        }),
    )
    const held = Effect.updateService(Failpoints, () => ({
      reach: (point) => (point === 'capsuleShares.get.before' ? meet : Effect.void),
    }))

    const outcomes = await Promise.all(
      pages.map((page) => page.as({}, held(getCapsuleShare(ada.userId, key.walletId)))),
    )

    expect(outcomes.map(tagOf).toSorted()).toEqual(['TooManyExports', 'success'])
  })

  it('gets three exports a day over all wallets of a user, and three repetitions on each page', async () => {
    await forgetExports()
    const owner = await signIn(world, await makeUser(world), partner)
    const wallets = [await newKey(owner, owner.user), await newKey(owner, owner.user, 'COSMOS')]
    const outcomes: string[] = []
    for (const index of [0, 1, 0, 1]) {
      const page = await steppedUp(owner, wallets[index]?.walletId)
      outcomes.push(tagOf(await page.ask()))
      if (outcomes.length > 1) continue
      for (let again = 0; again < 4; again++) outcomes.push(tagOf(await page.ask()))
    }

    const repeated = ['success', 'success', 'success', 'TooManyAttempts']
    expect(outcomes).toEqual(['success', ...repeated, 'success', 'success', 'TooManyAttempts'])
  })

  it('sends a mail for each half that was released, and none otherwise', async () => {
    await forgetExports()
    const page = await steppedUp()
    const before = (await world.mails()).length
    const failing = Effect.updateService(Failpoints, () => ({
      reach: (point) => (point === 'capsuleShares.get.within' ? Effect.die(new Error('no commit')) : Effect.void),
    }))

    await expect(page.as({}, failing(getCapsuleShare(ada.userId, key.walletId)))).rejects.toThrow('no commit')
    expect(await world.mails()).toHaveLength(before)
    value(await page.ask())
    value(await page.ask())
    expect((await world.mails()).slice(before).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^A private key was exported from /),
      expect.stringMatching(/^A private key was exported from /),
    ])
  })

  it('counts simultaneous requests once', async () => {
    await forgetExports()
    const page = await steppedUp()
    const before = (await auditsOf('share.export')).length

    const outcomes = await Promise.all(Array.from({ length: 3 }, () => page.ask()))

    expect(outcomes.map(tagOf)).toEqual(outcomes.map(() => 'success'))
    expect(await auditsOf('share.export')).toHaveLength(before + 1)
  })
})

describe('the provider’s half is not released', () => {
  beforeAll(forgetExports)

  it('for a session alone, and for a page of another kind', async () => {
    const login = await openLogin(world, session, partner, ada.userId)

    expect(await session.as({}, getCapsuleShare(ada.userId, key.walletId))).toMatchObject({
      tag: 'StepUpRequired',
      message: 'a step-up is required',
    })
    expect(tagOf(await login.as(getCapsuleShare(ada.userId, key.walletId)))).toBe('NotFound')
  })

  it('before a credential was shown, and from five minutes after', async () => {
    const page = await openExport(session, key.walletId)
    const before = tagOf(await page.ask())
    await page.stepUp()
    world.advance(5 * minute - 1_000)
    const inTime = tagOf(await page.ask())
    world.advance(1_001)

    expect([before, inTime, tagOf(await page.ask())]).toEqual(['StepUpRequired', 'success', 'StepUpRequired'])
  })

  it('by a credential that was shown while the clock was a day ahead', async () => {
    const page = await openExport(session, key.walletId)
    world.advance(day)
    await page.stepUp()
    world.advance(-day)

    expect(tagOf(await page.ask())).toBe('StepUpRequired')
  })

  it('for another wallet, and another user', async () => {
    const page = await steppedUp()
    const mallory = await makeUser(world)
    const theirs = await signIn(world, mallory, partner)
    const solana = await putWallet(world, ada, partner, 'SOLANA')

    expect(tagOf(await page.ask(solana.walletId))).toBe('NotFound')
    expect(tagOf(await page.as({}, getCapsuleShare(mallory.userId, key.walletId)))).toBe('NotFound')
    expect(tagOf(await begin(theirs, key.walletId))).toBe('WalletNotFound')
    expect(await begin(session, solana.walletId)).toMatchObject({ message: 'invalid wallet scheme' })
    const unmade = value(await theirs.createWallet({ type: 'EVM' }))
    expect(await begin(theirs, unmade.walletId)).toMatchObject({ message: 'wallet not found' })
  })

  it('when the credential was another user’s', async () => {
    const mallory = await makeUser(world)
    const page = await openExport(session, key.walletId)
    await page.stepUp(mallory.userId)

    expect(tagOf(await page.ask())).toBe('NotFound')
    expect(tagOf(await page.as({}, getCapsuleShare(mallory.userId, key.walletId)))).toBe('NotFound')
  })

  it('when the partner switched exports off, even meanwhile', async () => {
    const page = await steppedUp()
    const settings = { ...partner, exports: false }
    const save = async (exports: boolean) => {
      const { id: _, displayName: __, portalUrl: ___, origins: ____, ...rest } = { ...partner, exports }
      await write((db) =>
        db
          .updateTable('partners')
          .set({ settings: JSON.stringify(rest) })
          .where('id', '=', partner.id)
          .execute(),
      )
      // What is written past the service is known after this time at the latest.
      world.advance(5_000)
    }

    await save(false)
    expect(await begin(session, key.walletId, settings)).toMatchObject({ message: 'private key export is not allowed' })
    expect(tagOf(await page.ask())).toBe('ExportNotAllowed')
    await save(true)
    expect(tagOf(await page.ask())).toBe('success')
  })

  it('when the wallet got new shares while the old half was sealed: no export is counted', async () => {
    const owner = await signIn(world, await makeUser(world), partner)
    const { walletId, share } = await newKey(owner, owner.user)
    const page = await steppedUp(owner, walletId)
    const { protocolId } = value(await owner.as({}, refreshKeys(owner.user.userId, walletId)))
    const before = (await world.mails()).length
    const meanwhile = Effect.updateService(CosignerEngine, (engine) => ({
      ...engine,
      exportShare: (job) =>
        Effect.tap(engine.exportShare(job), () =>
          Effect.promise(async () => keyOf(await owner.device.refresh(share, protocolId))),
        ),
    }))

    const ended = await page.as({}, meanwhile(getCapsuleShare(owner.user.userId, walletId)))

    expect(ended).toMatchObject({ tag: 'KeyShareOutOfDate', message: 'key share is out of date, log in again' })
    expect(await world.mails()).toHaveLength(before)
    const { exports = [] } = await world.dump()
    expect(exports.filter((row) => row['wallet_id'] === walletId)).toMatchObject([{ released_at: null }])
  })

  it('when the wallet is locked, even meanwhile and by a mark alone, and when the session has ended', async () => {
    const owner = await signIn(world, await makeUser(world), partner)
    const { walletId } = await newKey(owner, owner.user)
    const page = await steppedUp(owner, walletId)
    const close = (state: 'CLOSED' | 'AUTHENTICATED') =>
      write((db) => db.updateTable('sessions').set({ state }).where('id', '=', owner.sessionId).execute())

    await close('CLOSED')
    expect(tagOf(await page.ask())).toBe('LinkExpired')
    await close('AUTHENTICATED')
    await world.run(Effect.flatMap(Watermarks, ({ raise }) => raise(lockedWatermark(walletId), 1)))
    expect(tagOf(await page.ask())).toBe('KeyShareLocked')
    expect(tagOf(await begin(owner, walletId))).toBe('KeyShareLocked')
  })
})

describe('an export page', () => {
  it('may read backups once it was verified, and may not store or change anything', async () => {
    const other = await signIn(world, await makeUser(world), partner)
    const wallet = await newKey(other, other.user)
    const page = await openExport(other, wallet.walletId)
    const { userId } = other.user

    expect(tagOf(await page.as({}, listPasswordKeyShares(userId, randomId())))).toBe('NoSignedInUser')
    await page.stepUp()
    expect(tagOf(await page.as({}, createTemporaryShares(userId, [])))).toBe('NotFound')
    expect(tagOf(await page.as({}, setWallets(userId, { walletIds: {} })))).toBe('NotFound')
  })
})

describe('the token of an export page', () => {
  let wallet: WalletKey
  let owner: SignedIn

  beforeAll(async () => {
    owner = await signIn(world, await makeUser(world), partner)
    wallet = await newKey(owner, owner.user)
  })

  it.each<[string, (honest: handshakes.TokenRequest) => handshakes.TokenRequest]>([
    ['without its key', ({ recipientPublicKey: _, ...rest }) => rest],
    ['without the answer’s signature', ({ deviceSignature: _, ...rest }) => rest],
    ['with another key than was answered', (honest) => ({ ...honest, recipientPublicKey: hex(32) })],
    ['with another secret than was answered', (honest) => ({ ...honest, hostSecretHash: hex(32) })],
    ['with a signature of no key', (honest) => ({ ...honest, deviceSignature: hex(64) })],
    ['by a redirect', ({ ticket: _, ...rest }) => ({ ...rest, redirect: true, redeemHash: hex(32) })],
    ['by asking', ({ ticket: _, ...rest }) => ({ ...rest, asked: true })],
  ])('is not given %s', async (_, answer) => {
    expect(tagOf((await openExport(owner, wallet.walletId, answer)).entered)).toBe('OpenerNotProven')
  })

  it('is not given to a session without a user, or with another one than in the address', async () => {
    const visit = { ...visitOf(owner, wallet.walletId), userId: ada.userId }
    const created = await world.as({ partner, origin: portalOrigin }, portalSessions.createOpening(visit))

    expect(tagOf(created)).toBe('NotFound')
  })
})

describe('a writer of the database', () => {
  let owner: SignedIn
  let wallet: WalletKey

  beforeAll(async () => {
    owner = await signIn(world, await makeUser(world), partner)
    wallet = await newKey(owner, owner.user)
  })

  it('cannot put its own key in the place of the page’s', async () => {
    const page = await steppedUp(owner, wallet.walletId)
    const own = Uint8Array.from(randomBytes(32))
    await exportRow(page.openingId, { recipient_public_key: bytesToHex(Hpke.publicKeyOf(own)) })

    expect(await page.ask()).toMatchObject({ tag: 'DeviceNotCertified' })
    const { audits = [] } = await world.dump()
    expect(audits.filter(({ event }) => event === 'share.export refused')).toHaveLength(1)
  })

  it('cannot sign for it with its own device, whichever root key certified that', async () => {
    const page = await steppedUp(owner, wallet.walletId)
    const secretKey = p256.utils.randomSecretKey()
    const devicePublicKey = p256.getPublicKey(secretKey, false)
    const [recipient, hostSecret, root] = [1, 2, 3].map(() => Uint8Array.from(randomBytes(32)))
    if (recipient === undefined || hostSecret === undefined || root === undefined) throw new Error('no bytes')
    const { userId } = owner.user
    const { openingId } = page
    const portalSession = await world.run(Effect.flatMap(PortalSessions, ({ find }) => find(openingId)))
    const ticket = await world.run(handshakes.ticketOf(Option.getOrThrow(portalSession)))
    const message = DeviceKey.openerMessage({
      openingId,
      sessionId: owner.sessionId,
      portalOrigin,
      page: 'export',
      record: wallet.walletId,
      nonce: Export.nonceOf(Hpke.publicKeyOf(recipient)),
      ticket: hexToBytes(ticket),
      hostSecret,
    })
    const deviceCertificate = RootKey.certifyDevice(root, {
      userId,
      partnerId: partner.id,
      origin: 'http://shop.localhost',
      sessionId: owner.sessionId,
      devicePublicKey,
      issuedAt: world.now(),
      expiresAt: world.now() + day,
    })
    await exportRow(openingId, {
      recipient_public_key: bytesToHex(Hpke.publicKeyOf(recipient)),
      host_secret_hash: bytesToHex(sha256(hostSecret)),
      device_signature: bytesToHex(p256.sign(message, secretKey, { prehash: true, format: 'compact' })),
    })
    await write((db) =>
      db
        .updateTable('sessions')
        .set({ device_public_key: bytesToHex(devicePublicKey), device_certificate: bytesToHex(deviceCertificate) })
        .where('id', '=', owner.sessionId)
        .execute(),
    )
    await write((db) =>
      db
        .updateTable('users')
        .set({ root_public_key: bytesToHex(RootKey.publicKeyOf(root)) })
        .where('id', '=', userId)
        .execute(),
    )

    expect(await page.ask()).toMatchObject({ tag: 'DeviceNotCertified' })
  })

  it('cannot make another user’s wallet its own', async () => {
    const victim = await signIn(world, await makeUser(world), partner)
    const theirs = await newKey(victim, victim.user)
    const mallory = await signIn(world, await makeUser(world), partner)
    await write((db) =>
      db.updateTable('wallets').set({ user_id: mallory.user.userId }).where('id', '=', theirs.walletId).execute(),
    )

    expect(await (await steppedUp(mallory, theirs.walletId)).ask()).toMatchObject({ tag: 'DeviceNotCertified' })
  })
})

const hex = (length: number) => bytesToHex(randomBytes(length))
const randomId = () => crypto.randomUUID()
