/** The example app: a partner's page on an origin of its own, served as a partner would serve it. Development only. */
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { readListener, readOrigin, type Configuration, type Listener, type Variables } from '../service/config.ts'
import type { Policy } from '../service/http/contentPolicy.ts'
import { addPages, pageNotFound } from '../service/http/pages.ts'
import { listen, makeServer } from '../service/http/server.ts'
import { requireBuilt } from '../service/pages/BuiltPages.ts'
import { StartRefusal } from '../service/StartRefusal.ts'

export type ExampleAddress = {
  readonly listener: Listener
  /** Where it is reached: a host of its own, so that it shares no cookie with the portal. */
  readonly origin: string
}

export const readExampleAddress = (variables: Variables): ExampleAddress => {
  const listener = readListener('EXAMPLE_LISTEN', variables['EXAMPLE_LISTEN']?.trim() || '127.0.0.1:3010')
  const origin = variables['EXAMPLE_URL']?.trim() || `http://shop.localhost:${listener.port}`
  return { listener, origin: readOrigin('EXAMPLE_URL', origin, 'DEV') }
}

export type ExampleOptions = {
  readonly address: ExampleAddress
  readonly configuration: Configuration
  readonly apiKey: string
  readonly chain: { readonly id: number; readonly url: string } | undefined
  readonly log: Logger
}

export const startExample = async ({
  address,
  configuration,
  apiKey,
  chain,
  log,
}: ExampleOptions): Promise<FastifyInstance> => {
  const { environment, hosts, pagesFolder } = configuration
  await requireBuilt(pagesFolder, 'example')
  const folder = join(pagesFolder, 'example')
  const server = await makeServer({
    role: 'example',
    log,
    trustedProxies: [],
    crossOrigin: false,
    notFound: pageNotFound(folder),
  })
  const policy: Policy = {
    connect: [hosts.api, hosts.cosigner, hosts.portal, ...(chain === undefined ? [] : [chain.url])],
    worker: ['blob:'],
    forms: true,
  }
  await addPages(server, { folder, routes: ['/'], config: { environment, hosts, apiKey, chain }, policy, environment })
  await listen(server, 'example', address.listener)
  return server
}

/** The pages have to be there; they are built unless the configuration names a folder of others. */
export const bringPagesUpToDate = async (variables: Variables, say: (line: string) => void): Promise<void> => {
  if (variables['PAGES_FOLDER']?.trim()) return
  const { buildPages } = await import('../../react/build.ts')
  await buildPages({ say }).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new StartRefusal({ message: `The pages cannot be built: ${why}` })
  })
}
