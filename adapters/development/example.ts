/** The example app: a partner's page on an origin of its own, served as a partner would serve it. Development only. */
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Configuration } from '../service/config.ts'
import type { Policy } from '../service/http/contentPolicy.ts'
import { addPages, pageNotFound } from '../service/http/pages.ts'
import { listen, makeServer } from '../service/http/server.ts'
import { requireBuilt } from '../service/pages/BuiltPages.ts'
import type { Listener } from '../service/settings.ts'
import { StartRefusal } from '../service/StartRefusal.ts'

export type ExampleOptions = {
  readonly listener: Listener
  readonly configuration: Configuration
  readonly apiKey: string
  readonly chain: { readonly id: number; readonly url: string } | undefined
  readonly log: Logger
}

export const startExample = async ({
  listener,
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
    notFound: pageNotFound(folder),
  })
  const policy: Policy = {
    connect: [hosts.api, hosts.cosigner, hosts.portal, ...(chain === undefined ? [] : [chain.url])],
    worker: ['blob:'],
    forms: true,
  }
  const config = () => ({ environment, hosts, apiKey, chain })
  await addPages(server, { folder, routes: ['/'], config, policy, environment })
  await listen(server, 'example', listener)
  return server
}

/** Builds the pages where their sources changed. */
export const bringPagesUpToDate = async (say: (line: string) => void): Promise<void> => {
  const { buildPages } = await import('../../react/build.ts')
  await buildPages({ say }).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new StartRefusal({ message: `The pages cannot be built: ${why}` })
  })
}
