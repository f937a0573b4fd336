/** Looks at every port before anything is started: a database takes seconds to open, a taken port is said at once. */
import { createServer } from 'node:net'
import { StartRefusal } from '../service/StartRefusal.ts'

export type WantedPort = { readonly what: string; readonly host: string; readonly port: number }

export const requireFreePorts = async (wanted: readonly WantedPort[]): Promise<void> => {
  for (const { what, host, port } of wanted) {
    if (port !== 0 && !(await isFree(host, port))) {
      throw new StartRefusal({ message: `Port ${port}, on which ${what} listens, is taken.` })
    }
  }
}

const isFree = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(true)))
  })
