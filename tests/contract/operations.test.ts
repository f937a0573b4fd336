/** Every operation of the contract, with the same assertions against the contract's own mock and against our service. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations, type Operation, type OperationId } from '../../generated/operations.ts'
import { startMock, type Mock } from '../kit/mock.ts'
import { startService, type TestService } from '../kit/service.ts'
import { exampleOf, faultsOf, operationIds, type Example, type Received } from './Contract.ts'

type Target = {
  readonly address: (operation: Operation) => string
  /** Values for the headers that say who calls. */
  readonly credentials: Readonly<Record<string, string>>
}

const send = async (
  target: Target,
  id: OperationId,
  { method, target: path, headers, body }: Example,
): Promise<Received> => {
  const answer = await fetch(target.address(operations[id]) + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  })
  return {
    status: answer.status,
    type: answer.headers.get('content-type') ?? '',
    body: new Uint8Array(await answer.arrayBuffer()),
  }
}

const withCredentials = (example: Example, credentials: Target['credentials']): Example => ({
  ...example,
  headers: {
    ...example.headers,
    ...Object.fromEntries(example.security.map((name) => [name, credentials[name] ?? 'x'])),
  },
})

/** Asks a few at a time and answers in order. */
const forEach = async <A>(ids: readonly OperationId[], use: (id: OperationId) => Promise<A>): Promise<readonly A[]> => {
  const answers: A[] = []
  const rest = ids.map((id, index) => ({ id, index }))
  const worker = async () => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) answers[next.index] = await use(next.id)
  }
  await Promise.all(Array.from({ length: 4 }, worker))
  return answers
}

const withBody = operationIds.filter((id) => exampleOf(id).body !== undefined && !isBinary(id))
const guarded = operationIds.filter((id) => exampleOf(id).security.length > 0)

function isBinary(id: OperationId): boolean {
  const operation: Operation = operations[id]
  return operation.binary === true
}

const suite = (name: string, target: () => Target) => {
  describe(name, () => {
    it('answers each example with a status, type and body that the contract documents', async () => {
      const faults = await forEach(operationIds, async (id) =>
        faultsOf(id, await send(target(), id, withCredentials(exampleOf(id), target().credentials))),
      )

      expect(faults.flat()).toEqual([])
    })

    it('answers each request that does not say who calls with a documented refusal', async () => {
      const faults = await forEach(guarded, async (id) => {
        const answer = await send(target(), id, exampleOf(id))
        return answer.status >= 400 && answer.status < 500
          ? faultsOf(id, answer)
          : [`${id}: ${answer.status} without security`]
      })

      expect(guarded.length).toBeGreaterThan(100)
      expect(faults.flat()).toEqual([])
    })

    it('answers each body of another form with a documented refusal', async () => {
      const faults = await forEach(withBody, async (id) => {
        const answer = await send(target(), id, { ...withCredentials(exampleOf(id), target().credentials), body: '7' })
        return answer.status >= 400 && answer.status < 500
          ? faultsOf(id, answer)
          : [`${id}: ${answer.status} to a malformed body`]
      })

      expect(withBody.length).toBeGreaterThan(50)
      expect(faults.flat()).toEqual([])
    })

    it('says every refusal as plain text', async () => {
      const types = await forEach(guarded, async (id) => (await send(target(), id, exampleOf(id))).type.split(';')[0])

      expect([...new Set(types)]).toEqual(['text/plain'])
    })
  })
}

let mock: Mock
let service: TestService
let token = ''

beforeAll(async () => {
  mock = await startMock()
  service = await startService()
  const touched = await fetch(`${service.addresses.api}/touch`, {
    method: 'POST',
    headers: { 'x-external-api-key': service.partner.apiKey },
  })
  token = touched.headers.get('x-capsule-sid') ?? ''
})
afterAll(async () => {
  await Promise.all([mock.stop(), service.stop()])
})

suite('the mock', () => ({ address: () => mock.address, credentials: {} }))

suite('our service', () => ({
  address: ({ listener }) => service.addresses[listener],
  credentials: { 'x-external-api-key': service.partner.apiKey, 'x-capsule-sid': token },
}))
