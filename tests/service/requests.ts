/** The contract's own example of each operation's request, about the objects of a test. */
import { operations, type Operation, type OperationId, type Principal } from '../../generated/operations.ts'
import { exampleOf } from '../contract/Contract.ts'

export type Request = {
  readonly id: OperationId
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly body: string | undefined
}

/** Values for the fields of this name, wherever in a request they stand. The others keep the contract's example. */
export type Ids = Readonly<Record<string, string>>

export const operationOf = (id: OperationId): Operation => operations[id]

export const takes = ({ principals }: Operation, ...among: readonly Principal[]): boolean =>
  principals.some((principal) => among.includes(principal))

export const requestOf = (id: OperationId, ids: Ids): Request => {
  const { method, target, body } = exampleOf(id)
  const [path = '', query] = target.split('?')
  const names = operationOf(id).path.split('/')
  const segments = path.split('/').map((segment, index) => ids[names[index]?.slice(1, -1) ?? ''] ?? segment)
  const parameters = new URLSearchParams(query)
  for (const name of [...parameters.keys()]) parameters.set(name, ids[name] ?? parameters.get(name) ?? '')
  return {
    id,
    method,
    target: segments.join('/') + (parameters.size === 0 ? '' : `?${parameters.toString()}`),
    body: body === undefined || operationOf(id).binary === true ? body : JSON.stringify(withIds(JSON.parse(body), ids)),
  }
}

const withIds = (value: unknown, ids: Ids): unknown => {
  if (Array.isArray(value)) return value.map((item: unknown) => withIds(item, ids))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, held]: [string, unknown]) => [
      name,
      typeof held === 'string' && ids[name] !== undefined ? ids[name] : withIds(held, ids),
    ]),
  )
}
