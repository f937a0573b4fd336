/**
 * Policies and reviews in the co-signer, on a real database with real devices: what is let through, denied and held, how
 * often an acceptance counts, what a limit has left, and what a writer of the database can do about it.
 */
import { generateKeyPairSync, randomUUID, sign as signBytes, type KeyObject } from 'node:crypto'
import { encodeSecp256k1Pubkey, pubkeyToAddress, serializeSignDoc } from '@cosmjs/amino'
import { encodePubkey, makeAuthInfoBytes, makeSignBytes, makeSignDoc, Registry } from '@cosmjs/proto-signing'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { PublicKey, SystemProgram, TransactionMessage } from '@solana/web3.js'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Result from 'effect/Result'
import { calculateJwkThumbprint } from 'jose'
import { sql } from 'kysely'
import { serializeTransaction, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Database } from '../../../adapters/service/database/Database.ts'
import * as RootKey from '../../../domain/crypto/RootKey.ts'
import * as CosmosMessage from '../../../domain/model/CosmosMessage.ts'
import * as Frame from '../../../domain/mpc/Frame.ts'
import * as RefreshCheck from '../../../domain/mpc/RefreshCheck.ts'
import * as SigningRequest from '../../../domain/mpc/SigningRequest.ts'
import { awaitedOf, reviewLimits } from '../../../domain/service/PendingTransaction.ts'
import type { PartnerRecord } from '../../../domain/service/Partner.ts'
import { freezePartner, unfreezePartner } from '../../../domain/service/partnerChanges.ts'
import {
  applyPolicy,
  applyPolicyByOperator,
  currentPolicy,
  policyAssociatedData,
  rollBackPolicy,
} from '../../../domain/service/policies.ts'
import { createOpening } from '../../../domain/service/portalSessions.ts'
import { Claims } from '../../../domain/service/ports/Claims.ts'
import { Policies } from '../../../domain/service/ports/Policies.ts'
import { PortalSessions, type Entrance } from '../../../domain/service/ports/PortalSessions.ts'
import { Runs } from '../../../domain/service/ports/Runs.ts'
import { Vault } from '../../../domain/service/ports/Vault.ts'
import * as PortalSession from '../../../domain/service/PortalSession.ts'
import {
  acceptPendingTransaction,
  decidePendingTransaction,
  denyPendingTransaction,
  getPendingTransaction,
  getPendingTransactionToDecide,
  sweep,
} from '../../../domain/service/reviews.ts'
import { sendTransaction, signMessage, signTransaction } from '../../../domain/service/signing.ts'
import {
  makePartner,
  makeUser,
  signIn,
  startWorld,
  value,
  type SignedIn,
  type TestUser,
  type World,
} from '../../kit/cosignerWorld.ts'
import { keyOf, type Ended, type WalletKey } from '../../kit/device.ts'

const hourMs = 60 * 60_000

let world: World
let partner: PartnerRecord
let user: TestUser
let host: SignedIn
let phone: SignedIn
let evm: WalletKey
let evmOnPhone: WalletKey
let solana: WalletKey

beforeAll(async () => {
  world = await startWorld()
  user = await makeUser(world)
  await begin()
})
afterAll(() => world.stop())

/** Another partner, with a policy, wallets and limits of its own. */
const begin = async () => {
  partner = await makePartner(world)
  host = await signIn(world, user, partner)
  phone = await signIn(world, user, partner)
  evm = await make('EVM')
  solana = await make('SOLANA')
  evmOnPhone = keyOf(await phone.device.attach(evm.share), evm.share)
}

const make = async (type: 'EVM' | 'SOLANA' | 'COSMOS'): Promise<WalletKey> => {
  const wallet = value(await host.createWallet({ type }))
  const scheme = type === 'SOLANA' ? 'ED25519' : 'DKLS'
  return keyOf(await host.device.keygen({ ...wallet, scheme }, user.rootPublicKey))
}

const apply = (json: unknown) => world.run(applyPolicy(partner.id, json))

const policyOf = (rules: readonly object[], more: object = {}) => ({
  tandem: 'policy/1',
  default: 'allow',
  rules,
  ...more,
})

const ether = 'eip155:1/slip44:60'

/** Transactions are held, unless told otherwise for the user, who proves themself. */
const held = (review: object = { by: 'user' }) =>
  policyOf([{ id: 'held', effect: 'review', when: { payload: { is: 'evm.transaction' } }, review }])

let nonces = 0

const payment = (
  value = 1n,
  nonce = nonces++,
  to = '0x00000000000000000000000000000000000000aa',
): SigningRequest.SigningRequest => ({
  kind: 'transaction',
  transaction: serializeTransaction({
    chainId: 1,
    nonce,
    gas: 21_000n,
    maxFeePerGas: 1n,
    to: to as Hex,
    value,
  }).slice(2),
  chainId: '1',
  send: false,
})

const message: SigningRequest.SigningRequest = { kind: 'eip191', message: bytesToHex(utf8ToBytes('hello')) }

const heldBy = (ended: Ended) => {
  const body = ended.kind === 'stopped' && ended.status === 'HELD' ? Frame.decodeHeld(ended.body) : undefined
  if (body === undefined) throw new Error(`not held: ${JSON.stringify(ended)}`)
  return { id: body.pendingTransactionId, contentHash: bytesToHex(body.contentHash) }
}

const denied = { kind: 'refused', tag: 'DeniedByPolicy', message: 'denied by policy' }
const done = { kind: 'done' }

/** The page of a review, past its handshake: by the ticket of its opener, unless told otherwise. */
const openReview = async (id: string, by = host, entrance: Entrance = { variant: 'opener' }) => {
  const { userId, root } = by.user
  const opening = value(
    await world.as(
      { ...(await by.caller()), session: undefined, origin: undefined },
      createOpening({ page: 'review', record: id, sessionId: by.sessionId, userId }),
    ),
  )
  const { openingId } = opening
  const portal = async () => {
    const found = await world.run(Effect.flatMap(PortalSessions, ({ find }) => find(openingId)))
    return { portal: PortalSession.tokenOf(Option.getOrThrow(found)), partner, session: undefined }
  }
  await world.run(
    Effect.gen(function* () {
      const portalSessions = yield* PortalSessions
      if (entrance.variant === 'opener') yield* portalSessions.ticket(openingId, by.sessionId, world.now())
      yield* portalSessions.enter(openingId, entrance, randomUUID())
    }),
  )
  return {
    openingId,
    accept: async (contentHash: string, rootSignature?: string) =>
      world.as(await portal(), acceptPendingTransaction(userId, id, { contentHash, rootSignature })),
    signed: (contentHash: string, seed = root) => {
      const decision = { pendingTransactionId: id, contentHash: hexToBytes(contentHash), openingId }
      return bytesToHex(RootKey.signDecision(seed, decision))
    },
    deny: async () => world.as(await portal(), denyPendingTransaction(userId, id)),
    get: async (pendingId = id) => world.as(await portal(), getPendingTransaction(userId, pendingId)),
  }
}

