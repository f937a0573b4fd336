/**
 * Reviews over HTTP, with a real device: what its frame and the public client's call are answered, the page's way to its
 * decision, the partner's decision, and what a session alone can do.
 */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import { serializeTransaction } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as Frame from '../../domain/mpc/Frame.ts'
import type { SigningRequest } from '../../domain/mpc/SigningRequest.ts'
import { applyPolicy } from '../../domain/service/policies.ts'
import { reviewLimits } from '../../domain/service/PendingTransaction.ts'
import { sweep } from '../../domain/service/reviews.ts'
import { createEndpoint } from '../../domain/service/webhooks.ts'
import type { Ended, WalletKey } from '../kit/device.ts'
import { casesOf, times } from '../kit/long.ts'
import { startService, type TestService } from '../kit/service.ts'
import { decideFor, type Decision, type Pending } from './approver.ts'
import { Device, portal, signUp, type Person } from './people.ts'
import { rowsOf } from './rows.ts'
import { ask, heldBy, refusal, success, type Answer, type Client, type Held } from './wire.ts'

const approver = generateKeyPairSync('ed25519')

let service: TestService
let ada: Person
let held: Held
let key: WalletKey
/** The page's calls, before it has a token. */
let page: Client

beforeAll(async () => {
  service = await startService()
  ada = await signUp(service, { types: { EVM: true } })
  held = await heldBy(service, ada.device)
  // The SDK enrols the device with its first signature.
  await ada.device.signMessage({ walletId: ada.walletIds[0] ?? '', message: 'enrolled' })
  held = await heldBy(service, ada.device)
  key = held.keyOf(ada.walletIds[0] ?? '')
  page = { base: service.addresses.api, apiKey: service.partner.apiKey, origin: portal }
})
afterAll(() => service.stop())

const apply = (review: object) =>
  service.run(
    applyPolicy(service.partner.partnerId, {
      tandem: 'policy/1',
      default: 'allow',
      rules: [{ id: 'payments', effect: 'review', when: { payload: { is: 'evm.transaction' } }, review }],
      approver: approver.publicKey.export({ format: 'jwk' }),
    }),
  )

let nonce = 0

const payment = (): Extract<SigningRequest, { kind: 'transaction' }> => ({
  kind: 'transaction',
  transaction: serializeTransaction({
    chainId: 1,
    nonce: nonce++,
    gas: 21_000n,
    maxFeePerGas: 1n,
    to: '0x00000000000000000000000000000000000000aa',
    value: 5n,
  }).slice(2),
  chainId: '1',
  send: false,
})

const heldOf = (ended: Ended) => {
  const body = ended.kind === 'stopped' && ended.status === 'HELD' ? Frame.decodeHeld(ended.body) : undefined
  if (body === undefined) throw new Error(`not held: ${JSON.stringify(ended)}`)
  return { id: body.pendingTransactionId, contentHash: bytesToHex(body.contentHash) }
}

const hold = async (request: SigningRequest) => heldOf(await held.protocol.sign(key, request))

const pathOf = (id: string) => `/users/${held.userId}/pending-transactions/${id}`

const get = (id: string, client = held.client, headers = {}) => ask(client, 'GET', pathOf(id), undefined, headers)

/** A page of this review, and how it asks for its token. */
const begin = async (id: string) => {
  const { sessionId } = held
  const begun = success(await ask(page, 'POST', '/openings', { page: 'review', record: id, sessionId }))
  const [openingId, openingSecret] = [String(begun['openingId']), String(begun['openingSecret'])]
  const enter = (grounds: object) => ask(page, 'POST', `/openings/${openingId}/token`, { openingSecret, ...grounds })
  return { openingId, enter }
}

const entered = (answer: Answer): Client => {
  success(answer)
  return { ...page, token: answer.token ?? undefined }
}

/** The page's calls once its opener is proven: the device's key signs for the ticket. */
const openPage = async (id: string): Promise<Client> => {
  const { openingId, enter } = await begin(id)
  const { ticket } = success(
    await ask(held.client, 'POST', `/openings/${openingId}/ticket`, { page: 'review', record: id }),
  )
  return entered(await enter({ ticket }))
}

/** By what the review's link and the publishable key are enough for. */
const redirected = { redirect: true, redeemHash: '00'.repeat(32) }

