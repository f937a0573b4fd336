/**
 * Each operation of the contract, asked by callers of every wrong kind: it refuses as the contract says, in the bytes with
 * which it answers for what does not exist, and leaves no trace in the database.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errors } from '../../generated/errors.ts'
import type { OperationId } from '../../generated/operations.ts'
import { operationIds } from '../contract/Contract.ts'
import { isLong } from '../kit/long.ts'
import { startService, type TestService } from '../kit/service.ts'
import { signUp, type Person } from './people.ts'
import { operationOf, requestOf, takes, type Ids, type Request } from './requests.ts'
import { objectsOf, storedState } from './rows.ts'
import { ask, refusal } from './wire.ts'
import { groups, makeWrongCallers, type Callers, type Credentials, type WrongCaller } from './wrongCallers.ts'

let service: TestService
let ada: Person
let eve: Person
let callers: Callers
/** What there is of Ada, by the names that requests have for it. */
let adas: Ids

beforeAll(async () => {
  service = await startService()
  const types = { SOLANA: true } as const
  ;[ada, eve] = await Promise.all([signUp(service, { types }), signUp(service, { types })])
  callers = await makeWrongCallers(service, { ada, eve, other: await service.addPartner() })
  adas = { ...callers.ids, ...(await objectsOf(service, ada.userId)), userId: ada.userId }
})

afterAll(() => service.stop())

const send = (
  { id, method, target, body }: Request,
  { device, ...credentials }: Credentials,
  headers?: Readonly<Record<string, string>>,
) => {
  const { listener, device: takesDevice } = operationOf(id)
  const signing = takesDevice === false ? undefined : device
  return ask({ base: service.addresses[listener], ...credentials, device: signing }, method, target, body, headers)
}

/** In the usual run each caller asks every 16th operation, and each operation is asked by every 16th caller. */
const isAsked = (operation: number, caller: number) => isLong || (operation + caller) % 16 === 0

/** Operations of a test for which all operations are too many in the usual run. */
const asked = (among: (id: OperationId) => boolean) =>
  operationIds.filter((id, place) => among(id) && (isLong || place % 4 === 0))

const faultsOf = async (asking: readonly WrongCaller[]): Promise<readonly string[]> => {
  const faults: string[] = []
  for (const [index, { name, credentials, headers, refusal: refusalOf }] of asking.entries()) {
    const ids = operationIds.filter((_, place) => isAsked(place, index))
    await Promise.all(
      ids.map(async (id) => {
        const code = refusalOf(operationOf(id))
        if (code === undefined) return
        const request = requestOf(id, adas)
        const answer = await send(request, credentials, headers?.(request))
        const [expected, said] = [`${errors[code].status} ${code}: ${errors[code].sentence}`, refusal(answer)]
        if (said !== expected) faults.push(`${id} answers ${name}: ${said}, not ${expected}`)
        if (answer.token !== null) faults.push(`${id} gives a token to ${name}`)
      }),
    )
  }
  return faults
}

/** The rows that nothing may change. What is over may be swept meanwhile. */
const keptState = async () =>
  Object.entries(await storedState(service)).map(([name, rows]) => [
    name,
    rows.filter((row) => !callers.over.some((id) => row.includes(id))),
  ])

describe('each operation', () => {
  it.each(groups)('refuses callers with a wrong %s, and changes nothing', async (group) => {
    const before = await keptState()

    expect(await faultsOf(callers.wrong[group])).toEqual([])
    expect(await keptState()).toEqual(before)
  })

  it('has wrong callers of each kind that there can be', () => {
    const without = (group: (typeof groups)[number], among: (id: OperationId) => boolean) =>
      operationIds.filter(
        (id) => among(id) && !callers.wrong[group].some((caller) => caller.refusal(operationOf(id)) !== undefined),
      )
    const isClosed = (id: OperationId) => !takes(operationOf(id), 'pub')
    const takesTokens = (id: OperationId) => isClosed(id) && takes(operationOf(id), 'S', 'P', 'R')

    expect(operationIds.filter(isClosed).length).toBeGreaterThan(90)
    expect(without('key', isClosed)).toEqual([])
    expect(without('origin', isClosed)).toEqual([])
    expect(without('token', takesTokens)).toEqual([])
    expect(without('combination', takesTokens)).toEqual([])
    expect(without('user', (id) => operationOf(id).path.includes('{userId}'))).toEqual([])
    expect(without('state', (id) => operationOf(id).session === 'AUTHENTICATED')).toEqual([])
    expect(without('signature', (id) => operationOf(id).device === true)).toEqual([])
  })
})

