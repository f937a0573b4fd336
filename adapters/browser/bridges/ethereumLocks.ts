/** Which batches of calls are being sent: among the pages of an origin by Web Locks, else of one provider. */
import { codes, RpcError } from './RpcError.ts'

export type BatchLocks = {
  /** Does the work of a batch. Fails with 5720 while one of this id is being sent: what another tab stores may reach this one late. */
  readonly alone: <A>(id: string, work: () => Promise<A>) => Promise<A>
  /** Whether a batch of this id is being sent. A page that is closed or loaded again sends nothing any more. */
  readonly isSending: (id: string) => Promise<boolean>
}

export const makeLocks = (): BatchLocks => {
  // Servers have none, and the windows of some test environments.
  const locks = typeof window === 'undefined' ? undefined : (window.navigator as Partial<Navigator>).locks
  return locks === undefined ? withinProvider() : amongPages(locks)
}

const amongPages = (locks: LockManager): BatchLocks => {
  const nameOf = (id: string) => `@tandem/ethereum/calls/${id}`
  return {
    alone: (id, work) =>
      locks.request(nameOf(id), { ifAvailable: true }, (lock) => {
        if (lock === null) throw duplicate()
        return work()
      }),
    isSending: async (id) => {
      const { held = [] } = await locks.query()
      return held.some(({ name }) => name === nameOf(id))
    },
  }
}

const withinProvider = (): BatchLocks => {
  const sending = new Set<string>()
  return {
    alone: async (id, work) => {
      if (sending.has(id)) throw duplicate()
      sending.add(id)
      try {
        return await work()
      } finally {
        sending.delete(id)
      }
    },
    isSending: (id) => Promise.resolve(sending.has(id)),
  }
}

export const duplicate = () => new RpcError(codes.duplicateId, 'the id was used for another batch')
