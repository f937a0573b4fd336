/** Ports of servers: chosen here for a process whose addresses stand in its configuration, elsewhere by the system. */
import { createServer, type Server } from 'node:net'

/** Below the ports that systems give to outgoing connections and to listeners on port 0: none of those takes it meanwhile. */
const first = 20_000
const count = 12_000

/** Processes that search at the same time begin far from each other. */
let next = (process.pid * 251) % count

/** A port on which 127.0.0.1 does not listen, and that this process has not given away before. */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < 500; tries++) {
    const port = first + (next++ % count)
    if (await isFree(port)) return port
  }
  throw new Error('of 500 ports none is free')
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })

/** The port of a server that chose it by itself. */
export const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
