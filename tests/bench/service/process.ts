/** A whole service in a process of its own, with all roles and a mailbox, that tells what it takes of the machine. */
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'
import { pino } from 'pino'
import { addMailboxRoutes, makeMailbox } from '../../../adapters/development/Mailbox.ts'
import { developmentPartner } from '../../../adapters/development/partner.ts'
import { readConfiguration } from '../../../adapters/service/config.ts'
import { startService, type RunningService } from '../../../adapters/service/service.ts'
import * as partners from '../../../domain/service/partners.ts'
import { writePages } from '../../kit/pages.ts'
import { serve } from './peer.ts'

let service: RunningService | undefined

const delay = monitorEventLoopDelay({ resolution: 5 })

/** Limits that no load of this bench reaches, on one network address. */
const wide = ['R1', 'R2', 'R3', 'R4', 'R4_SIGN', 'R5_NETWORK', 'R6_NETWORK', 'R8']

const orders = {
  /** Without a URL the database is PGlite. */
  start: async (at: { readonly dataFolder: string; readonly databaseUrl: string | undefined }) => {
    const configuration = readConfiguration({
      ...Object.fromEntries(['API', 'COSIGNER', 'PORTAL', 'CONNECT', 'ADMIN'].map((role) => [`${role}_LISTEN`, local])),
      ...Object.fromEntries(wide.map((name) => [`RATE_${name}`, '999999/1s'])),
      DATA_FOLDER: at.dataFolder,
      PAGES_FOLDER: writePages(join(at.dataFolder, 'pages')),
      // So that those who wait may come from several networks.
      TRUSTED_PROXIES: '127.0.0.0/8',
      DATABASE_URL: at.databaseUrl,
    })
    const mailbox = makeMailbox()
    // As in production, to a place that takes all of it at once.
    const log = pino({ level: 'info', base: null })
    service = await startService(Result.getOrThrow(configuration), log, {
      mail: mailbox.layer,
      admin: (server) => addMailboxRoutes(server, mailbox),
    })
    delay.enable()
    const { api = '', cosigner = '', connect = '', admin = '' } = service.addresses
    const partner = await service.run(
      Effect.map(partners.create(developmentPartner), (made) => ({
        apiKey: made.apiKey,
        secretKey: made.secretKey,
        partnerId: made.partner.id,
      })),
    )
    return { addresses: { api, cosigner, connect, admin }, partner }
  },
  /** CPU times are since the start, the delay of the event loop since this was asked last. */
  taken: () => {
    const all = process.cpuUsage()
    const main = process.threadCpuUsage()
    const loopP99Ms = delay.percentile(99) / 1e6
    delay.reset()
    const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage()
    return {
      cpuMs: (all.user + all.system) / 1_000,
      mainMs: (main.user + main.system) / 1_000,
      loopP99Ms,
      residentMiB: rss / mebibyte,
      heapMiB: heapUsed / mebibyte,
      externalMiB: external / mebibyte,
      buffersMiB: arrayBuffers / mebibyte,
    }
  },
}

const local = '127.0.0.1:0'
const mebibyte = 1_048_576

export type Service = typeof orders

serve(orders, async () => service?.stop())
