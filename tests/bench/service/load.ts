/**
 * Requests as fast as they are answered, over sockets that stay open. A client of HTTP would cost more than the route
 * that is measured, so the little that is needed of HTTP stands here: answers have a length.
 */
import { connect, type Socket } from 'node:net'
import { percentile } from '../rows.ts'
import { serve } from './peer.ts'

type Target = { readonly port: number; readonly path: string; readonly headers: Readonly<Record<string, string>> }

const requestOf = ({ path, headers }: Target): string => {
  const lines = Object.entries({ host: 'localhost', 'content-length': '0', ...headers })
  return `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
}

/** A connection that asks, and again for as long as `answered` says so of an answer. */
const asking = (target: Target, answered: () => boolean): Promise<Socket> => {
  const request = requestOf(target)
  const socket = connect({ port: target.port, host: '127.0.0.1', noDelay: true })
  let received = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    received += chunk
    const bodyAt = received.indexOf('\r\n\r\n') + 4
    if (bodyAt < 4) return
    const [, length] = /\r\ncontent-length: (\d+)\r\n/i.exec(received.slice(0, bodyAt)) ?? []
    if (!received.startsWith('HTTP/1.1 200 ') || length === undefined) throw new Error(received)
    if (received.length < bodyAt + Number(length)) return
    received = ''
    if (answered()) socket.write(request)
    else socket.destroy()
  })
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.write(request)
      resolve(socket)
    })
  })
}

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, 1_000 * seconds))

type Waiting = { readonly ended: Promise<unknown>; readonly answers: () => number; readonly end: () => void }

const waiting: Waiting[] = []

/** A call that waits for its answer, and asks again once it has it. */
const waitFor = async (target: Target): Promise<Waiting> => {
  let [count, goesOn] = [0, true]
  const socket = await asking(target, () => {
    count++
    return goesOn
  })
  return {
    ended: new Promise((resolve) => socket.once('close', resolve)),
    answers: () => count,
    end: () => {
      goesOn = false
    },
  }
}

const orders = {
  /** Answers a second, the time that 99 of 100 of them took at most, and the share of a core that asking took. */
  measure: async (asked: { readonly target: Target; readonly connections: number; readonly seconds: number }) => {
    const took: number[] = []
    const sockets: Promise<Socket>[] = []
    const before = process.cpuUsage()
    const begun = performance.now()
    for (let count = 0; count < asked.connections; count++) {
      let at = performance.now()
      const answered = () => {
        const now = performance.now()
        took.push(now - at)
        at = now
        return true
      }
      sockets.push(asking(asked.target, answered))
    }
    const opened = await Promise.all(sockets)
    await pause(asked.seconds)
    const ms = performance.now() - begun
    const { user, system } = process.cpuUsage(before)
    for (const socket of opened) socket.destroy()
    const count = took.length
    return {
      count,
      perSecond: (1_000 * count) / ms,
      p99Ms: percentile(took, 99),
      cores: (user + system) / 1_000 / ms,
    }
  },
  /** Calls that wait. Answers once the service has received them all. */
  wait: async (asked: { readonly targets: readonly Target[]; readonly settleSeconds: number }) => {
    for (const target of asked.targets) waiting.push(await waitFor(target))
    await pause(asked.settleSeconds)
  },
  /** Answers how many of them were answered already, once each of them is. */
  waitNoMore: async () => {
    const answers = waiting.reduce((sum, { answers: count }) => sum + count(), 0)
    for (const { end } of waiting) end()
    await Promise.all(waiting.splice(0).map(({ ended }) => ended))
    return answers
  },
}

export type Load = typeof orders

serve(orders)
