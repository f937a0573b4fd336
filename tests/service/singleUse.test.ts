/**
 * What may be used once, used many times at the same moment: each genuine request of a person's is sent as often by an
 * attacker who reads along. One of them has its effect, and the person's own flow comes to its end.
 */
import { randomUUID } from 'node:crypto'
import * as Effect from 'effect/Effect'
import * as Redacted from 'effect/Redacted'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { notBuilt } from '../../adapters/service/http/notBuilt.ts'
import { exportWithPassword, type PrivateKey } from '../../domain/client/portal/exportPrivateKey.ts'
import { Navigation } from '../../domain/client/ports/Navigation.ts'
import * as Header from '../../domain/model/Header.ts'
import { exportLimits } from '../../domain/service/Export.ts'
import type { OperationId } from '../../generated/operations.ts'
import { operationIds } from '../contract/Contract.ts'
import { liveStories } from '../contract/stories.ts'
import { isLong, times } from '../kit/long.ts'
import { openPage } from '../kit/pageFlows.ts'
import type { Play } from '../kit/portalPlayer.ts'
import { startService, type TestService } from '../kit/service.ts'
import { Device, newEmail, shop, signUp, type Person } from './people.ts'
import { startProxy, type Handle, type Passing, type Proxy, type Reply } from './proxy.ts'
import { operationOf } from './requests.ts'
import { rowsOf } from './rows.ts'
import { ask, refusal, unsignedAnswer } from './wire.ts'

const copies = times(5, 50)

/** Granted to one of the copies and to none that comes later, with what the others are told. */
const once: Partial<Record<OperationId, string>> = {
  createOpeningToken: 'OpenerNotProven',
  verifyPasskey: 'UnknownPasskey',
  verifyUserPasskey: 'UnknownPasskey',
  verifyPassword: 'InvalidPassword',
  getTemporaryTransmission: 'NotFound',
  denyPendingTransaction: 'NotFound',
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
  'completeRecovery',
  'acceptPendingTransaction',
  'decidePendingTransaction',
]

/** Also single use, with tests of their own below. */
const below: readonly OperationId[] = ['createUser', 'getCapsuleShare', 'exchangeFrame']

/** What writes and may be asked for any number of times: the last one counts, or all have the effect of the first. */
const unlimited: readonly OperationId[] = [
  // Each makes what is its own, within its rate.
  'touchSession',
  'createOpening',
  'createTemporaryTransmission',
  'sendTransaction',
  'signTransaction',
  'signMessage',
  'refreshKeys',
  'reportSdkError',
  'createSessionJwt',
  'createDelegation',
  // A code or a recovery takes the place of the one before.
  'resendVerificationCode',
  'startRecovery',
  'initRecovery',
  // A user, a session or a record has one of them.
  'registerSessionKeys',
  'createPassword',
  'createPasskey',
  'createWallet',
  'createWalletKeyShares',
  'createKeyShares',
  'createRecoveryPublicKeys',
  'createEncryptedWalletPrivateKey',
  'distributeCapsuleShare',
  // A state that is the same afterwards.
  'keepSessionAlive',
  'verifySessionJwt',
  'beatOpening',
  'closeOpening',
  'setWallets',
  'cancelRecovery',
  'endDelegation',
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
  // All stories, in fifty copies.
}, 600_000)

afterAll(() => service.stop())

const isGranted = ({ status }: Reply) => status === 200
const of = (among: (id: OperationId) => boolean) => told.filter(({ id }) => among(id))

it('each operation that writes is single use, repeatable or unlimited', () => {
  const known = [...operationIds.filter((id) => id in once), ...repeated, ...below, ...unlimited]
  const writing = operationIds.filter((id) => operationOf(id).method !== 'GET' && !(id in notBuilt))

  expect(writing.filter((id) => !known.includes(id))).toEqual([])
  expect(known.filter((id, index) => known.indexOf(id) !== index)).toEqual([])
})

