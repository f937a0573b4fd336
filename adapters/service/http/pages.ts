/**
 * The pages of a listener: index.html at a fixed list of addresses, its files under names that contain a hash of their
 * content, and `/config.json` with the deployment's settings. Parameters in an address are for the page alone; nothing
 * here reads them.
 */
import fastifyStatic from '@fastify/static'
import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recoverPath } from '../../../domain/model/ConnectUrl.ts'
import type { Environment } from '../../../domain/model/Environment.ts'
import { pageHeaders, staticHeaders, type Policy } from './contentPolicy.ts'
import { logoPath, type Logo } from '../pages/Logo.ts'
import { notFound } from './errors.ts'
import { write } from './server.ts'

export type PagesOptions = {
  /** The page's folder in the output of react/build.ts. */
  readonly folder: string
  readonly routes: readonly string[]
  /** The content of `/config.json`, read for each answer. */
  readonly config: () => unknown
  /** The same of the operator's logo. */
  readonly logo?: () => Logo | undefined
  readonly policy: Policy
  readonly environment: Environment
}

/** The portal's addresses; every other address is 404. */
export const portalRoutes: readonly string[] = [
  '/web/users/:userId/passwords/:passwordId',
  '/web/users/:userId/biometrics/:webAuthId',
  '/web/passwords/login',
  '/web/biometrics/login',
  '/web/users/:userId/transaction-review/:pendingTransactionId',
  '/web/users/:userId/on-ramp-transaction/:purchaseId',
  '/web/users/:userId/wallets/:walletId/private-key',
  '/short/:id',
]

/** The list of all wallets, and recovery (domain/client/README.md#recovery). */
export const connectRoutes: readonly string[] = ['/', recoverPath]

const staticPrefix = '/static/js/'

export const addPages = async (server: FastifyInstance, options: PagesOptions): Promise<void> => {
  const { routes, config, logo, policy, environment } = options
  const folder = resolve(options.folder)
  const headers = { page: pageHeaders(policy, environment), static: staticHeaders(environment) }

  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(isStatic(request) ? headers.static : headers.page)
    done()
  })
  server.addHook('onSend', (request, reply, payload, done) => {
    if (isStatic(request) && reply.statusCode === 200 && isBytes(payload))
      return done(null, unlessKnown(request, reply, payload))
    done(null, payload)
  })
  const files = join(folder, 'assets')
  await server.register(fastifyStatic, {
    root: files,
    prefix: '/assets/',
    index: false,
    dotfiles: 'deny',
    cacheControl: false,
    preCompressed: true,
    // The plugin passes a reply, not Node's response. It also sends the pages, whose names are fixed and not cached.
    setHeaders: (reply, file) => {
      if (file.startsWith(files)) reply.header('cache-control', 'public, max-age=31536000, immutable')
    },
  })
  server.get('/config.json', (_request, reply) => reply.send(config()))
  server.get(logoPath, (_request, reply) => {
    const found = logo?.()
    if (found === undefined) reply.callNotFound()
    else reply.type(found.type).send(found.bytes)
  })
  for (const route of routes) {
    server.get(route, (request, reply) =>
      hasAllParts(request) ? sendPage(reply, folder, 'index.html') : reply.callNotFound(),
    )
  }
}

/** A page for browsers that ask for HTML, the plain sentence for all others. */
export const pageNotFound =
  (folder: string) =>
  (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    request.headers.accept?.includes('text/html') === true
      ? sendPage(reply.code(404), resolve(folder), '404.html')
      : write(reply, notFound)

const sendPage = (reply: FastifyReply, folder: string, file: string): FastifyReply =>
  reply.sendFile(file, folder, { acceptRanges: false, cacheControl: false, etag: false, lastModified: false })

/** The router matches an empty parameter at the end of a path. */
const hasAllParts = ({ params }: FastifyRequest): boolean =>
  !Object.values(params as Readonly<Record<string, string>>).includes('')

const isStatic = (request: FastifyRequest): boolean => request.routeOptions.url?.startsWith(staticPrefix) === true

const isBytes = (payload: unknown): payload is string | Uint8Array =>
  typeof payload === 'string' || payload instanceof Uint8Array

/** 304 without a body if the client has these bytes already (RFC 9110 section 13.1.2). */
const unlessKnown = (
  request: FastifyRequest,
  reply: FastifyReply,
  payload: string | Uint8Array,
): string | Uint8Array | null => {
  const tag = `"${createHash('sha256').update(payload).digest('base64url')}"`
  reply.header('etag', tag)
  if (request.headers['if-none-match'] !== tag) return payload
  reply.code(304)
  return null
}
