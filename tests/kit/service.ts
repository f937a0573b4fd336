/** A whole service in this process, on free ports, with a partner of its own, a mailbox to read and a clock to turn. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import type * as Layer from 'effect/Layer'
import * as Result from 'effect/Result'
import { pino } from 'pino'
import { makeMailbox, addMailboxRoutes, type Letter } from '../../adapters/development/Mailbox.ts'
import { developmentPartner } from '../../adapters/development/partner.ts'
import { readConfiguration } from '../../adapters/service/config.ts'
import type { Database } from '../../adapters/service/database/Database.ts'
import { startService as start, type RunningService, type Services } from '../../adapters/service/service.ts'
import type { Variables } from '../../adapters/service/settings.ts'
import type { PartnerRecord } from '../../domain/service/Partner.ts'
import * as partners from '../../domain/service/partners.ts'
import { faultsOf } from '../contract/Contract.ts'
import { turnableClock } from './clock.ts'
import { anyDatabase } from './database.ts'
import { delivered } from './delivered.ts'
import { writePages } from './pages.ts'

export type ServiceOptions = {
  /** `makeDatabase()` of a suite that chooses; any otherwise. */
  readonly database?: Layer.Layer<Database> | undefined
  /** Environment variables of the configuration, over the ones here. */
  readonly environment?: Variables
  /** Where the service keeps what is outside the database; otherwise a folder of its own that goes with it. */
  readonly dataFolder?: string
  readonly partner?: Partial<Omit<PartnerRecord, 'id'>>
  /** Takes the service's log, line by line and from level info on. */
  readonly log?: (line: string) => void
}

export type TestService = {
  readonly addresses: { readonly [R in 'api' | 'cosigner' | 'portal' | 'connect' | 'admin']: string }
  readonly partner: { readonly apiKey: string; readonly secretKey: string; readonly partnerId: string }
  /** Another partner of the same service. */
  readonly addPartner: (settings?: Partial<Omit<PartnerRecord, 'id'>>) => Promise<TestService['partner']>
  /** Once all that flows have written is delivered. */
  readonly mailbox: (to: string) => Promise<readonly Letter[]>
  /** Turns the service's clock on. Real waiting takes real time all the same. */
  readonly advance: (ms: number) => void
  readonly run: <A, E>(flow: Effect.Effect<A, E, Services>) => Promise<A>
  /** With these variables over those of the start. */
  readonly reload: (change: Variables) => ReturnType<RunningService['reload']>
  readonly dataFolder: string
  /** Answers that the contract does not document. A test that expects one removes it; a remaining one fails `stop`. */
  readonly faults: string[]
  readonly stop: () => Promise<void>
}

export const startService = async (options: ServiceOptions = {}): Promise<TestService> => {
  const ownFolder = options.dataFolder === undefined ? mkdtempSync(join(tmpdir(), 'tandem-service-')) : undefined
  const dataFolder = options.dataFolder ?? ownFolder ?? ''
  const removeFolder = () => {
    if (ownFolder !== undefined) rmSync(ownFolder, { recursive: true, force: true })
  }
  const mailbox = makeMailbox()
  const clock = turnableClock()
  const configurationOf = (change: Variables = {}) =>
    readConfiguration({
      API_LISTEN: '127.0.0.1:0',
      COSIGNER_LISTEN: '127.0.0.1:0',
      PORTAL_LISTEN: '127.0.0.1:0',
      CONNECT_LISTEN: '127.0.0.1:0',
      ADMIN_LISTEN: '127.0.0.1:0',
      DATA_FOLDER: dataFolder,
      // A thread takes a quarter of a second to start, and one computes for all devices of a test.
      COSIGNER_THREADS: '1',
      PAGES_FOLDER: writePages(join(dataFolder, 'pages')),
      ...options.environment,
      ...change,
    })
  const configuration = Result.getOrThrow(configurationOf())
  const { log } = options
  const faults: string[] = []
  const logger =
    log === undefined
      ? pino({ level: process.env['LOG_LEVEL'] ?? 'error', base: null })
      : pino({ level: 'info', base: null }, { write: log })
  const starting = start(configuration, logger, {
    mail: mailbox.layer,
    clock: clock.clock,
    database: options.database ?? (configuration.database.kind === 'postgres' ? undefined : anyDatabase()),
    admin: (server) => addMailboxRoutes(server, mailbox),
    observe: (id, { status, type, body }) => {
      faults.push(
        ...faultsOf(id, { status, type, body: typeof body === 'string' ? new TextEncoder().encode(body) : body }),
      )
    },
  })
  const service = await starting.catch((refusal: unknown) => {
    removeFolder()
    throw refusal
  })
  const addPartner = (settings: Partial<Omit<PartnerRecord, 'id'>> = {}) =>
    service.run(
      Effect.map(partners.create({ ...developmentPartner, ...settings }), ({ partner, apiKey, secretKey }) => ({
        apiKey,
        secretKey,
        partnerId: partner.id,
      })),
    )
  const { api, cosigner, portal, connect, admin } = service.addresses
  if (!api || !cosigner || !portal || !connect || !admin) throw new Error('a role of the service does not listen')
  return {
    addresses: { api, cosigner, portal, connect, admin },
    partner: await addPartner(options.partner),
    addPartner,
    mailbox: async (to) => {
      await service.run(delivered)
      return mailbox.letters(to)
    },
    advance: clock.advance,
    run: service.run,
    reload: (change) => service.reload(Result.getOrThrow(configurationOf(change))),
    dataFolder,
    faults,
    stop: async () => {
      await service.stop()
      removeFolder()
      if (faults.length > 0)
        throw new Error(`the service answered what the contract does not have: ${faults.join('; ')}`)
    },
  }
}
