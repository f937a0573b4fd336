/** The composition root of the service: one runtime, and a listener for each role. */
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import type * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Operator } from '../../domain/model/Operator.ts'
import { cosignerKeyStatus } from '../../domain/service/cosignerKeys.ts'
import * as partners from '../../domain/service/partners.ts'
import { addressOf } from './addressOf.ts'
import { warningsOf, type Configuration, type Role } from './config.ts'
import { deploymentOf } from './deploymentOf.ts'
import { seenByOthers } from './database/sighting.ts'
import { addAdminRoutes, readiness } from './http/admin.ts'
import { servicePolicy, walletsPolicy } from './http/contentPolicy.ts'
import { addPages, connectRoutes, pageNotFound, portalRoutes } from './http/pages.ts'
import { addRoutes, type RouterOptions } from './http/pipeline.ts'
import { listen, makeServer } from './http/server.ts'
import { layersOf, type ReadAtUse, type Stand } from './layers.ts'
import { areBuilt, isOfPages, partsOf, requireBuilt, type RoleOfPages } from './pages/BuiltPages.ts'
import { logoPath, readLogo, type Logo } from './pages/Logo.ts'

export type Overrides = Stand & {
  /** Adds pages to the admin listener, in development. */
  readonly admin?: ((server: FastifyInstance) => void) | undefined
  /** Called with every answer to an operation of the contract. */
  readonly observe?: RouterOptions['observe']
}

export type Services = ManagedRuntime.ManagedRuntime.Services<ReturnType<typeof makeRuntime>>

export type RunningService = {
  /** The address of each role of this process. */
  readonly addresses: { readonly [R in Role]?: string }
  /** Runs a flow of the service on its runtime. */
  readonly run: <A, E>(flow: Effect.Effect<A, E, Services>) => Promise<A>
  /**
   * Goes on with the limits, the operator's name and the logo of this configuration, and with nothing else of it. Whether the
   * logo's image is another one. Throws a `StartRefusal` where the logo cannot be read; then all stays as it was.
   */
  readonly reload: (configuration: Configuration) => { readonly hasOtherLogo: boolean }
  readonly stop: () => Promise<void>
}

/**
 * A collection runs when the heap is half as large again as what the last one left. The young generation is that of threads
 * that start from now on: this one's is set by the command (DECISIONS.md#a-small-heap).
 */
const heapOptions = ['--heap-growing-percent=50', '--max-semi-space-size=1']

/** At a stop: how long running requests may go on, and how long clients may take to read the answer. */
const graceMs = 1_000
const readMs = 2_000