/** As a person who proves themself. */
const accept = async ({ id, contentHash }: ReturnType<typeof heldBy>) => {
  const page = await openReview(id)
  value(await page.accept(contentHash, page.signed(contentHash)))
}

const get = (id: string, by = host) => by.as({}, getPendingTransaction(by.user.userId, id))

const rowsOf = async (table: string) => (await world.dump())[table] ?? []

const ofWallet = async (table: string) =>
  (await rowsOf(table)).filter((row) => row['wallet_id'] === evm.walletId || row['wallet_id'] === solana.walletId)

const write = (text: ReturnType<typeof sql>) =>
  world.run(Effect.flatMap(Database, ({ query }) => query((db) => text.execute(db))))

const signs = (request: SigningRequest.SigningRequest) => host.device.sign(evm, request)

describe('a policy', () => {
  it('lets through, denies, and leaves a partner without one as before', async () => {
    expect(await signs(payment())).toMatchObject(done)
    expect(await ofWallet('spends')).toEqual([])

    await apply(policyOf([{ id: 'none', effect: 'deny', when: { payload: { is: 'evm.transaction' } } }]))
    const runs = await ofWallet('runs')

    expect(await signs(payment())).toMatchObject(denied)
    expect(await signs(message)).toMatchObject(done)
    expect(await ofWallet('runs')).toHaveLength(runs.length + 1)
    const [audit] = (await rowsOf('audits')).filter(
      ({ event, subject }) => event === 'signature.denied' && subject === evm.walletId,
    )
    expect(audit?.['detail']).toMatchObject({ rules: 'none', policy: 1, payloadClass: 'transaction' })
  })

  it('that denies everything lets a refresh check its own new shares, and nothing else under that text', async () => {
    await apply({ ...policyOf([]), default: 'deny' })
    const address = (await rowsOf('wallets')).find(({ id }) => id === evm.walletId)?.['address']
    const check = (shareId: Uint8Array) =>
      RefreshCheck.request({
        scheme: 'DKLS',
        walletId: evm.walletId,
        shareId: bytesToHex(shareId),
        address: String(address),
      })

    expect(await signs(check(evm.share.shareId))).toMatchObject(done)
    expect(await signs(check(solana.share.shareId))).toMatchObject(denied)
    expect(await signs(message)).toMatchObject(denied)
  })

  it('that changes between two requests of a signature stops it, and the device begins anew', async () => {
    await apply(policyOf([]))
    const spends = await ofWallet('spends')
    let changed = false
    const ended = await host.device.sign(evm, payment(), {
      meddle: async (request, frame) => {
        if (frame.step === 2) {
          changed = true
          await apply(policyOf([{ id: 'none', effect: 'deny', when: { payload: { is: 'evm.transaction' } } }]))
        }
        return request
      },
    })

    expect(changed).toBe(true)
    expect(ended).toMatchObject({ kind: 'refused', tag: 'RunLost' })
    expect(await ofWallet('spends')).toEqual(spends)
    expect(await signs(payment())).toMatchObject(denied)
  })

  it('of an older database, without its row, with a changed row or without its mark denies everything until it is applied again', async () => {
    const before = (await rowsOf('audits')).filter(
      ({ event, subject }) => event === 'signature.denied' && subject === evm.walletId,
    ).length
    const everything = policyOf([])
    const version = await apply(everything)
    const find = world.run(Effect.flatMap(Policies, (policies) => policies.find(partner.id)))
    const older = Option.getOrThrow(await find)
    await apply(everything)
    expect(await signs(message)).toMatchObject(done)
    const put = (row: typeof older) =>
      world.run(Effect.flatMap(Policies, (policies) => policies.put({ ...row, before: null })))
    const current = Option.getOrThrow(
      await world.run(Effect.flatMap(Policies, (policies) => policies.find(partner.id))),
    )

    await put(older)
    expect(await signs(message)).toMatchObject(denied)
    // The older document as if it were the newer one.
    await put({ ...older, version: current.version })
    expect(await signs(message)).toMatchObject(denied)
    await put({ ...current, sealed: current.sealed.with(20, (current.sealed[20] ?? 0) ^ 1) })
    expect(await signs(message)).toMatchObject(denied)
    await write(sql`delete from policies where partner_id = ${partner.id}`)
    expect(await signs(message)).toMatchObject(denied)
    await put(current)
    expect(await signs(message)).toMatchObject(done)

    await write(sql`delete from policies where partner_id = ${partner.id}`)
    expect(await apply(everything)).toBe(version + 2)
    expect(await signs(message)).toMatchObject(done)
    const because = (await rowsOf('audits'))
      .filter(({ event, subject }) => event === 'signature.denied' && subject === evm.walletId)
      .slice(before)
      .map(({ detail }) => (detail as { readonly because: string }).because)
    expect(because).toEqual([
      'the policy is older than the one that was applied last',
      'the policy cannot be opened',
      'the policy cannot be opened',
      'the policy is missing',
    ])
  })

  it('whose mark is lost denies everything', async () => {
    await apply(policyOf([]))
    // Another partner's row, with no mark of its own.
    const other = await makePartner(world)
    const row = Option.getOrThrow(await world.run(Effect.flatMap(Policies, (policies) => policies.find(partner.id))))
    await world.run(Effect.flatMap(Policies, (policies) => policies.put({ ...row, before: null, partnerId: other.id })))
    const session = await signIn(world, user, other)
    const wallet = value(await session.createWallet({ type: 'SOLANA' }))
    const key = keyOf(await session.device.keygen({ ...wallet, scheme: 'ED25519' }, user.rootPublicKey))

    expect(await session.device.sign(key, { kind: 'solanaMessage', message: '00' })).toMatchObject(denied)
  })

  describe('that was applied before its values were looked at', () => {
    const none = { id: 'none', effect: 'deny', when: { payload: { is: 'evm.transaction' } } }
    const cut = { id: 'cut', effect: 'deny', when: { recipient: { is: '0x1234' } } }
    const limited = {
      id: 'limited',
      effect: 'allow',
      when: {},
      limits: [{ asset: 'eip155:137/slip44:966', max: '5', per: '1h', of: 'user' }],
    }
    const earlier = policyOf([none, cut, limited])
    const notes = [
      'rules[1].when.recipient: 0x1234 is not an address of an EVM account',
      'rules[2].limits[0].asset: nothing counts under this name, but as eip155:137/slip44:60',
    ]

    /** As the version before has applied it; its number. */
    const applyEarlier = async () => {
      const version = await apply(policyOf([none]))
      const row = Option.getOrThrow(await world.run(Effect.flatMap(Policies, (policies) => policies.find(partner.id))))
      const seal = Effect.flatMap(Vault, (vault) =>
        vault.seal(policyAssociatedData({ partnerId: partner.id, version }), utf8ToBytes(JSON.stringify(earlier))),
      )
      const sealed = await world.run(seal)
      await world.run(Effect.flatMap(Policies, (policies) => policies.put({ ...row, sealed, before: null })))
      return version
    }

    it('stays in force, also by a rollback', async () => {
      const version = await applyEarlier()
      expect(await signs(payment())).toMatchObject(denied)
      expect(await signs(message)).toMatchObject(done)
      await apply(policyOf([]))
      await expect(apply(earlier)).rejects.toMatchObject({ _tag: 'PolicyRefused', problems: notes })
      expect(await signs(payment())).toMatchObject(done)
      expect(await world.run(rollBackPolicy(partner.id, undefined))).toEqual({ version: version + 2, of: version })
      expect(await signs(payment())).toMatchObject(denied)
      expect(await signs(message)).toMatchObject(done)
    })

    it('takes another approver at once and keeps its values, but none of them elsewhere, nor another', async () => {
      const version = await applyEarlier()
      const approver = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
      const withApprover = (rules: readonly object[], more: object = {}) => policyOf(rules, { approver, ...more })
      const [limit] = limited.limits
      for (const [changed, problem] of [
        [withApprover([cut, none, limited]), notes[0]?.replace('[1]', '[0]')],
        [
          withApprover([none, { ...cut, when: { recipient: { is: '0x12345' } } }, limited]),
          notes[0]?.replace('0x1234', '0x12345'),
        ],
        [withApprover([none, cut, { ...limited, limits: [{ ...limit, asset: 'eip155:0x89/slip44:60' }] }]), notes[1]],
        [withApprover([none, cut, limited], { default: 'x' }), 'default: has to be "allow" | "deny" | "review"'],
      ] as const)
        await expect(apply(changed)).rejects.toMatchObject({ _tag: 'PolicyRefused', problems: [problem] })
      await expect(world.run(applyPolicy((await makePartner(world)).id, earlier))).rejects.toMatchObject({
        problems: notes,
      })

      const again = applyPolicyByOperator(partner.id, withApprover([none, cut, limited]), undefined)
      await world.run(freezePartner(partner.id, undefined))
      expect(await world.run(again)).toEqual({ version: version + 1, notes })
      await world.run(unfreezePartner(partner.id, undefined))
      expect(await world.run(currentPolicy(partner.id))).toMatchObject({ kind: 'policy', policy: { approver } })
      const mended = applyPolicyByOperator(partner.id, withApprover([none]), undefined)
      expect(await world.run(mended)).toEqual({ version: version + 2, notes: [] })
    })
  })

  it('is refused where it is none', async () => {
    await expect(apply({ tandem: 'policy/0' })).rejects.toMatchObject({ _tag: 'PolicyRefused' })
    await expect(world.run(applyPolicy(randomUUID(), policyOf([])))).rejects.toMatchObject({ _tag: 'NotFound' })
    expect(await signs(message)).toMatchObject(done)
  })
})

