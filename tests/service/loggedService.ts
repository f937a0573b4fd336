/** A whole service on a data folder of its own, as a first start makes it, whose log is kept to be read. */
import { join } from 'node:path'
import { pino } from 'pino'
import * as Result from 'effect/Result'
import { addMailboxRoutes, makeMailbox } from '../../adapters/development/Mailbox.ts'
import { developmentPartner } from '../../adapters/development/partner.ts'
import { readConfiguration } from '../../adapters/service/config.ts'
import { startService as start } from '../../adapters/service/service.ts'
import * as partners from '../../domain/service/partners.ts'
import { delivered } from '../kit/delivered.ts'
import { writePages } from '../kit/pages.ts'
import type { TestService } from '../kit/service.ts'

export type LoggedService = Pick<TestService, 'addresses' | 'partner' | 'mailbox' | 'run' | 'dataFolder' | 'stop'> & {
  /** Every line that the service logged, at whatever level. */
  readonly lines: readonly string[]
}

export const startLogged = async (dataFolder: string): Promise<LoggedService> => {
  const lines: string[] = []
  const log = pino({ level: 'trace', base: null }, { write: (line: string) => void lines.push(line) })
  const mailbox = makeMailbox()
  const anyPort = '127.0.0.1:0'
  const configuration = readConfiguration({
    API_LISTEN: anyPort,
    COSIGNER_LISTEN: anyPort,
    PORTAL_LISTEN: anyPort,
    CONNECT_LISTEN: anyPort,
    ADMIN_LISTEN: anyPort,
    DATA_FOLDER: dataFolder,
    PAGES_FOLDER: writePages(join(dataFolder, 'pages')),
  })
  const service = await start(Result.getOrThrow(configuration), log, {
    mail: mailbox.layer,
    admin: (server) => addMailboxRoutes(server, mailbox),
  })
  const { api = '', cosigner = '', portal = '', connect = '', admin = '' } = service.addresses
  const made = await service.run(partners.create(developmentPartner))
  return {
    addresses: { api, cosigner, portal, connect, admin },
    partner: { apiKey: made.apiKey, secretKey: made.secretKey, partnerId: made.partner.id },
    mailbox: async (to) => {
      await service.run(delivered)
      return mailbox.letters(to)
    },
    run: service.run,
    dataFolder,
    stop: service.stop,
    lines,
  }
}
