/** A longer way to a listener: every byte arrives later, in each direction. */
import { connect, createServer, type Socket } from 'node:net'

export type LongWay = { readonly port: number; readonly stop: () => Promise<void> }

/** Half of the added round trip there, half of it back. Order is kept: timers of one length fire as they were set. */
export const startLongWay = async (upstreamPort: number, roundTripMs: number): Promise<LongWay> => {
  const open = new Set<Socket>()
  const lead = (from: Socket, to: Socket) => {
    open.add(from)
    from.on('data', (chunk) => setTimeout(() => to.writable && to.write(chunk), roundTripMs / 2))
    from.on('error', () => undefined)
    from.on('close', () => {
      open.delete(from)
      setTimeout(() => to.destroy(), roundTripMs / 2)
    })
    from.setNoDelay(true)
  }
  const server = createServer((visitor) => {
    const upstream = connect(upstreamPort, '127.0.0.1')
    lead(visitor, upstream)
    lead(upstream, visitor)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  return {
    port: typeof bound === 'object' && bound !== null ? bound.port : 0,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}