describe('a limit', () => {
  beforeEach(begin)

  const daily = (max: string, of = 'user', over = 'deny') =>
    policyOf([
      {
        id: 'daily',
        effect: 'allow',
        when: { payload: { is: 'evm.transaction' } },
        limits: [{ asset: ether, max, per: '24h', of, over }],
      },
    ])

  it('is spent once by each payload, and given back by a run that gave no signature', async () => {
    await apply(daily('100'))
    const paid = payment(60n)

    expect(await signs(paid)).toMatchObject(done)
    expect(await signs(paid)).toMatchObject(done)
    expect(await signs(payment(60n))).toMatchObject(denied)
    // The device leaves after its first request.
    const left = await host.device
      .sign(evm, payment(40n), {
        meddle: (request, frame) => {
          if (frame.step === 2) throw new Error('left')
          return request
        },
      })
      .catch(() => 'left')
    expect(left).toBe('left')
    expect(await ofWallet('spends')).toHaveLength(4)
    world.advance(91_000)
    expect(await signs(payment(40n))).toMatchObject(done)
    expect(await signs(payment(1n))).toMatchObject(denied)
    world.advance(24 * 60 * 60_000)
    host = await signIn(world, user, partner)
    evm = keyOf(await host.device.attach(evm.share), evm.share)
    expect(await signs(payment(100n))).toMatchObject(done)
  })

  it('stays spent where a later run has the id of one that is forgotten with its epoch, and gives no signature', async () => {
    const limit = { asset: ether, max: '100', per: '30d', of: 'wallet', over: 'deny' }
    await apply(policyOf([{ id: 'monthly', effect: 'allow', when: {}, limits: [limit] }]))
    const [paid, protocolId] = [payment(60n), randomUUID()]
    expect(await host.device.sign(evm, paid, { protocolId })).toMatchObject(done)

    world.advance(49 * 60 * 60_000)
    host = await signIn(world, user, partner)
    evm = keyOf(await host.device.attach(evm.share), evm.share)
    await world.run(Effect.flatMap(Claims, (claims) => claims.sweep(world.now())))
    await world.run(
      Effect.flatMap(Runs, (runs) => runs.forgetEpochsBefore(evm.walletId, evm.share.epoch + 1, world.now())),
    )
    for (const request of [payment(30n), paid]) {
      const failed = await host.device.sign(evm, request, {
        protocolId,
        meddle: (_, frame) => {
          const { digestClaim, timeoutMs, otId } = Frame.decodeSign(frame.body) ?? {}
          if (digestClaim === undefined || timeoutMs === undefined || otId === undefined)
            throw new Error('no signature')
          const body = Frame.encodeSign({ request, digestClaim, timeoutMs, otId, message: new Uint8Array(1) })
          return host.device.signFrame({ ...frame, body })
        },
      })
      expect(failed).toMatchObject({ kind: 'stopped', status: 'ABORT' })
    }
    expect(await signs(payment(50n))).toMatchObject(denied)
    expect(await signs(payment(40n))).toMatchObject(done)
  })

  it('of a user is spent once by signatures of two wallets at the same time', async () => {
    await apply(
      policyOf([
        { id: 'two', effect: 'allow', when: {}, limits: [{ asset: 'count', max: '1', per: '24h', of: 'user' }] },
      ]),
    )
    const ended = await Promise.all([
      host.device.sign(solana, { kind: 'solanaMessage', message: '01' }),
      phone.device.sign(evmOnPhone, message),
      phone.device.sign(solana, { kind: 'solanaMessage', message: '02' }),
    ])

    const outcomes = ended.map((one) => (one.kind === 'refused' ? one.tag : one.kind))
    expect(outcomes.filter((one) => one === 'done')).toEqual(['done'])
    for (const outcome of outcomes) expect(['done', 'DeniedByPolicy', 'AnotherRunInProgress']).toContain(outcome)
    expect((await ofWallet('spends')).filter(({ asset }) => asset === 'count')).toHaveLength(1)
  })

  it('that is over asks for a review, and what is accepted counts as well', async () => {
    await apply(daily('100', 'wallet', 'review'))
    expect(await signs(payment(90n))).toMatchObject(done)
    const over = payment(20n)
    await accept(heldBy(await signs(over)))

    expect(await signs(over)).toMatchObject(done)
    const spent = (await ofWallet('spends')).filter(({ asset }) => asset === ether).map(({ amount }) => amount)
    expect(spent.sort()).toEqual(['20', '90'])
  })
})

