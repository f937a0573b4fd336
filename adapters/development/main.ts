/**
 * `npm start`: the whole stack on this machine, with stand-ins for the outside world: a mailbox and a local EVM chain. The
 * first start makes a partner and its keys; every start prints them with all addresses, and writes them to dev.json.
 */
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Result from 'effect/Result'
import { pino } from 'pino'
import * as partners from '../../domain/service/partners.ts'
import { readConfiguration, type Configuration } from '../service/config.ts'
import { startService, type RunningService } from '../service/service.ts'
import { StartRefusal } from '../service/StartRefusal.ts'
import { stopOnSignal } from '../service/stopOnSignal.ts'
import { startChain } from './chain.ts'
import { readKeys, writeDevelopmentFile, type DevelopmentFile, type Keys } from './developmentFile.ts'
import { addMailboxRoutes, makeMailbox } from './Mailbox.ts'
import { developmentPartner, exampleOrigin } from './partner.ts'
import { requireFreePorts } from './ports.ts'
import { table } from './table.ts'

/** Where the local chain listens, unless CHAIN_PORT says otherwise. */
const usualChainPort = '8545'

const readChainPort = (text: string): number => {
  if (/^[1-9][0-9]{0,4}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new StartRefusal({ message: `CHAIN_PORT is '${text}', which is not a port.` })
}

const start = async (configuration: Configuration) => {
  if (configuration.environment !== 'DEV') {
    const message = `npm start is for DEV, and TANDEM_ENVIRONMENT is ${configuration.environment}; start adapters/service/main.ts.`
    throw new StartRefusal({ message })
  }
  const chainPort = readChainPort(process.env['CHAIN_PORT'] ?? usualChainPort)
  await requireFreePorts([
    ...configuration.roles.map((role) => ({ what: `the role ${role}`, ...configuration.listeners[role] })),
    { what: 'the local chain', host: '127.0.0.1', port: chainPort },
  ])
  const chain = await startChain(chainPort)
  const mailbox = makeMailbox()
  const log = pino({ level: process.env['LOG_LEVEL'] ?? 'warn', base: null })
  const chains = new Map([...(chain === undefined ? [] : [[chain.chainId, chain.url] as const]), ...configuration.chains])
  try {
    const service = await startService({ ...configuration, chains }, log, {
      mail: mailbox.layer,
      admin: (server) => addMailboxRoutes(server, mailbox),
    })
    stopOnSignal(async () => {
      await service.stop()
      await chain?.stop()
    })
    const file = join(configuration.dataFolder, 'dev.json')
    const keys = await keysOf(service, readKeys(file))
    const content: DevelopmentFile = {
      ...keys,
      addresses: {
        ...service.addresses,
        example: exampleOrigin,
        ...(service.addresses.admin === undefined ? {} : { mailbox: `${service.addresses.admin}/dev/mailbox` }),
        ...(chain === undefined ? {} : { chain: chain.url }),
      },
      ...(chain === undefined ? {} : { faucet: chain.faucet }),
    }
    writeDevelopmentFile(file, content)
    console.log(table(content))
    if (chain === undefined) console.log('There is no local chain: anvil has no binary for this platform.')
    console.log(`Written to ${file}. Stop with Ctrl-C.`)
  } catch (cause) {
    await chain?.stop()
    throw cause
  }
}

/** The keys of an earlier start if the database still knows them, else those of a new partner. */
const keysOf = (service: RunningService, known: Keys | undefined): Promise<Keys> =>
  service.run(
    Effect.gen(function* () {
      const found = known === undefined ? Option.none() : yield* partners.fromKey(known.apiKey)
      if (known !== undefined && Option.isSome(found) && found.value.partner.id === known.partnerId) return known
      const { partner, apiKey, secretKey } = yield* partners.create(developmentPartner)
      return { apiKey, secretKey, partnerId: partner.id }
    }),
  )

try {
  await start(Result.getOrThrow(readConfiguration(process.env, process.argv.slice(2))))
} catch (cause) {
  if (!(cause instanceof StartRefusal)) throw cause
  console.error(cause.message)
  process.exitCode = 1
}
