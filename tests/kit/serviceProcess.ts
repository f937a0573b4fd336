/**
 * A whole service in a process of its own that can be killed at a failpoint, as a power cut does it; the next process on the
 * same folder and database goes on with what it left.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Result from 'effect/Result'
import { pino } from 'pino'
import type { Letter } from '../../adapters/development/Mailbox.ts'
import { developmentPartner } from '../../adapters/development/partner.ts'
import { readConfiguration } from '../../adapters/service/config.ts'
import { startService } from '../../adapters/service/service.ts'
import { Mail, type Message } from '../../domain/service/ports/Mail.ts'
import * as partners from '../../domain/service/partners.ts'
import { turnableClock } from './clock.ts'
import { delivered } from './delivered.ts'
import type { DatabasePlace } from './databasePlace.ts'

type Place = {
  readonly addresses: { readonly api: string; readonly cosigner: string; readonly connect: string }
  /** Made by the first process on a database. */
  readonly partner: { readonly apiKey: string; readonly secretKey: string; readonly partnerId: string }
}

type Order =
  | { readonly kind: 'kill'; readonly name: string; readonly nth: number }
  | { readonly kind: 'advance'; readonly ms: number }
  | { readonly kind: 'stand' }
  | { readonly kind: 'deliver' }
type News =
  | { readonly kind: 'ready'; readonly place: Place }
  | { readonly kind: 'obeyed' }
  | { readonly kind: 'mail'; readonly letter: Message }

export type ServiceProcess = Place & {
  /** Once all that flows have written is delivered. */
  readonly mailbox: (to: string) => Promise<readonly Letter[]>
  /** From now on it dies when a flow reaches that point for the n-th time. */
  readonly killAt: (name: string, nth: number) => Promise<void>
  /** Turns its clock on. */
  readonly advance: (ms: number) => Promise<void>
  /** From now on its clock goes on by `advance` alone, and none of its pauses ends. */
  readonly stand: () => Promise<void>
  readonly isDead: () => boolean
  /** Whether it died, at the latest in a moment: the last thing that a client sees of it comes earlier. */
  readonly hasDied: () => Promise<boolean>
  readonly stop: () => Promise<void>
}

/**
 * A place of PGlite is the one in the data folder. `environment` are further variables of the configuration. `aheadMs`: by how much its
 * clock is ahead from the beginning on, as that of the process before was at its end.
 */
export const startServiceProcess = async (
  dataFolder: string,
  place: DatabasePlace,
  environment: Readonly<Record<string, string>> = {},
  aheadMs = 0,
): Promise<ServiceProcess> => {
  const child = fork(fileURLToPath(import.meta.url), [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      API_LISTEN: '127.0.0.1:0',
      COSIGNER_LISTEN: '127.0.0.1:0',
      TANDEM_ROLES: 'api,cosigner',
      DATA_FOLDER: dataFolder,
      ...(place.kind === 'postgres' ? { DATABASE_URL: place.url } : {}),
      ...environment,
      [aheadVariable]: String(aheadMs),
    },
  })
  const letters: Letter[] = []
  child.on('message', (news: News) => {
    if (news.kind === 'mail') letters.push({ ...news.letter, sentAt: Date.now() })
  })
  const isDead = () => child.exitCode !== null || child.signalCode !== null
  const dead = new Promise<boolean>((resolve) => child.once('exit', () => resolve(true)))
  const ready = await next(child, 'ready')
  const order = async (given: Order) => {
    child.send(given)
    await next(child, 'obeyed')
  }
  return {
    ...ready.place,
    mailbox: async (to) => {
      await order({ kind: 'deliver' })
      return letters.filter((letter) => letter.to === to)
    },
    hasDied: () => Promise.race([dead, new Promise<boolean>((resolve) => setTimeout(resolve, 5_000, false))]),
    killAt: async (name, nth) => {
      if (isDead()) throw new Error('the process is dead')
      await order({ kind: 'kill', name, nth })
    },
    advance: (ms) => order({ kind: 'advance', ms }),
    stand: () => order({ kind: 'stand' }),
    isDead,
    stop: async () => {
      if (isDead()) return
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.disconnect()
      await gone
    },
  }
}

const next = <K extends News['kind']>(child: ChildProcess, kind: K): Promise<Extract<News, { kind: K }>> =>
  new Promise((resolve, reject) => {
    const onMessage = (news: News) => {
      if (news.kind !== kind) return
      stop()
      resolve(news as Extract<News, { kind: K }>)
    }
    const onExit = () => {
      stop()
      reject(new Error('the process died'))
    }
    const stop = () => {
      child.off('message', onMessage)
      child.off('exit', onExit)
    }
    child.on('message', onMessage)
    child.on('exit', onExit)
  })

const aheadVariable = 'TANDEM_TESTS_AHEAD_MS'

/** The process's own part. */
const serve = async (say: (news: News) => void) => {
  // No failpoint has this name; an order replaces it.
  const failpoint: { name: string; nth: number } = { name: 'nowhere', nth: 1 }
  const configuration = { ...Result.getOrThrow(readConfiguration(process.env)), failpoint }
  const mail = Layer.succeed(Mail, {
    send: (letter) => Effect.sync(() => say({ kind: 'mail', letter })),
  })
  const clock = turnableClock()
  clock.advance(Number(process.env[aheadVariable]))
  const service = await startService(configuration, pino({ level: 'silent' }), { mail, clock: clock.clock })
  const made = await service.run(partners.create(developmentPartner))
  const { api = '', cosigner = '' } = service.addresses
  const obey = async (order: Order) => {
    if (order.kind === 'kill') Object.assign(failpoint, order)
    else if (order.kind === 'advance') clock.advance(order.ms)
    else if (order.kind === 'stand') clock.stand()
    else await service.run(delivered)
    say({ kind: 'obeyed' })
  }
  process.on('message', (order: Order) => void obey(order))
  process.once('disconnect', () => void service.stop().then(() => process.exit(0)))
  const partner = { apiKey: made.apiKey, secretKey: made.secretKey, partnerId: made.partner.id }
  say({ kind: 'ready', place: { addresses: { api, cosigner, connect: api }, partner } })
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  void serve((news) => process.send?.(news))
}