/** Starts the service, or throws a `StartRefusal` after closing what it opened. */
export const startService = async (
  configuration: Configuration,
  log: Logger,
  overrides: Overrides = {},
): Promise<RunningService> => {
  heapOptions.forEach(setFlagsFromString)
  for (const warning of warningsOf(configuration)) log.warn(warning)
  // Objects that flows read at each use; a reload writes their fields.
  const readAtUse = { rates: { ...configuration.rates }, deployment: deploymentOf(configuration) }
  const runtime = makeRuntime(configuration, log, overrides, readAtUse)
  let brand = brandOf(configuration)
  const stopping = new AbortController()
  const answered = new Map<string, number>()
  const servers: FastifyInstance[] = []
  let closing = false

  const stop = async () => {
    closing = true
    const ending = Promise.all(servers.map((server) => server.close()))
    const grace = setTimeout(() => stopping.abort(), graceMs)
    const cut = setTimeout(() => {
      for (const server of servers) server.server.closeAllConnections()
    }, graceMs + readMs)
    await ending
    clearTimeout(grace)
    clearTimeout(cut)
    await runtime.dispose()
  }

  // A database that does not answer allows nothing, and the call that follows says why.
  const isPageOfAny = (origin: string) => runtime.runPromise(partners.isPageOfAny(origin)).catch(() => false)

  const open = async (role: Role, services: Context.Context<Services>): Promise<string> => {
    const listener = configuration.listeners[role]
    const { trustedProxies, pagesFolder, environment, hosts } = configuration
    const folder = join(pagesFolder, role)
    const notFound = isOfPages(role) ? pageNotFound(folder) : undefined
    const crossOrigin = role === 'api' || role === 'cosigner' ? { isPageOfAny } : undefined
    const server = await makeServer({ role, log, trustedProxies, crossOrigin, notFound })
    servers.push(server)
    // A kept-alive connection would keep the listener open.
    server.addHook('onSend', (_request, reply, _payload, done) => {
      if (closing) reply.header('connection', 'close')
      done()
    })
    count(server, role, answered)
    if (role === 'admin') {
      const { roles } = configuration
      const check = readiness(
        roles.includes('cosigner'),
        roles.some(isOfPages) ? () => allBuilt(configuration) : undefined,
      )
      addAdminRoutes(server, {
        ready: () => runtime.runPromise(check),
        answered: () => answered,
        cosignerKeys: () => runtime.runPromise(cosignerKeyStatus(configuration.cosignerName)),
      })
      overrides.admin?.(server)
    } else {
      const { observe } = overrides
      if (isOfPages(role)) {
        for (const name of partsOf[role]) await requireBuilt(pagesFolder, name)
        const policy = policies[role](hosts)
        const config = () => ({ environment, hosts, operator: operatorOf(brand) })
        const logo = () => brand.logo
        await addPages(server, { folder, routes: routes[role], config, logo, policy, environment })
      }
      const { networks } = configuration
      if (role !== 'connect')
        addRoutes(server, { listener: role, networks, crossOrigin, services, log, stopping: stopping.signal, observe })
    }
    const port = await listen(server, role, listener)
    return addressOf({ host: nameOf(listener.host), port })
  }

  const reload = (next: Configuration) => {
    const before = brand
    brand = brandOf(next)
    Object.assign(readAtUse.rates, next.rates)
    Object.assign(readAtUse.deployment, { operatorName: next.operator.name })
    return { hasOtherLogo: !isDeepStrictEqual(brand.logo, before.logo) }
  }

  try {
    const services = await runtime.context()
    if (hasNeighbours(configuration))
      await runtime
        .runPromise(seenByOthers)
        .catch((cause: unknown) => log.warn(cause, 'other co-signers may not have seen this process yet'))
    const addresses: { [R in Role]?: string } = {}
    for (const role of configuration.roles) addresses[role] = await open(role, services)
    return { addresses, run: (flow) => runtime.runPromise(flow), reload, stop }
  } catch (cause) {
    await stop()
    throw cause
  }
}

const makeRuntime = (configuration: Configuration, log: Logger, stand: Stand, readAtUse: ReadAtUse) =>
  ManagedRuntime.make(layersOf(configuration, log, stand, readAtUse))

/** Whether other co-signers may run beside it. In DEV a start follows the end of the last one, and waits for none. */
const hasNeighbours = ({ environment, roles, database }: Configuration): boolean =>
  environment !== 'DEV' && roles.includes('cosigner') && database.kind === 'postgres'

/** The operator as pages show it. */
type Brand = { readonly name: string; readonly logo: Logo | undefined }

/** Processes without pages read no logo. */
const brandOf = ({ roles, operator: { name, logoFile } }: Configuration): Brand => ({
  name,
  logo: logoFile !== undefined && roles.some(isOfPages) ? readLogo(logoFile) : undefined,
})

const operatorOf = ({ name, logo }: Brand): Operator => ({ name, logo: logo === undefined ? null : logoPath })

const routes: { readonly [R in RoleOfPages]: readonly string[] } = { portal: portalRoutes, connect: connectRoutes }

const policies = { portal: servicePolicy, connect: walletsPolicy } as const

const allBuilt = async ({ roles, pagesFolder }: Configuration): Promise<boolean> => {
  const names = roles.filter(isOfPages).flatMap((role) => partsOf[role])
  return (await Promise.all(names.map((name) => areBuilt(pagesFolder, name)))).every(Boolean)
}

const count = (server: FastifyInstance, role: Role, answered: Map<string, number>): void => {
  server.addHook('onResponse', (request, reply, done) => {
    const path = request.routeOptions.url ?? 'unmatched'
    const labels = `role="${role}",method="${request.method}",path="${path}",status="${reply.statusCode}"`
    answered.set(labels, (answered.get(labels) ?? 0) + 1)
    done()
  })
}

/** The host that a browser on this machine uses for it. */
const nameOf = (host: string): string => (['127.0.0.1', '0.0.0.0', '::1', '::'].includes(host) ? 'localhost' : host)
