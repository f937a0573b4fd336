/**
 * What may be used once, used many times at the same moment: each genuine request of a person's is sent as often by an
 * attacker who reads along. One of them has its effect, and the person's own flow comes to its end.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as Header from '../../domain/model/Header.ts'
import type { OperationId } from '../../generated/operations.ts'
import { liveStories } from '../contract/stories.ts'
import { isLong, times } from '../kit/long.ts'
import { startService, type TestService } from '../kit/service.ts'
import { newEmail, shop } from './people.ts'
import type { Passing, Reply } from './proxy.ts'
import { rowsOf } from './rows.ts'
import { ask, refusal } from './wire.ts'

const copies = times(5, 50)

/** Granted to one of the copies and to none that comes later, with what the others are told. */
const once: Partial<Record<OperationId, string>> = {
  createOpeningToken: 'OpenerNotProven',
  verifyPasskey: 'UnknownPasskey',
  verifyUserPasskey: 'UnknownPasskey',
  verifyPassword: 'InvalidPassword',
  getTemporaryTransmission: 'NotFound',
}

/** Granted to a copy as to the first one, for a client whose answer was lost; with one effect. */
const repeated: readonly OperationId[] = [
  'verifyEmail',
  'updatePasskey',
  'updatePassword',
  'createTemporaryShares',
  'deleteTemporaryShares',
  'createOpeningTicket',
  'redeemOpening',
  'verifyRecovery',
  'verifyRecoveryEmail',
  'finishRecovery',
]

type Told = {
  readonly id: OperationId
  readonly request: Passing
  readonly replies: readonly Reply[]
}

let service: TestService
const told: Told[] = []

beforeAll(async () => {
  service = await startService()
  const handle = async (id: OperationId, request: Passing, pass: () => Promise<Reply>) => {
    if (!(id in once) && !repeated.includes(id)) return pass()
    // A record takes five wrong tries (domain/service/README.md#tries-of-a-password), so more copies could leave no winner.
    const count = id === 'verifyPassword' ? 5 : copies
    const replies = await Promise.all(Array.from({ length: count }, pass))
    told.push({ id, request, replies })
    return replies.find(({ status }) => status === 200) ?? replies[0] ?? pass()
  }
  await liveStories(service, isLong ? { handle } : { handle, stories: ['withPasskey', 'withoutAccount'] })
})

afterAll(() => service.stop())

const isGranted = ({ status }: Reply) => status === 200
const of = (among: (id: OperationId) => boolean) => told.filter(({ id }) => among(id))

describe('copies of a request at the same moment', () => {
  it('of what may be used once: one is granted', () => {
    const used = of((id) => id in once)

    expect(new Set(used.map(({ id }) => id)).size).toBe(Object.keys(once).length - (isLong ? 0 : 1))
    for (const { id, replies } of used) {
      const refused = replies.filter((reply) => !isGranted(reply)).map(({ headers }) => headers[Header.errorCode])

      expect([id, replies.length - refused.length]).toEqual([id, 1])
      expect([id, ...new Set(refused)]).toEqual([id, once[id]])
    }
  })

  it('of what may be asked again: all that are granted get the same answer', () => {
    const asked = of((id) => repeated.includes(id))

    expect(asked.length).toBeGreaterThan(5)
    for (const { id, replies } of asked) {
      const answers = replies.filter(isGranted).map(({ body }) => Buffer.from(body).toString())
      expect([id, new Set(answers).size]).toEqual([id, 1])
    }
  })

  it('have one effect: no user is verified twice, and no session authenticated twice', async () => {
    const { audits = [] } = await rowsOf(service)
    const repeatedOf = (event: string, by: readonly string[]) => {
      const seen = audits
        .filter((audit) => audit['event'] === event)
        .map((audit) => by.map((name) => audit[name]).join())
      expect([event, seen.length > 0]).toEqual([event, true])
      return seen.filter((one, index) => seen.indexOf(one) !== index)
    }

    expect(repeatedOf('user.verified', ['session_id', 'user_id'])).toEqual([])
    expect(repeatedOf('opening.verified', ['subject'])).toEqual([])
    expect(repeatedOf('session.authenticated', ['session_id'])).toEqual([])
  })

  it('are refused later, too', async () => {
    for (const { id, request } of of((one) => one in once)) {
      const { method, target, body } = request
      const names = [Header.apiKey, Header.session, Header.device, Header.partner, 'origin', 'content-type']
      const headers = names.flatMap((name) => {
        const value = request.headers[name]
        return typeof value === 'string' ? [[name, value] as const] : []
      })
      const again = () =>
        ask(
          { base: service.addresses.api },
          method,
          target,
          body.length === 0 ? undefined : body,
          Object.fromEntries(headers),
        )
      const answers = await Promise.all(Array.from({ length: times(2, 20) }, again))

      expect([id, answers.filter(({ status }) => status === 200).length]).toEqual([id, 0])
    }
  })
})

describe('requests with one idempotency key at the same moment', () => {
  it('make one user, mail one code and give one session', async () => {
    const email = newEmail('ida')
    const page = { base: service.addresses.api, apiKey: service.partner.apiKey, origin: shop }
    const key = { [Header.idempotencyKey]: randomUUID() }

    const answers = await Promise.all(Array.from({ length: copies }, () => ask(page, 'POST', '/users', { email }, key)))

    const late = answers.filter(({ status }) => status !== 200).map(refusal)
    expect(late.filter((line) => line !== '503 RequestStillRunning: request is still running')).toEqual([])
    expect(new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1)
    expect(service.mailbox(email)).toHaveLength(1)
    const { sessions = [] } = await rowsOf(service)
    const tokens = new Set(answers.flatMap(({ token }) => token ?? []))
    expect(sessions.filter(({ identity }) => JSON.stringify(identity).includes(email))).toHaveLength(1)
    expect(tokens.size).toBe(1)
  })
})