describe('what is held', () => {
  beforeAll(begin)

  it('makes no run, and is the same pending transaction for the same content, of every device', async () => {
    await apply(held())
    const request = payment()
    const runs = await ofWallet('runs')

    const first = heldBy(await signs(request))
    const again = heldBy(await signs(request))
    const other = heldBy(await phone.device.sign(evmOnPhone, request))
    const different = heldBy(await signs(payment()))

    expect([again, other]).toEqual([first, first])
    expect(different.id).not.toBe(first.id)
    expect(different.contentHash).not.toBe(first.contentHash)
    expect(await ofWallet('runs')).toEqual(runs)
    expect(await ofWallet('spends')).toEqual([])
    expect(await get(first.id)).toMatchObject({
      kind: 'success',
      value: { state: 'PENDING', contentHash: first.contentHash, by: 'user', stepUp: true },
    })
    expect(await get(first.id, phone)).toMatchObject({ kind: 'success' })
    const stranger = await signIn(world, await makeUser(world), partner)
    expect(await get(first.id, stranger)).toMatchObject({ tag: 'NotFound' })
  })

  it('is no first payment where it goes to the wallet itself', async () => {
    await apply(held())
    const own = String((await rowsOf('wallets')).find(({ id }) => id === evm.walletId)?.['address'])
    const shownOf = async (to?: string) => {
      const { id } = heldBy(await signs(payment(1n, nonces++, to)))
      return JSON.parse(value(await get(id)).content) as unknown
    }

    expect(await shownOf()).toMatchObject({ warnings: [{ code: 'FIRST_TIME_ADDRESS' }] })
    expect(await shownOf(own)).toMatchObject({ warnings: [] })
  })

  it('is denied where a review cannot show all of it', async () => {
    await apply(policyOf([{ id: 'held', effect: 'review', when: {} }]))
    const long: SigningRequest.SigningRequest = { kind: 'eip191', message: '61'.repeat(65_537) }
    const before = await ofWallet('pending_transactions')

    expect(await signs(long)).toMatchObject(denied)
    expect(await ofWallet('pending_transactions')).toEqual(before)
    const [audit] = (await rowsOf('audits')).filter(
      ({ event, subject }) => event === 'signature.denied' && subject === evm.walletId,
    )
    expect(audit?.['detail']).toMatchObject({
      rules: 'held',
      because: 'Rule held holds it: it matches everything. A review cannot show all of its text.',
    })
  })

  it('is signed exactly once when it is accepted', async () => {
    await apply(held())
    const request = payment()
    const pending = heldBy(await signs(request))
    await accept(pending)
    expect(await get(pending.id)).toMatchObject({ value: { state: 'ACCEPTED' } })

    expect(await signs(request)).toMatchObject(done)
    expect(await get(pending.id)).toMatchObject({ value: { state: 'DONE' } })
    const next = heldBy(await signs(request))
    expect(next.id).not.toBe(pending.id)
    world.advance(reviewLimits.kept)
    await world.run(sweep())
    expect(await get(pending.id)).toMatchObject({ value: { state: 'DONE' } })
    world.advance(reviewLimits.accepted + 1)
    await world.run(sweep())
    expect(await get(pending.id)).toMatchObject({ tag: 'NotFound' })
  })

  it('is signed exactly once by two devices that ask at the same time', async () => {
    await apply(held())
    const request = payment()
    const pending = heldBy(await signs(request))
    await accept(pending)

    const ended = await Promise.all([signs(request), phone.device.sign(evmOnPhone, request)])
    const later = await Promise.all([signs(request), phone.device.sign(evmOnPhone, request)])

    const signed = [...ended, ...later].filter(({ kind }) => kind === 'done')
    const runs = (await ofWallet('runs')).filter((run) => run['pending_transaction_id'] === pending.id)
    expect(signed).toHaveLength(1)
    expect(runs.filter(({ state }) => state === 'DONE')).toHaveLength(1)
  })

  it('of ED25519 is held and signed in the same way', async () => {
    await apply(policyOf([{ id: 'held', effect: 'review', when: { payload: { is: 'solana.message' } } }]))
    const request = { kind: 'solanaMessage', message: '0102' } as const
    const pending = heldBy(await host.device.sign(solana, request))
    await accept(pending)

    expect(await host.device.sign(solana, request)).toMatchObject(done)
    expect(heldBy(await host.device.sign(solana, request)).id).not.toBe(pending.id)
  })

  it('is held anew with one byte changed after the decision, and refused under the digest that was accepted', async () => {
    await apply(policyOf([], { default: 'review' }))
    const before = { kind: 'solanaMessage', message: bytesToHex(utf8ToBytes('hello')) } as const
    const transaction = payment()
    if (transaction.kind !== 'transaction') throw new Error('no transaction')
    const cases = [
      [evm, transaction, { ...transaction, transaction: transaction.transaction.replace('00aa', '00ab') }],
      [solana, before, { ...before, message: before.message.replace(/6f$/, '6e') }],
    ] as const
    for (const [wallet, accepted, changed] of cases) {
      const scheme = wallet === solana ? 'ED25519' : 'DKLS'
      const payload = Result.getOrThrow(SigningRequest.payloadDigest(accepted, scheme))
      const claim = SigningRequest.digestClaim(payload, scheme)
      const pending = heldBy(await host.device.sign(wallet, accepted))
      await accept(pending)

      expect(changed).not.toEqual(accepted)
      expect(heldBy(await host.device.sign(wallet, changed)).id).not.toBe(pending.id)
      expect(await host.device.sign(wallet, changed, { claim })).toMatchObject({ tag: 'DigestDiffers' })
      expect(await host.device.sign(wallet, accepted, { claim })).toMatchObject(done)
    }
  })

  it('is gone when it is denied or its time is over', async () => {
    await apply(held())
    const request = payment()
    const first = heldBy(await signs(request))
    const page = await openReview(first.id)
    value(await page.deny())
    expect(await get(first.id)).toMatchObject({ tag: 'NotFound' })
    expect(await page.accept(first.contentHash)).toMatchObject({ tag: 'NotFound' })

    const second = heldBy(await host.device.sign(evm, request, { timeoutMs: 1 }))
    expect(second.id).not.toBe(first.id)
    world.advance(reviewLimits.shortest - 200)
    expect(await get(second.id)).toMatchObject({ kind: 'success' })
    world.advance(300)
    expect(await get(second.id)).toMatchObject({ tag: 'NotFound' })

    const third = heldBy(await host.device.sign(evm, request, { timeoutMs: 0xffff_ffff }))
    world.advance(reviewLimits.longest - 1_000)
    expect(await get(third.id)).toMatchObject({ kind: 'success' })
    world.advance(1_001)
    expect(await get(third.id)).toMatchObject({ tag: 'NotFound' })

    const fourth = heldBy(await signs(request))
    await accept(fourth)
    world.advance(reviewLimits.accepted + 1)
    expect(heldBy(await signs(request)).id).not.toBe(fourth.id)
  })

  it('is accepted for its content alone, by its own page alone, and once', async () => {
    await apply(held({ by: 'user', stepUp: false }))
    const [one, two] = [heldBy(await signs(payment())), heldBy(await signs(payment()))]
    const page = await openReview(one.id)

    expect(await page.accept(two.contentHash)).toMatchObject({ tag: 'ContentDiffers' })
    expect(await page.get(two.id)).toMatchObject({ tag: 'NotFound' })
    expect(await host.as({}, acceptPendingTransaction(user.userId, one.id, one))).toMatchObject({
      tag: 'NoSignedInUser',
    })
    expect(await get(one.id)).toMatchObject({ value: { state: 'PENDING' } })
    expect(await page.accept(one.contentHash)).toMatchObject({ kind: 'success' })
    expect(await page.accept(one.contentHash)).toMatchObject({ kind: 'success' })
    expect(await page.deny()).toMatchObject({ tag: 'ReviewDecided' })
    const accepts = (await rowsOf('audits')).filter(
      ({ event, subject }) => event === 'review.accepted' && subject === one.id,
    )
    expect(accepts).toHaveLength(1)
  })

  it('of a decision and another at the same time only one counts', async () => {
    await apply(held())
    const pending = heldBy(await signs(payment()))
    const page = await openReview(pending.id)

    const signature = page.signed(pending.contentHash)
    const outcomes = await Promise.all([page.accept(pending.contentHash, signature), page.deny()])

    expect(outcomes.filter(({ kind }) => kind === 'success')).toHaveLength(1)
  })

  it('of a clock that was an hour ahead is over once the clock is set back, and is none of the twenty of its wallet', async () => {
    await begin()
    await apply(held())
    world.advance(hourMs)
    const request = payment()
    const first = heldBy(await signs(request))
    await accept(first)
    for (let count = 1; count < reviewLimits.ofWallet; count++) heldBy(await signs(payment()))
    world.advance(-hourMs)

    expect(await get(first.id)).toMatchObject({ tag: 'NotFound' })
    expect(heldBy(await signs(request)).id).not.toBe(first.id)
  })

  it('may be twenty of a wallet', async () => {
    await begin()
    await apply(held())
    for (let count = 0; count < reviewLimits.ofWallet; count++) heldBy(await signs(payment()))

    expect(await signs(payment())).toMatchObject({ kind: 'refused', tag: 'TooManyAttempts' })
    world.advance(30_001)
    heldBy(await signs(payment()))
  })

  it('is denied by a rule that comes after its acceptance, and asks again if more have to accept', async () => {
    const withoutProof = held({ by: 'user', stepUp: false })
    await apply(withoutProof)
    const request = payment()
    const pending = heldBy(await signs(request))
    await accept(pending)

    await apply(held())
    expect(heldBy(await signs(request)).id).not.toBe(pending.id)
    await apply(policyOf([{ id: 'none', effect: 'deny', when: { payload: { is: 'evm.transaction' } } }]))
    expect(await signs(request)).toMatchObject(denied)
    await apply(withoutProof)
    expect(await signs(request)).toMatchObject(done)
  })

  it('is not accepted by a writer of the database', async () => {
    await apply(held())
    const request = payment()
    const pending = heldBy(await signs(request))
    await write(sql`update pending_transactions set state = 'ACCEPTED', user_accepted = true where id = ${pending.id}`)

    expect(await get(pending.id)).toMatchObject({ tag: 'NotFound' })
    expect(heldBy(await signs(request)).id).not.toBe(pending.id)
    const shown = heldBy(await signs(request))
    await write(sql`update pending_transactions set content = ${'{}'} where id = ${shown.id}`)
    expect(await get(shown.id)).toMatchObject({ tag: 'NotFound' })
    // An acceptance of one content as that of another.
    const other = payment()
    const [accepted, wanted] = [heldBy(await signs(request)), heldBy(await signs(other))]
    await accept(accepted)
    await write(sql`delete from pending_transactions where id = ${wanted.id}`)
    await write(sql`update pending_transactions set content_hash = ${wanted.contentHash} where id = ${accepted.id}`)
    expect(await signs(other)).toMatchObject({ kind: 'stopped', status: 'HELD' })
  })
})

