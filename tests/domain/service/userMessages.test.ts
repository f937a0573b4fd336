/** The outbox of mails and SMS: what is sent when, how often, and what lies in the database meanwhile. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Clock from 'effect/Clock'
import * as Deferred from 'effect/Deferred'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import * as Layer from 'effect/Layer'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import * as Result from 'effect/Result'
import * as TestClock from 'effect/testing/TestClock'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { Database } from '../../../adapters/service/database/Database.ts'
import { UserMessagesDatabase } from '../../../adapters/service/database/UserMessages.ts'
import { FailpointsNode } from '../../../adapters/service/node/Failpoints.ts'
import { SecureRandomNode } from '../../../adapters/service/node/SecureRandom.ts'
import { VaultOf } from '../../../adapters/service/vault/Vault.ts'
import type { Identity } from '../../../domain/model/Identity.ts'
import { Mail, NotSent, type Message } from '../../../domain/service/ports/Mail.ts'
import { Sms, type ShortMessage } from '../../../domain/service/ports/Sms.ts'
import { Transaction } from '../../../domain/service/ports/Transaction.ts'
import { UserMessages } from '../../../domain/service/ports/UserMessages.ts'
import { userMessageLimits } from '../../../domain/service/UserMessage.ts'
import { deliverDue, sendCode, sendNotice, sweep } from '../../../domain/service/userMessages.ts'
import { anyDatabase } from '../../kit/database.ts'
import { vaultKeysIn } from '../../kit/rings.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-messages-'))
const taken: (Message | ShortMessage)[] = []
/** When something was handed over, in seconds. */
let tries: number[] = []
let outcome: Effect.Effect<void, NotSent> = Effect.void

const send = (message: Message | ShortMessage) =>
  Effect.gen(function* () {
    tries.push(Math.round((yield* Clock.currentTimeMillis) / 1_000) - began)
    yield* outcome
    taken.push(message)
  })

const runtime = ManagedRuntime.make(
  UserMessagesDatabase.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        SecureRandomNode,
        VaultOf(vaultKeysIn(folder)),
        FailpointsNode(undefined),
        Layer.succeed(Mail, { send }),
        Layer.succeed(Sms, { send }),
        TestClock.layer(),
      ),
    ),
    Layer.provideMerge(anyDatabase()),
  ),
)
afterAll(async () => {
  await runtime.dispose()
  rmSync(folder, { recursive: true })
})

type Services = ManagedRuntime.ManagedRuntime.Services<typeof runtime>
const run = <A, E>(flow: Effect.Effect<A, E, Services>) => runtime.runPromise(flow)

const second = 1_000
const minute = 60 * second
let began = 0
const now = () => run(Clock.currentTimeMillis)
const advance = (ms: number) => run(TestClock.adjust(ms))
const deliver = () => run(deliverDue('mail'))
const rows = () =>
  run(Effect.flatMap(Database, ({ query }) => query((db) => db.selectFrom('user_messages').selectAll().execute())))

/** A worker's rounds for so long. */
const working = async (ms: number) => {
  for (let passed = 0; passed <= ms; passed += 5 * second) {
    await deliver()
    await advance(5 * second)
  }
}

const refusal = (isFinal: boolean) => Effect.fail(new NotSent({ reason: 'refused', isFinal }))

const ada: Identity = { kind: 'email', email: 'ada@example.org' }
type To = { readonly session?: string; readonly isSent?: boolean; readonly identity?: Identity }
const code = async (digits: string, { session = 'ada', isSent = true, identity = ada }: To = {}) => {
  const told = { subject: 'Your code', text: `It is ${digits}.`, code: digits, isSent }
  await run(sendCode(session, identity, { ...told, expiresAt: (await now()) + 10 * minute }))
}
const notice = (text: string, insteadOfCodeOf?: string) =>
  run(sendNotice(ada, { subject: 'A notice', text }, insteadOfCodeOf))
const texts = () => taken.map(({ text }) => text)

beforeEach(async () => {
  await run(Effect.flatMap(Database, ({ query }) => query((db) => db.deleteFrom('user_messages').execute())))
  taken.length = 0
  tries = []
  outcome = Effect.void
  began = Math.round((await now()) / 1_000)
})

describe('a message', () => {
  it('is sent once what it tells is committed, and is gone then; what is rolled back is not sent', async () => {
    const within = <E>(end: Effect.Effect<void, E>) =>
      run(
        Effect.flatMap(Transaction, ({ atomically }) =>
          Effect.result(atomically(Effect.andThen(sendNotice(ada, { subject: 'A notice', text: 'told' }), end))),
        ),
      )
    expect(Result.isFailure(await within(Effect.fail('no')))).toBe(true)
    expect(await deliver()).toBe(0)
    await within(Effect.void)

    expect(await deliver()).toBe(1)
    expect(taken).toEqual([{ to: 'ada@example.org', subject: 'A notice', text: 'told' }])
    expect(await rows()).toEqual([])
    expect(await deliver()).toBe(0)
  })

  it('lies sealed in the database, without address, text and code', async () => {
    await code('424242')

    const dump = JSON.stringify(await rows(), (_, held: unknown) =>
      held instanceof Uint8Array ? Buffer.from(held).toString('latin1') : held,
    )
    expect(dump).toContain('"code_of":"ada"')
    expect(dump).not.toMatch(/424242|example\.org|Your code/)
    await deliver()
    expect(taken).toEqual([{ to: 'ada@example.org', subject: 'Your code', text: 'It is 424242.', code: '424242' }])
  })

  it('that a writer of the database put in the place of another is not sent', async () => {
    await code('111111', { session: 'ada' })
    await code('222222', { session: 'eve', identity: { kind: 'email', email: 'eve@example.org' } })
    const [first, second] = await rows()
    await run(
      Effect.flatMap(Database, ({ query }) =>
        query((db) =>
          db
            .updateTable('user_messages')
            .set({ sealed: first?.sealed ?? new Uint8Array() })
            .where('id', '=', second?.id ?? '')
            .execute(),
        ),
      ),
    )
    await deliver()

    expect(texts()).toEqual([first?.code_of === 'ada' ? 'It is 111111.' : 'It is 222222.'])
  })

  it('to an address that is to get nothing is not sent, and is gone like any other', async () => {
    await code('000000', { isSent: false })

    expect(await deliver()).toBe(1)
    expect([tries, await rows()]).toEqual([[], []])
  })

  it('to a phone is an SMS, without a subject', async () => {
    await code('424242', { identity: { kind: 'phone', countryCode: '+1', phone: '5005550009' } })

    expect(await deliver()).toBe(0)
    expect(await run(deliverDue('sms'))).toBe(1)
    expect(taken).toEqual([{ to: '+15005550009', text: 'It is 424242.', code: '424242' }])
  })
})

