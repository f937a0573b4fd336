/** A database of this origin with one store of values by name. It opens at the first use, and stays open. */
import { openDB, type IDBPDatabase } from 'idb'

const storeName = 'values'

export const database = (name: string, store: string = storeName) => {
  let opened: Promise<IDBPDatabase> | undefined

  const forget = () => {
    opened = undefined
  }
  const open = (): Promise<IDBPDatabase> => {
    opened ??= openDB(name, 1, {
      upgrade: (created) => void created.createObjectStore(store),
      // A later version wants to open it, or the browser closed it: the next call opens it again.
      blocking: () => {
        void opened?.then((connection) => connection.close())
        forget()
      },
      terminated: forget,
    })
    opened.catch(forget)
    return opened
  }

  return {
    /** The values of these names, read in one transaction. */
    read: async <A extends readonly unknown[]>(names: { readonly [K in keyof A]: string }): Promise<{
      [K in keyof A]: A[K] | undefined
    }> => {
      const transaction = (await open()).transaction(store)
      const values = await Promise.all(names.map((key): Promise<unknown> => transaction.store.get(key)))
      return values as { [K in keyof A]: A[K] | undefined }
    },
    /** Stores a value where there is none, in one transaction; answers the stored one, which is then on the disk. */
    keep: async <A>(name: string, value: A): Promise<A> => {
      const transaction = (await open()).transaction(store, 'readwrite', { durability: 'strict' })
      const known = (await transaction.store.get(name)) as A | undefined
      const kept = known ?? value
      await Promise.all([known === undefined ? transaction.store.put(value, name) : known, transaction.done])
      return kept
    },
    /** All of them or none, and on the disk when this resolves. What is `undefined` is removed. */
    write: async (values: Readonly<Record<string, unknown>>): Promise<void> => {
      const transaction = (await open()).transaction(store, 'readwrite', { durability: 'strict' })
      const writes = Object.entries(values).map(([key, value]) =>
        value === undefined ? transaction.store.delete(key) : transaction.store.put(value, key),
      )
      await Promise.all([...writes, transaction.done])
    },
  }
}