const accept = (client: Client, { id, contentHash }: Pending) =>
  ask(client, 'POST', `${pathOf(id)}/accept`, { contentHash })

const stepUpRequired = '403 StepUpRequired: a step-up is required'

const decide = (pending: Pending, decision: Decision) =>
  decideFor({ base: service.addresses.api, apiKey: service.partner.secretKey }, approver.privateKey, pending, decision)

it('holds a payment until the person accepts on its page, and signs it once', async () => {
  const partner = `/partners/${service.partner.partnerId}`
  expect(success(await ask(page, 'GET', partner))).toMatchObject({ partner: { policiesEnabled: false } })
  await apply({ by: 'user', stepUp: false })
  expect(success(await ask(page, 'GET', partner))).toMatchObject({ partner: { policiesEnabled: true } })
  const request = payment()
  const pending = await hold(request)
  const shown = success(await get(pending.id))

  expect(shown).toMatchObject({ id: pending.id, status: 'PENDING', contentHash: pending.contentHash, by: 'user' })
  expect(shown['payload']).toMatchObject({
    kind: 'evm.transaction',
    chain: 'eip155:1',
    transfers: [{ asset: 'eip155:1/slip44:60', amount: '5', isApproval: false }],
    warnings: expect.arrayContaining([expect.objectContaining({ code: 'FIRST_TIME_ADDRESS' })]) as unknown,
  })
  // A session accepts and denies nothing, whatever it signs.
  const { contentHash } = pending
  expect(refusal(await ask(held.client, 'POST', `${pathOf(pending.id)}/accept`, { contentHash }))).toMatch(/^401 /)
  expect(refusal(await ask(held.client, 'DELETE', pathOf(pending.id)))).toMatch(/^401 /)

  const opened = await openPage(pending.id)
  expect(success(await get(pending.id, opened))).toEqual(shown)
  const differs = await ask(opened, 'POST', `${pathOf(pending.id)}/accept`, { contentHash: '00'.repeat(32) })
  expect(refusal(differs)).toBe('409 ContentDiffers: content differs from what is held')
  const waiting = get(pending.id, held.client, { prefer: 'wait=20' })
  success(await ask(opened, 'POST', `${pathOf(pending.id)}/accept`, { contentHash }))
  expect(success(await waiting)).toMatchObject({ status: 'ACCEPTED' })

  expect(await held.protocol.sign(key, request)).toMatchObject({ kind: 'done' })
  expect(success(await get(pending.id))).toMatchObject({ status: 'DONE' })
  expect((await hold(request)).id).not.toBe(pending.id)
})

it('answers 404 for what is denied, also to who waits for it', async () => {
  const pending = await hold(payment())
  const opened = await openPage(pending.id)
  const waiting = get(pending.id, held.client, { prefer: 'wait=20' })

  success(await ask(opened, 'DELETE', pathOf(pending.id)))

  expect(refusal(await waiting)).toBe('404 NotFound: not found')
  const again = await ask(page, 'POST', '/openings', { page: 'review', record: pending.id, sessionId: held.sessionId })
  expect(refusal(again)).toBe('404 NotFound: not found')
})

it('says on its page by which credentials its person can prove themself, and no wallet of an export', async () => {
  await apply({ by: 'user', stepUp: true })
  const { id: record } = await hold(payment())
  const { openingId, enter } = await begin(record)
  const { ticket } = success(
    await ask(held.client, 'POST', `/openings/${openingId}/ticket`, { page: 'review', record }),
  )
  const answer = success(await enter({ ticket }))

  expect(answer).toMatchObject({ authMethods: ['PASSWORD'], identity: { email: ada.email }, sessionId: held.sessionId })
  expect(answer).not.toHaveProperty('walletAddress')
  await apply({ by: 'user', stepUp: false })
})