describe('a step-up', () => {
  beforeAll(begin)

  it.each([{ by: 'user' }, { by: 'user', stepUp: true }])('takes the root key’s signature: %j', async (review) => {
    await apply(held(review))
    const request = payment()
    const pending = heldBy(await signs(request))
    const other = heldBy(await signs(payment()))
    const [another, page] = [await openReview(other.id), await openReview(pending.id)]
    const decision = {
      pendingTransactionId: pending.id,
      contentHash: hexToBytes(pending.contentHash),
      openingId: page.openingId,
    }
    const signed = (changes: Partial<RootKey.Decision> = {}, seed = user.root) =>
      bytesToHex(RootKey.signDecision(seed, { ...decision, ...changes }))
    const refused = { tag: 'StepUpRequired' }

    expect(await page.get()).toMatchObject({ value: { stepUp: true } })
    expect(await page.accept(pending.contentHash)).toMatchObject(refused)
    for (const forged of [
      signed({ pendingTransactionId: other.id }),
      signed({ contentHash: hexToBytes(other.contentHash) }),
      signed({ openingId: another.openingId }),
      signed({}, RootKey.publicKeyOf(user.root)),
      '00',
    ]) {
      expect(await page.accept(pending.contentHash, forged)).toMatchObject(refused)
    }
    expect(await signs(request)).toMatchObject({ status: 'HELD' })
    value(await page.accept(pending.contentHash, signed()))
    expect(await signs(request)).toMatchObject(done)
  })

  it('is asked for on every page that no ticket of the device’s opened, also where the policy asks for none', async () => {
    await apply(held({ by: 'user', stepUp: false }))
    const byTicket = heldBy(await signs(payment()))
    const proven = await openReview(byTicket.id)
    expect(await proven.get()).toMatchObject({ value: { stepUp: false } })
    value(await proven.accept(byTicket.contentHash))

    for (const entrance of [{ variant: 'redirect', redeemHash: '00'.repeat(32) }, { variant: 'ask' }] as const) {
      const request = payment()
      const { id, contentHash } = heldBy(await signs(request))
      const page = await openReview(id, host, entrance)

      expect(await page.get()).toMatchObject({ value: { stepUp: true } })
      expect(await page.accept(contentHash)).toMatchObject({ tag: 'StepUpRequired' })
      expect(await page.accept(contentHash, page.signed(contentHash, new Uint8Array(32)))).toMatchObject({
        tag: 'StepUpRequired',
      })
      expect(await signs(request)).toMatchObject({ status: 'HELD' })
      value(await page.accept(contentHash, page.signed(contentHash)))
      expect(await signs(request)).toMatchObject(done)
    }
  })

  it('is by the root key of the user’s credential for a wallet that is pinned to none, as of a public client', async () => {
    const bob = await signIn(world, await makeUser(world), partner, { certified: false })
    const made = value(await bob.createWallet({ type: 'SOLANA' }))
    const key = keyOf(await bob.device.keygen({ ...made, scheme: 'ED25519' }, new Uint8Array(0)))
    await apply(policyOf([{ id: 'held', effect: 'review', when: { payload: { is: 'solana.message' } } }]))
    const request = { kind: 'solanaMessage', message: '0102' } as const
    const { id, contentHash } = heldBy(await bob.device.sign(key, request))
    const page = await openReview(id, bob, { variant: 'ask' })

    expect(await page.accept(contentHash, page.signed(contentHash, user.root))).toMatchObject({ tag: 'StepUpRequired' })
    value(await page.accept(contentHash, page.signed(contentHash)))
    expect(await bob.device.sign(key, request)).toMatchObject(done)
  })
})