/** Eve, by the first right that the operation lets in. */
const eveAt = (id: OperationId): Credentials | undefined => {
  const right = (['S', 'P', 'R'] as const).find((principal) => takes(operationOf(id), principal))
  return right === undefined ? undefined : callers.eve[right]
}

/** As many others that do not exist. */
const nobodys = (ids: Ids): Ids =>
  Object.fromEntries(
    Object.entries(ids).map(([name, id]) => [
      name,
      id.includes('-') ? randomUUID() : randomBytes(id.length / 2).toString('hex'),
    ]),
  )

describe('another’s object', () => {
  const refusalNames = (text: string, ids: Ids) =>
    Object.entries(ids).reduce((said, [name, id]) => said.replaceAll(id, `{${name}}`), text)

  /** What the operation says of these objects: all of it, or where it says yes, that it does. */
  const saidOf = async (id: OperationId, ids: Ids, credentials: Credentials) => {
    const { status, code, type, token, retryAfter, text } = await send(requestOf(id, ids), credentials)
    const isGranted = status === 200
    return {
      head: { id, status, code, type, retryAfter, hasToken: token !== null },
      text: isGranted ? '' : refusalNames(text, ids),
      leaks: isGranted && [ada.userId, ada.email, ...ada.walletIds].some((word) => text.includes(word)),
    }
  }

  const adasRows = async () =>
    Object.entries(await storedState(service)).map(([name, rows]) => [
      name,
      rows.filter((row) => row.includes(ada.userId)),
    ])

  it('is answered as one that does not exist, in the same bytes, and stays as it is', async () => {
    const before = await adasRows()

    for (const id of asked((one) => eveAt(one) !== undefined)) {
      const credentials = eveAt(id) ?? {}
      const { userId: _, ...objects } = adas
      const own = { userId: eve.userId }
      const [there, missing] = [
        await saidOf(id, { ...objects, ...own }, credentials),
        await saidOf(id, { ...nobodys(objects), ...own }, credentials),
      ]

      expect(there).toEqual(missing)
      expect(there.leaks).toBe(false)
    }
    expect(await adasRows()).toEqual(before)
  })

  it('is answered so where it is a user, too', async () => {
    for (const id of asked((one) => eveAt(one) !== undefined && operationOf(one).path.includes('{userId}'))) {
      const credentials = eveAt(id) ?? {}
      const answers = [ada.userId, randomUUID(), 'not-an-id'].map((userId) =>
        send(requestOf(id, { ...adas, userId }), credentials),
      )
      const [there, missing, malformed] = await Promise.all(answers)

      expect([id, there]).toEqual([id, missing])
      expect([id, there]).toEqual([id, malformed])
    }
  })
})

/** Last, because it changes what the others ask for. */
describe('a right caller', () => {
  it('of each operation is not taken for a wrong one', async () => {
    const wrong = ['NoSignedInUser', 'ApiKeyRequired', 'OriginNotAllowed', 'DeviceSignatureRequired']
    const letIn = async (id: OperationId) => {
      for (const credentials of callers.right) {
        const { code } = await send(requestOf(id, adas), credentials)
        if (!wrong.includes(code ?? '')) return true
      }
      return false
    }
    // A recovery ends where another one begins, and everything with the session.
    const placeOf = (id: OperationId) => (id === 'logout' ? 2 : takes(operationOf(id), 'S', 'P', 'K') ? 1 : 0)
    const refused: OperationId[] = []
    for (const id of asked(() => true).toSorted((one, other) => placeOf(one) - placeOf(other))) {
      if (!(await letIn(id))) refused.push(id)
    }

    expect(refused).toEqual([])
  })
})