it('is the same for a public client: its call names the pending transaction, and 403 what is denied', async () => {
  const request = payment()
  const call = (asked: typeof request) =>
    ask(held.client, 'POST', `/users/${held.userId}/wallets/${key.walletId}/transactions/sign`, {
      transaction: Buffer.from(asked.transaction, 'hex').toString('base64'),
      chainId: '1',
      protocolId: randomUUID(),
    })
  const pending = await hold(request)
  expect(success(await call(request))).toEqual({ pendingTransactionId: pending.id })

  await service.run(applyPolicy(service.partner.partnerId, { tandem: 'policy/1', default: 'deny', rules: [] }))
  expect(refusal(await call(payment()))).toBe('403 DeniedByPolicy: denied by policy')
  expect(await held.protocol.sign(key, payment())).toMatchObject({ kind: 'refused', tag: 'DeniedByPolicy' })
})

it('takes the decision of a partner by its approver’s token, with its secret key alone', async () => {
  await apply({ by: 'partner' })
  const request = payment()
  const [pending, other] = [await hold(request), await hold(payment())]
  const server = { base: service.addresses.api, apiKey: service.partner.secretKey }
  const shown = await ask(server, 'GET', `/pending-transactions/${pending.id}`)
  const { secretKey } = await service.addPartner()

  expect(success(shown)).toEqual(success(await get(pending.id)))
  expect(success(shown)).toMatchObject({ contentHash: pending.contentHash })
  const ofStranger = await ask({ ...server, apiKey: secretKey }, 'GET', `/pending-transactions/${pending.id}`)
  expect(refusal(ofStranger)).toMatch(/^404 /)
  expect(refusal(await decide({ ...pending, id: other.id }, 'accept'))).toMatch(/^409 ContentDiffers/)
  success(await decide(other, 'deny'))
  expect(refusal(await get(other.id))).toMatch(/^404 /)
  success(await decide(pending, 'accept'))
  expect(await held.protocol.sign(key, request)).toMatchObject({ kind: 'done' })
  const publishable = { base: service.addresses.api, apiKey: service.partner.apiKey, origin: held.client.origin }
  const asked = await ask(publishable, 'GET', `/pending-transactions/${pending.id}`)
  expect(refusal(asked)).toMatch(/^401 ApiKeyRequired/)
  const jws = 'eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl'
  expect(refusal(await ask(publishable, 'POST', `/pending-transactions/${pending.id}/decision`, { jws }))).toMatch(
    /^401 ApiKeyRequired/,
  )
})

it('asks of two reviewers only the one who has not accepted', async () => {
  await apply({ by: 'both', stepUp: false })
  const [first, second] = [await hold(payment()), await hold(payment())]
  const asked = async ({ id }: Pending) => {
    const { status, by } = success(await get(id))
    return [status, by]
  }
  expect(await asked(first)).toEqual(['PENDING', 'both'])

  success(await decide(first, 'accept'))
  expect(await asked(first)).toEqual(['PENDING', 'user'])
  success(await ask(await openPage(second.id), 'POST', `${pathOf(second.id)}/accept`, second))
  expect(await asked(second)).toEqual(['PENDING', 'partner'])

  success(await decide(second, 'accept'))
  expect(await asked(second)).toEqual(['ACCEPTED', 'both'])
})

const reviews = [{ by: 'user' }, { by: 'both', stepUp: false }, { by: 'user', stepUp: false }, { by: 'both' }]

it.each(reviews.slice(0, times(2, reviews.length)))(
  'is not accepted by its link and the publishable key alone: %j',
  async (review) => {
    await apply(review)
    const request = payment()
    const pending = await hold(request)

    for (const forged of [{ asked: true }, { ticket: '00'.repeat(32) }]) {
      expect(refusal(await (await begin(pending.id)).enter(forged))).toMatch(/^403 OpenerNotProven/)
    }
    const linked = entered(await (await begin(pending.id)).enter(redirected))
    expect(success(await get(pending.id, linked))).toMatchObject({ status: 'PENDING', stepUp: true })
    for (const rootSignature of [undefined, '00'.repeat(64)]) {
      const body = { contentHash: pending.contentHash, rootSignature }
      expect(refusal(await ask(linked, 'POST', `${pathOf(pending.id)}/accept`, body))).toBe(stepUpRequired)
    }
    if (review.by === 'both') success(await decide(pending, 'accept'))
    expect(await held.protocol.sign(key, request)).toMatchObject({ status: 'HELD' })

    // A script in the app's page holds the device key, and signs for the ticket itself.
    const opened = await openPage(pending.id)
    const answer = await accept(opened, pending)
    if (review.stepUp === false) success(answer)
    else expect(refusal(answer)).toBe(stepUpRequired)
    expect(await held.protocol.sign(key, request)).toMatchObject(
      review.stepUp === false ? { kind: 'done' } : { status: 'HELD' },
    )
  },
)