describe('a provider that is down', () => {
  it('is asked again with growing pauses while the code is valid, and not after; nothing of the code is left', async () => {
    outcome = refusal(false)
    await code('424242')
    await working(10 * minute)

    expect(tries).toEqual([0, 5, 25, 85, 205, 505])
    expect(await rows()).toEqual([])
    outcome = Effect.void
    await working(minute)
    expect(taken).toEqual([])
  })

  it('gets a notice later, up to three days', async () => {
    outcome = refusal(false)
    await notice('told')
    await working(20 * minute)
    for (let hours = 0; hours < 72; hours += 1) {
      await advance(60 * minute)
      await deliver()
    }
    expect(await rows()).toEqual([])
    expect(tries.length).toBeGreaterThan(70)

    await notice('told again')
    await deliver()
    outcome = Effect.void
    await working(minute)
    expect(texts()).toEqual(['told again'])
  })

  it('that refuses a message for good is not asked again', async () => {
    outcome = refusal(true)
    await code('424242')
    await working(10 * minute)

    expect([tries, await rows()]).toEqual([[0], []])
  })

  it('that hangs is given up after half a minute, and asked again', async () => {
    outcome = Effect.never
    await code('424242')
    const hanging = runtime.runFork(deliverDue('mail'))
    await expect.poll(() => tries).toEqual([0])
    await advance(userMessageLimits.attempt)
    await run(Fiber.join(hanging))
    outcome = Effect.void
    await working(minute)

    expect(tries).toEqual([0, 35])
    expect(texts()).toEqual(['It is 424242.'])
  })
})

describe('a code', () => {
  it('that no worker looked for in time is not sent, and upkeep deletes it, too', async () => {
    await code('111111')
    await code('222222', { session: 'eve' })
    await advance(10 * minute)
    expect(await run(sweep(1))).toBe(1)
    await deliver()

    expect([tries, await rows()]).toEqual([[], []])
  })

  it('takes the place of the one before of its session, and so does a notice; a notice waits beside a code', async () => {
    await code('111111')
    await code('222222', { session: 'eve' })
    await code('333333')
    await deliver()
    expect(texts().toSorted()).toEqual(['It is 222222.', 'It is 333333.'])

    taken.length = 0
    await code('444444')
    await notice('told', 'ada')
    await code('555555')
    await deliver()
    expect(texts().toSorted()).toEqual(['It is 555555.', 'told'])
  })
})

describe('two workers', () => {
  it('send each message once', async () => {
    for (let index = 0; index < 25; index += 1) await notice(String(index))
    for (let round = 0; round < 4; round += 1) await Promise.all([deliver(), deliver()])

    expect(
      texts()
        .map(Number)
        .sort((a, b) => a - b),
    ).toEqual(Array.from({ length: 25 }, (_, index) => index))
  })

  it('do not share one that is on its way, and one takes over what the other left when it died', async () => {
    const sending = Deferred.makeUnsafe<void>()
    outcome = Deferred.await(sending)
    await notice('told')
    const slow = runtime.runFork(deliverDue('mail'))
    await expect.poll(() => tries).toEqual([0])
    expect(await deliver()).toBe(0)
    await run(Fiber.interrupt(slow))
    outcome = Effect.void
    await advance(userMessageLimits.lease - 1)
    expect(await deliver()).toBe(0)
    await advance(1)

    expect(await deliver()).toBe(1)
    expect(texts()).toEqual(['told'])
  })

  it('leave to the later one what becomes of a message that the first one held too long', async () => {
    await notice('told')
    const lease = async () => {
      const at = await now()
      const asked = { channel: 'mail', now: at, until: at + userMessageLimits.lease, limit: 1 } as const
      const [leased] = await run(Effect.flatMap(UserMessages, (messages) => messages.lease(asked)))
      if (leased === undefined) throw new Error('nothing is due')
      return leased
    }
    const first = await lease()
    await advance(userMessageLimits.lease)
    const later = await lease()
    await run(Effect.flatMap(UserMessages, ({ postpone }) => postpone(first, 0)))
    await run(Effect.flatMap(UserMessages, ({ remove }) => remove(first)))
    expect(await deliver()).toBe(0)
    expect(await rows()).toHaveLength(1)

    await run(Effect.flatMap(UserMessages, ({ remove }) => remove(later)))
    expect(await rows()).toEqual([])
  })
})
