/** A line between pg and a PostgreSQL, on which a test decides what becomes of each thing that is sent. */
import { connect, createServer, type Socket } from 'node:net'

/** It goes on to the server, perhaps as other bytes; the connection is never answered again; or it ends. */
export type Fate = Buffer | 'hangs' | 'dies'

export type DatabaseProxy = {
  /** The same database, through the proxy. */
  readonly url: string
  fate: (sent: Buffer) => Fate
  readonly stop: () => Promise<void>
}

/** `url`: over TCP. */
export const startDatabaseProxy = async (url: string): Promise<DatabaseProxy> => {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        client.destroy()
        upstream.destroy()
      })
    }
    let hangs = false
    client.on('data', (sent) => {
      const fate = hangs ? 'hangs' : proxy.fate(sent)
      if (fate === 'dies') client.destroy()
      else if (fate === 'hangs') hangs = true
      else upstream.write(fate)
    })
    upstream.on('data', (answered) => client.write(answered))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  const proxy: DatabaseProxy = {
    url: Object.assign(new URL(url), { port: String(typeof bound === 'object' && bound !== null ? bound.port : 0) })
      .href,
    fate: (sent) => sent,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
  return proxy
}