describe('the decision of a partner', () => {
  beforeAll(begin)

  const keys = {
    ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    EdDSA: generateKeyPairSync('ed25519'),
  }

  const approverOf = (alg: keyof typeof keys) => keys[alg].publicKey.export({ format: 'jwk' })

  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

  const jwsOf = (header: object, payload: object, key: KeyObject) => {
    const text = `${part(header)}.${part(payload)}`
    const digest = key.asymmetricKeyType === 'ec' ? 'sha256' : null
    const signature = signBytes(digest, Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
    return `${text}.${signature.toString('base64url')}`
  }

  const decide = (id: string, jws: string, of = partner) =>
    world.as({ partner: of, secretKey: true }, decidePendingTransaction(id, jws))

  const inTime = () => Math.floor(world.now() / 1000) + 60

  it.each(['ES256', 'EdDSA'] as const)('counts by its key alone: %s', async (alg) => {
    await apply({ ...held({ by: 'partner' }), approver: approverOf(alg) })
    const request = payment()
    const pending = heldBy(await signs(request))
    const other = heldBy(await signs(payment()))
    const payload = { ...pending, decision: 'accept', exp: inTime() }
    const { privateKey } = keys[alg]
    const good = jwsOf({ alg }, payload, privateKey)
    const [header = '', body = '', signature = ''] = good.split('.')
    const stranger =
      alg === 'ES256' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519')
    const jwk = stranger.publicKey.export({ format: 'jwk' })
    const wrongAlg = alg === 'ES256' ? 'EdDSA' : 'ES256'
    const refused = { tag: 'DecisionRefused', message: 'decision refused' }

    for (const forged of [
      `${part({ alg: 'none' })}.${body}.`,
      `${part({ alg: 'none' })}.${body}.${signature}`,
      `${part({ alg: 'HS256' })}.${body}.${signature}`,
      jwsOf({ alg: wrongAlg }, payload, privateKey),
      jwsOf({ alg, crit: ['exp'] }, payload, privateKey),
      jwsOf({ alg, jwk }, payload, stranger.privateKey),
      jwsOf({ alg }, payload, keys[wrongAlg].privateKey),
      jwsOf({ alg }, { ...payload, exp: Math.floor(world.now() / 1000) - 1 }, privateKey),
      jwsOf({ alg }, { ...pending, decision: 'accept' }, privateKey),
      jwsOf({ alg }, { ...payload, decision: 'maybe' }, privateKey),
      jwsOf({ alg }, { ...payload, id: other.id }, privateKey),
      `${header}.${part({ ...payload, id: other.id })}.${signature}`,
      `${good}.`,
      `${header}.${body}.${signature}=`,
      'not a token',
    ]) {
      expect(await decide(pending.id, forged)).toMatchObject(refused)
    }
    expect(
      await decide(pending.id, jwsOf({ alg }, { ...payload, contentHash: other.contentHash }, privateKey)),
    ).toMatchObject({ tag: 'ContentDiffers' })
    expect(await decide(pending.id, good, await makePartner(world))).toMatchObject(refused)
    expect(await world.as({ partner, secretKey: false }, decidePendingTransaction(pending.id, good))).toMatchObject({
      tag: 'ApiKeyRequired',
    })
    expect(await (await openReview(pending.id)).accept(pending.contentHash)).toMatchObject({ tag: 'NotReviewer' })
    expect(await get(pending.id)).toMatchObject({ value: { stepUp: false } })
    expect(await signs(request)).toMatchObject({ status: 'HELD' })

    value(await decide(pending.id, good))
    value(await decide(pending.id, good))
    expect(await signs(request)).toMatchObject(done)
  })

  it('is needed beside the user’s where both decide, and either denies', async () => {
    await apply({ ...held({ by: 'both' }), approver: approverOf('ES256') })
    const request = payment()
    const first = heldBy(await signs(request))
    const jws = (pending: typeof first, decision: string) =>
      jwsOf({ alg: 'ES256' }, { ...pending, decision, exp: inTime() }, keys.ES256.privateKey)

    expect(await (await openReview(first.id)).accept(first.contentHash)).toMatchObject({ tag: 'StepUpRequired' })
    await accept(first)
    expect(heldBy(await signs(request))).toEqual(first)
    value(await decide(first.id, jws(first, 'accept')))
    expect(await signs(request)).toMatchObject(done)

    const second = heldBy(await signs(request))
    await accept(second)
    value(await decide(second.id, jws(second, 'deny')))
    const third = heldBy(await signs(request))
    expect(third.id).not.toBe(second.id)
    value(await decide(third.id, jws(third, 'accept')))
    value(await (await openReview(third.id)).deny())
    expect(heldBy(await signs(request)).id).not.toBe(third.id)
  })

  const replaceBy = (alg: keyof typeof keys, by: 'partner' | 'both') =>
    apply({ ...held({ by }), approver: approverOf(alg) })

  const accepts = (alg: keyof typeof keys, pending: ReturnType<typeof heldBy>) =>
    decide(pending.id, jwsOf({ alg }, { ...pending, decision: 'accept', exp: inTime() }, keys[alg].privateKey))

  it('counts no longer once another key is the approver’s', async () => {
    await replaceBy('ES256', 'partner')
    const [request, kept] = [payment(), payment()]
    const [first, other] = [heldBy(await signs(request)), heldBy(await signs(kept))]
    value(await accepts('ES256', first))
    value(await accepts('ES256', other))
    await replaceBy('ES256', 'partner')
    expect(await signs(kept)).toMatchObject(done)

    await replaceBy('EdDSA', 'partner')
    const second = heldBy(await signs(request))
    expect(second.id).not.toBe(first.id)
    const [row] = (await ofWallet('pending_transactions')).filter(({ id }) => id === second.id)
    value(await accepts('EdDSA', second))
    const [byCurrent] = (await ofWallet('pending_transactions')).filter(({ id }) => id === second.id)
    const thumb = Buffer.from(await calculateJwkThumbprint(approverOf('EdDSA')), 'base64url').toString('hex')
    expect([row?.['approver'], byCurrent?.['approver']]).toEqual([null, thumb])
    // A writer of the database says that it was this key for the first, too.
    await write(sql`update pending_transactions set approver = ${thumb} where id = ${first.id}`)
    await write(sql`delete from pending_transactions where id = ${second.id}`)
    const third = heldBy(await signs(request))
    expect([first.id, second.id]).not.toContain(third.id)
    value(await accepts('EdDSA', third))
    expect(await signs(request)).toMatchObject(done)

    // Where the user has not accepted yet, the new approver decides in the place of the one before.
    await replaceBy('ES256', 'both')
    const both = heldBy(await signs(request))
    value(await accepts('ES256', both))
    await replaceBy('EdDSA', 'both')
    value(await accepts('EdDSA', both))
    expect(heldBy(await signs(request))).toEqual(both)
    await accept(both)
    expect(await signs(request)).toMatchObject(done)
  })

  it('of an approver who was replaced makes no half of an acceptance, and answers await the approver of now', async () => {
    const request = payment()
    await replaceBy('ES256', 'both')
    const pending = heldBy(await signs(request))
    const awaited = async () => {
      const toDecide = world.as({ partner, secretKey: true }, getPendingTransactionToDecide(pending.id))
      return [value(await get(pending.id)), value(await toDecide)].map(awaitedOf)
    }
    value(await accepts('ES256', pending))
    expect(await awaited()).toEqual(['user', 'user'])

    await replaceBy('EdDSA', 'both')
    expect(await awaited()).toEqual(['both', 'both'])
    await accept(pending)
    expect(await get(pending.id)).toMatchObject({ value: { state: 'PENDING' } })
    expect(await awaited()).toEqual(['partner', 'partner'])
    expect(heldBy(await signs(request))).toEqual(pending)
    value(await accepts('EdDSA', pending))
    expect(await signs(request)).toMatchObject(done)
  })
})

describe('a public client', () => {
  beforeAll(begin)

  const call = (request: SigningRequest.SigningRequest, protocolId: string, send = false) => {
    if (request.kind !== 'transaction') throw new Error('not a transaction')
    const body = { transaction: Buffer.from(request.transaction, 'hex').toString('base64'), chainId: '1', protocolId }
    return host.as({}, (send ? sendTransaction : signTransaction)(user.userId, evm.walletId, body))
  }

  const digestOf = async (request: SigningRequest.SigningRequest) => {
    const { payloadDigest } = await import('../../../domain/mpc/SigningRequest.ts')
    const payload = payloadDigest(request, 'DKLS')
    if (payload._tag === 'Failure') throw new Error('no digest')
    return { kind: 'blind', digest: bytesToHex(payload.success.message) } as const
  }

  /** As the client does: the call and the first frame at the same time, under one protocol id. */
  const both = async (request: SigningRequest.SigningRequest) => {
    const protocolId = randomUUID()
    const bare = await digestOf(request)
    return Promise.all([call(request, protocolId), host.device.sign(evm, bare, { protocolId })])
  }

  it('is held by call and frame alike, and completes once it is accepted', async () => {
    await apply(held())
    const request = payment()

    const [answer, ended] = await both(request)
    const pending = heldBy(ended)
    expect(answer).toEqual({ kind: 'success', value: { pendingTransactionId: pending.id } })
    // The SDK's own request for the same transaction is the same review.
    expect(heldBy(await signs(request))).toEqual(pending)
    const [again] = await both(request)
    expect(again).toEqual({ kind: 'success', value: { pendingTransactionId: pending.id } })

    await accept(pending)
    const [let_, signed] = await both(request)
    expect(let_).toMatchObject({ kind: 'success' })
    expect(signed).toMatchObject(done)
    expect((await both(request))[1]).toMatchObject({ kind: 'stopped', status: 'HELD' })
  })

  it('is denied by call and frame alike, and a waiting frame ends', async () => {
    await apply(policyOf([{ id: 'none', effect: 'deny', when: { payload: { is: 'evm.transaction' } } }]))
    const [answer, ended] = await both(payment())

    expect(answer).toMatchObject({ tag: 'DeniedByPolicy' })
    expect(ended).toMatchObject(denied)
    expect(await world.run(Effect.flatMap(Runs, (runs) => runs.unfinished(evm.walletId)))).toEqual([])
  })

  describe('with a document of Cosmos beside its digest', () => {
    const recipient = pubkeyToAddress(encodeSecp256k1Pubkey(secp256k1.keygen().publicKey), 'cosmos')
    let cosmos: WalletKey

    beforeAll(async () => {
      cosmos = await make('COSMOS')
    })

    const addressOf = (publicKey: Uint8Array, prefix = 'cosmos') =>
      pubkeyToAddress(encodeSecp256k1Pubkey(publicKey), prefix)

    const coins = (amount: string) => [{ denom: 'uatom', amount }]

    const direct = (
      amount: string,
      publicKey = cosmos.share.publicKey,
      { chain = 'cosmoshub-4', to = recipient } = {},
    ): Uint8Array => {
      const value = { fromAddress: addressOf(publicKey), toAddress: to, amount: coins(amount) }
      const body = new Registry().encodeTxBody({ messages: [{ typeUrl: '/cosmos.bank.v1beta1.MsgSend', value }] })
      const signer = { pubkey: encodePubkey(encodeSecp256k1Pubkey(publicKey)), sequence: 0 }
      const authInfo = makeAuthInfoBytes([signer], [], 200_000, undefined, undefined)
      return makeSignBytes(makeSignDoc(body, authInfo, chain, 7))
    }

    const amino = (amount: string): Uint8Array => {
      const value = { from_address: addressOf(cosmos.share.publicKey), to_address: recipient, amount: coins(amount) }
      return serializeSignDoc({
        chain_id: 'cosmoshub-4',
        account_number: '7',
        sequence: '0',
        fee: { amount: [], gas: '200000' },
        msgs: [{ type: 'cosmos-sdk/MsgSend', value }],
        memo: '',
      })
    }

    const bothOf = (document: Uint8Array) => {
      const protocolId = randomUUID()
      const digest = sha256(document)
      const [message, cosmosSignDoc] = [digest, document].map((bytes) => Buffer.from(bytes).toString('base64'))
      const body = { message: message ?? '', cosmosSignDoc, scheme: null, protocolId }
      const bare = { kind: 'blind', digest: bytesToHex(digest) } as const
      return Promise.all([
        host.as({}, signMessage(user.userId, cosmos.walletId, body)),
        host.device.sign(cosmos, bare, { protocolId }),
      ])
    }

    const asset = 'cosmos:cosmoshub-4/denom:uatom'
    const limited = (payload: string, max: string) => ({
      ...policyOf([
        {
          id: 'small',
          effect: 'allow',
          when: { payload: { is: payload }, recipient: { is: recipient } },
          limits: [{ asset, max, per: '24h', of: 'wallet', over: 'review' }],
        },
      ]),
      default: 'deny',
    })

    it.each([
      ['cosmosDirect', 'cosmos.direct', '100', direct],
      ['cosmosAmino', 'cosmos.amino', '200', amino],
    ] as const)('is judged as what it says: %s', async (kind, payload, max, documentOf) => {
      await apply(limited(payload, max))
      const small = await bothOf(documentOf('60'))
      expect(small).toMatchObject([{ kind: 'success' }, done])

      // The limit counts what the document sends, and the review is that of the SDK's own request.
      const large = documentOf('61')
      const [answer, ended] = await bothOf(large)
      const pending = heldBy(ended)
      expect(answer).toEqual({ kind: 'success', value: { pendingTransactionId: pending.id } })
      expect(heldBy(await host.device.sign(cosmos, { kind, signDoc: bytesToHex(large) }))).toEqual(pending)
      const shown = JSON.parse(
        String((await rowsOf('pending_transactions')).find(({ id }) => id === pending.id)?.['content']),
      ) as object
      expect(shown).toMatchObject({ kind: payload, transfers: [{ asset, amount: '61', to: recipient }] })
      await accept(pending)
      expect((await bothOf(large))[1]).toMatchObject(done)

      await apply({ ...policyOf([]), default: 'deny' })
      const [refused, stopped] = await bothOf(documentOf('1'))
      expect(refused).toMatchObject({ tag: 'DeniedByPolicy' })
      expect(stopped).toMatchObject(denied)
    })

    it('is judged and signed whatever stands for its chain or its recipient', async () => {
      // Such a text is not made shorter by compression, and an index of PostgreSQL does not hold it.
      const long = Array.from({ length: 100 }, (_, index) => bytesToHex(sha256(Uint8Array.of(index)))).join('')
      await apply(policyOf([]))
      for (const odd of ['\0', long]) {
        for (const document of [direct('1', undefined, { chain: odd }), direct('1', undefined, { to: odd })]) {
          const signDoc = bytesToHex(document)
          expect(await host.device.sign(cosmos, { kind: 'cosmosDirect', signDoc })).toMatchObject(done)
        }
      }
    })

    it('is refused by call and frame if it is another’s', async () => {
      const stranger = secp256k1.keygen().publicKey
      const plain = (publicKey: Uint8Array, prefix: string) =>
        CosmosMessage.signDoc(addressOf(publicKey, prefix), utf8ToBytes('hello'))
      const foreign = [
        [direct('1', stranger), addressOf(stranger)],
        [plain(stranger, 'cosmos'), addressOf(stranger)],
        [plain(stranger, 'osmo'), addressOf(stranger, 'osmo')],
      ] as const
      await apply(policyOf([]))
      for (const [document, address] of foreign) {
        const [answer, ended] = await bothOf(document)
        expect(answer).toEqual({
          kind: 'refused',
          tag: 'AddressNotInWallet',
          message: `Address ${address} not found in wallet`,
        })
        expect(ended).toMatchObject({ kind: 'stopped', status: 'ABORT' })
      }
      expect(await bothOf(plain(cosmos.share.publicKey, 'osmo'))).toMatchObject([{ kind: 'success' }, done])
    })
  })

  it('cannot review a message of ED25519', async () => {
    await apply(policyOf([{ id: 'held', effect: 'review', when: { payload: { is: 'solana.message' } } }]))
    const protocolId = randomUUID()
    const body = { message: Buffer.from('hello').toString('base64'), scheme: 'ED25519', protocolId }
    const refused = { tag: 'ReviewNotSupported', message: 'review is not supported for this client' }

    expect(await host.as({}, signMessage(user.userId, solana.walletId, body))).toMatchObject(refused)
    const bare = { kind: 'blind', digest: bytesToHex(utf8ToBytes('hello')) } as const
    expect(await host.device.sign(solana, bare, { protocolId })).toMatchObject(refused)
    expect((await ofWallet('pending_transactions')).filter((row) => row['wallet_id'] === solana.walletId)).toEqual([])
  })

  describe('with bytes of ED25519', () => {
    const bothOf = (bytes: Uint8Array) => {
      const protocolId = randomUUID()
      const body = { message: Buffer.from(bytes).toString('base64'), scheme: 'ED25519', protocolId }
      const bare = { kind: 'blind', digest: bytesToHex(bytes) } as const
      return Promise.all([
        host.as({}, signMessage(user.userId, solana.walletId, body)),
        host.device.sign(solana, bare, { protocolId }),
      ])
    }

    const transfer = (lamports: number, from = solana.share.publicKey): Uint8Array => {
      const payer = new PublicKey(from)
      const toPubkey = new PublicKey(new Uint8Array(32).fill(9))
      return new TransactionMessage({
        payerKey: payer,
        recentBlockhash: new PublicKey(new Uint8Array(32).fill(7)).toBase58(),
        instructions: [SystemProgram.transfer({ fromPubkey: payer, toPubkey, lamports })],
      })
        .compileToV0Message()
        .serialize()
    }

    it('is judged as the transaction or the message that they are', async () => {
      const rule = { id: 'small', effect: 'allow', when: { lamports: { atMost: '1000' } } }
      await apply({ ...policyOf([rule]), default: 'deny' })

      expect(await bothOf(transfer(1_000))).toMatchObject([{ kind: 'success' }, done])
      expect(await bothOf(transfer(1_001))).toMatchObject([{ tag: 'DeniedByPolicy' }, denied])
      expect(await bothOf(utf8ToBytes('sign in'))).toMatchObject([{ tag: 'DeniedByPolicy' }, denied])
      await apply({
        ...policyOf([{ id: 'in', effect: 'allow', when: { payload: { is: 'solana.message' } } }]),
        default: 'deny',
      })
      expect(await bothOf(utf8ToBytes('sign in'))).toMatchObject([{ kind: 'success' }, done])
      expect(await bothOf(transfer(1))).toMatchObject([{ tag: 'DeniedByPolicy' }, denied])
    })

    it('is refused a transaction that does not need the wallet’s signature', async () => {
      await apply(policyOf([]))
      const [answer, ended] = await bothOf(transfer(1, new Uint8Array(32).fill(3)))

      expect(answer).toMatchObject({ tag: 'PayloadNotSupported' })
      expect(ended).toMatchObject({ kind: 'stopped', status: 'ABORT' })
    })
  })
})
