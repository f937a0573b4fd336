/**
 * The whole stack in this process, with stand-ins for the outside world: a mailbox, a local EVM chain and a partner's app. It
 * builds the pages where their sources changed. The first start makes the partner and its keys; every start says them with
 * all addresses, and writes them to dev.json.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Result from 'effect/Result'
import { pino } from 'pino'
import * as partners from '../../domain/service/partners.ts'
import { applyPolicy } from '../../domain/service/policies.ts'
import { Partners } from '../../domain/service/ports/Partners.ts'
import type { Configuration } from '../service/config.ts'
import { startService, type RunningService } from '../service/service.ts'
import type { Variables } from '../service/settings.ts'
import { StartRefusal } from '../service/StartRefusal.ts'
import { startChain } from './chain.ts'
import { readKeys, writeDevelopmentFile, type DevelopmentFile, type Keys } from './developmentFile.ts'
import { bringPagesUpToDate, startExample } from './example.ts'
import { addMailboxRoutes, makeMailbox } from './Mailbox.ts'
import { developmentPartner, originsOf } from './partner.ts'
import { readDevelopmentSettings } from './settings.ts'

/** `onRunning` gets what stops it, before dev.json and the last line tell others that it runs. */
export const startDevelopment = async (
  configuration: Configuration,
  variables: Variables,
  say: (line: string) => void,
  onRunning: (stop: () => Promise<void>) => void,
): Promise<void> => {
  if (configuration.environment !== 'DEV') {
    const message = `npm start is for DEV, and TANDEM_ENVIRONMENT is ${configuration.environment}; start adapters/service/main.ts.`
    throw new StartRefusal({ message })
  }
  const settings = Effect.runSync(readDevelopmentSettings(variables))
  const { exampleListener, exampleOrigin, chainPort } = settings
  await requireFreePorts([
    ...configuration.roles.map((role) => ({ what: `the role ${role}`, ...configuration.listeners[role] })),
    { what: 'the example app', ...exampleListener },
    { what: 'the local chain', host: '127.0.0.1', port: chainPort },
  ])
  if (!settings.hasPages) await bringPagesUpToDate(say)
  const chain = await startChain(chainPort)
  const running: { readonly stop: () => Promise<void> }[] = chain === undefined ? [] : [chain]
  const stop = async () => {
    for (const part of running.toReversed()) await part.stop()
  }
  const mailbox = makeMailbox()
  const log = pino({ level: settings.logLevel, base: null })
  const chains = new Map([
    ...(chain === undefined ? [] : [[chain.chainId, chain.url] as const]),
    ...configuration.chains,
  ])
  try {
    const service = await startService({ ...configuration, chains }, log, {
      mail: mailbox.layer,
      sms: mailbox.sms,
      admin: (server) => addMailboxRoutes(server, mailbox),
    })
    running.push(service)
    const file = join(configuration.dataFolder, 'dev.json')
    const keys = await keysOf(service, readKeys(file), originsOf(exampleOrigin))
    if (settings.policyFile !== undefined) {
      const version = await applyPolicyFile(service, keys.partnerId, settings.policyFile)
      say(`Version ${version} of the example app's policy, from ${settings.policyFile}.`)
    }
    const app = await startExample({
      listener: exampleListener,
      configuration,
      apiKey: keys.apiKey,
      chain: chain === undefined ? undefined : { id: Number(chain.chainId), url: chain.url },
      log,
    })
    running.push({ stop: () => app.close() })
    onRunning(stop)
    const content: DevelopmentFile = {
      ...keys,
      addresses: {
        ...publicAddresses(configuration, service),
        example: exampleOrigin,
        ...(service.addresses.admin === undefined ? {} : { mailbox: `${service.addresses.admin}/dev/mailbox` }),
        ...(chain === undefined ? {} : { chain: chain.url }),
      },
      ...(chain === undefined ? {} : { faucet: chain.faucet }),
    }
    writeDevelopmentFile(file, content)
    say(table(content))
    if (chain === undefined) say('There is no local chain: anvil has no binary for this platform.')
    say(`Open ${exampleOrigin}, or http://localhost:${exampleListener.port} where that name is not known.`)
    say(`Written to ${file}. Stop with Ctrl-C.`)
  } catch (cause) {
    await stop()
    throw cause
  }
}

/** Where each role of this process is reached: the admin listener, which is not public, where it listens. */
const publicAddresses = ({ hosts }: Configuration, { addresses }: RunningService): RunningService['addresses'] => {
  const { api, cosigner, portal, connect } = hosts
  const reached = { ...addresses, api, cosigner, portal, connect }
  return Object.fromEntries(Object.entries(reached).filter(([role]) => role in addresses))
}

/**
 * The keys of an earlier start if the database still knows them, else those of a new partner. The app may have moved
 * since then: its partner goes with it.
 */
const keysOf = (service: RunningService, known: Keys | undefined, origins: readonly string[]): Promise<Keys> =>
  service.run(
    Effect.gen(function* () {
      const found = known === undefined ? Option.none() : yield* partners.fromKey(known.apiKey)
      if (known !== undefined && Option.isSome(found) && found.value.partner.id === known.partnerId) {
        yield* (yield* Partners).setOrigins(known.partnerId, origins)
        return known
      }
      const { partner, apiKey, secretKey } = yield* partners.create({ ...developmentPartner, origins })
      return { apiKey, secretKey, partnerId: partner.id }
    }),
  )

const applyPolicyFile = async (service: RunningService, partnerId: string, file: string): Promise<number> => {
  const applied = await service.run(Effect.result(applyPolicy(partnerId, readPolicy(file))))
  if (Result.isSuccess(applied)) return applied.success
  const { _tag, message } = applied.failure
  const problems = _tag === 'PolicyRefused' ? applied.failure.problems : [message]
  throw new StartRefusal({ message: [`POLICY_FILE '${file}' cannot be applied:`, ...problems].join('\n') })
}

const readPolicy = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new StartRefusal({ message: `POLICY_FILE is '${file}', which is no JSON file.` })
  }
}

/** What it prints at its start. */
const table = ({ addresses, apiKey, secretKey, partnerId }: DevelopmentFile): string => {
  const shown = Object.entries(addresses).map(([name, value]) => [name, name === 'mailbox' ? `${value}/ui` : value])
  const rows = [...shown, ['api key', apiKey], ['secret key', secretKey], ['partner id', partnerId]]
  const width = Math.max(...rows.map(([name = '']) => name.length))
  return ['', ...rows.map(([name = '', value = '']) => `  ${name.padEnd(width)}  ${value}`), ''].join('\n')
}

type WantedPort = { readonly what: string; readonly host: string; readonly port: number }

/** Looks at every port before anything is started: a database takes seconds to open, a taken port is said at once. */
const requireFreePorts = async (wanted: readonly WantedPort[]): Promise<void> => {
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