describe('copies of a request at the same moment', () => {
  it('of what may be used once: one is granted', () => {
    const used = of((id) => id in once)

    expect(new Set(used.map(({ id }) => id)).size).toBe(Object.keys(once).length - (isLong ? 0 : 2))
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
    expect(await service.mailbox(email)).toHaveLength(1)
    const { sessions = [] } = await rowsOf(service)
    const tokens = new Set(answers.flatMap(({ token }) => token ?? []))
    expect(sessions.filter(({ identity }) => JSON.stringify(identity).includes(email))).toHaveLength(1)
    expect(tokens.size).toBe(1)
  })
})

describe('a person behind a line that copies every request', () => {
  const proxies: Proxy[] = []
  const replies: Reply[][] = []
  let bob: Person
  let addresses: TestService['addresses']

  beforeAll(async () => {
    const [api, cosigner] = [await startProxy(service.addresses.api), await startProxy(service.addresses.cosigner)]
    proxies.push(api, cosigner)
    addresses = { ...service.addresses, api: api.address, cosigner: cosigner.address }
    bob = await signUp(service, { types: { EVM: true }, addresses })
    const copied: Handle = async ({ method, target }, pass) => {
      if (method === 'OPTIONS' || !/^\/protocol$|\/capsule-share$/.test(target)) return pass()
      const answers = await Promise.all(Array.from({ length: copies }, pass))
      replies.push(answers)
      return answers.find(isGranted) ?? answers[0] ?? pass()
    }
    for (const proxy of proxies) proxy.handle = copied
  })
  beforeEach(() => replies.splice(0))
  afterAll(async () => {
    for (const proxy of proxies) await proxy.stop()
  })

  it('signs once: all copies of a frame get the same answer', async () => {
    const wallet = (await bob.device.getWallets()).find(({ type }) => type === 'EVM')
    await bob.device.signMessage({ walletId: wallet?.id ?? '', message: 'once' })

    expect(replies.length).toBeGreaterThan(1)
    for (const answers of replies) {
      expect(new Set(answers.filter(isGranted).map(({ body }) => unsignedAnswer(body))).size).toBe(1)
    }
    const { runs = [], audits = [] } = await rowsOf(service)
    const own = runs.filter((run) => run['user_id'] === bob.userId && run['kind'] === 'sign')
    expect(own.map(({ state }) => state)).toEqual(['DONE'])
    expect(audits.filter(({ event, user_id }) => event === 'sign.done' && user_id === bob.userId)).toHaveLength(1)
  })

  it('exports a key once: a copy gives the same page the same, within its rate, and is mailed and recorded', async () => {
    let key: PrivateKey | undefined
    const play: Play = Effect.gen(function* () {
      const begun = yield* openPage()
      if (begun.kind !== 'entered') throw new Error('the page was not entered')
      key = yield* exportWithPassword(begun.portalSession, Redacted.make(bob.password))
      yield* (yield* Navigation).close
    })
    const { storage } = bob.device
    const device = new Device({ apiKey: service.partner.apiKey, addresses, storage, types: { EVM: true }, play })

    await device.exportPrivateKey()

    const [answers = []] = replies
    const refused = answers.filter((reply) => !isGranted(reply))
    expect(key).toBeDefined()
    expect([replies.length, answers.length - refused.length]).toEqual([1, exportLimits.daily])
    expect([...new Set(refused.map(({ headers }) => headers[Header.errorCode]))]).toEqual(['TooManyAttempts'])
    const { audits = [] } = await rowsOf(service)
    const events = audits.filter(({ user_id }) => user_id === bob.userId).map(({ event }) => String(event))
    expect(events.filter((event) => event.startsWith('share.export')).sort()).toEqual([
      'share.export',
      ...Array.from({ length: exportLimits.daily - 1 }, () => 'share.export repeated'),
    ])
    const letters = (await service.mailbox(bob.email)).filter(({ subject }) =>
      subject?.startsWith('A private key was exported'),
    )
    expect(letters).toHaveLength(exportLimits.daily)
  })
})