it('is accepted by its person with the password: by a link also where the policy asks for none', async () => {
  const { apiKey } = service.partner
  const { device, password } = ada
  const { addresses } = service
  const linked = new Device({ apiKey, addresses, password, storage: device.storage, returns: () => Effect.void })
  const cases = casesOf(
    [
      [linked, { by: 'user', stepUp: false }],
      [device, { by: 'user' }],
    ] as const,
    ([of]) => of === linked,
  )
  for (const [of, review] of cases) {
    await apply(review)
    const { transaction, chainId } = payment()
    const signed = of.signTransaction({ walletId: key.walletId, transaction: `0x${transaction}`, chainId })
    expect(await signed).toMatchObject({ r: expect.any(String) as string })
  }
  await linked.dispose()
})

it('tells the partner’s server what is held, accepted, denied and signed', async () => {
  // Nothing listens there: what is told waits.
  const { id } = await service.run(createEndpoint(service.partner.partnerId, 'http://127.0.0.1:9/hooks'))
  await apply({ by: 'both', stepUp: false })
  const request = payment()
  const accepted = await hold(request)
  success(await ask(await openPage(accepted.id), 'POST', `${pathOf(accepted.id)}/accept`, accepted))
  success(await decide(accepted, 'accept'))
  expect(await held.protocol.sign(key, request)).toMatchObject({ kind: 'done' })
  const denied = await hold(payment())
  success(await ask(await openPage(denied.id), 'DELETE', pathOf(denied.id)))
  await service.run(applyPolicy(service.partner.partnerId, { tandem: 'policy/1', default: 'deny', rules: [] }))
  expect(await held.protocol.sign(key, payment())).toMatchObject({ kind: 'refused', tag: 'DeniedByPolicy' })

  const { outbox = [] } = await rowsOf(service)
  const told = outbox
    .filter((row) => row['endpoint_id'] === id)
    .map(({ body }) => JSON.parse(String(body)) as { readonly type: string; readonly data: object })
  const of = ({ id: transactionId }: { readonly id: string }) => ({
    userId: held.userId,
    walletId: key.walletId,
    transactionId,
  })
  const signing = { userId: held.userId, walletId: key.walletId, protocolId: expect.any(String) as string }
  const version = expect.any(Number) as number
  const expected = [
    ['policy.applied', { version }],
    ['transaction.pending', of(accepted)],
    ['transaction.accepted', of(accepted)],
    ['signature.completed', signing],
    ['transaction.pending', of(denied)],
    ['transaction.denied', of(denied)],
    ['policy.applied', { version }],
    ['signature.denied', signing],
  ]
  expect(told.map(({ type, data }) => [type, data])).toHaveLength(expected.length)
  expect(told.map(({ type, data }) => [type, data])).toEqual(expect.arrayContaining(expected))
})

it('tells it once of what expired, and not before a decision made in time is done', async () => {
  const { id } = await service.run(createEndpoint(service.partner.partnerId, 'http://127.0.0.1:9/expired'))
  await apply({ by: 'user', stepUp: false })
  const pending = await hold(payment())
  const told = async () => {
    const { outbox = [] } = await rowsOf(service)
    return outbox
      .filter((row) => row['endpoint_id'] === id)
      .map(({ body }) => JSON.parse(String(body)) as { readonly type: string; readonly data: object })
      .filter(({ type, data }) => type === 'transaction.expired' && JSON.stringify(data).includes(pending.id))
  }

  const { pending_transactions: rows = [] } = await rowsOf(service)
  service.advance(Number(rows.find((row) => row['id'] === pending.id)?.['expires_at']) - Date.now() + 1)
  await service.run(sweep())
  expect(await told()).toEqual([])
  service.advance(reviewLimits.settled)
  await service.run(sweep())
  await service.run(sweep())

  const data = { userId: held.userId, walletId: key.walletId, transactionId: pending.id }
  expect(await told()).toMatchObject([{ type: 'transaction.expired', data }])
})
