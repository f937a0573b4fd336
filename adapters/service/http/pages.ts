/**
 * The pages of a listener: index.html at the addresses that the spec names and at no other, its files under names that
 * change with what is in them, and what the page has to know of its deployment. What came in an address is for the page
 * alone: nothing here reads it.
 */
import fastifyStatic from '@fastify/static'
import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recoverPath } from '../../../domain/model/ConnectUrl.ts'
import type { Environment } from '../../../domain/model/Environment.ts'
import { pageHeaders, staticHeaders, type Policy } from './contentPolicy.ts'
import { notFound } from './errors.ts'
import { write } from './server.ts'

export type PagesOptions = {
  /** Where react/build.ts put the page: its own folder. */
  readonly folder: string
  readonly routes: readonly string[]
  /** What `/config.json` says. */
  readonly config: unknown
  readonly policy: Policy
  readonly environment: Environment
}

/** Spec §2, the private key, and the short link. Whatever else is asked there is no page. */
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

/** The page of all wallets, and the recovery of those whose credentials are lost (flows 10). */
export const connectRoutes: readonly string[] = ['/', recoverPath]

const staticPrefix = '/static/js/'

export const addPages = async (server: FastifyInstance, options: PagesOptions): Promise<void> => {
  const { routes, config, policy, environment } = options
  const folder = resolve(options.folder)
  const headers = { page: pageHeaders(policy, environment), static: staticHeaders(environment) }

  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(isStatic(request) ? headers.static : headers.page)
    done()
  })
  server.addHook('onSend', (request, reply, payload, done) => {
    if (isStatic(request) && reply.statusCode === 200 && isBytes(payload)) return done(null, unlessKnown(request, reply, payload))
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
    // This plugin hands over a reply, not node's response; and it sends the pages too, whose names stay.
    setHeaders: (reply, file) => {
      if (file.startsWith(files)) reply.header('cache-control', 'public, max-age=31536000, immutable')
    },
  })
  server.get('/config.json', (_request, reply) => reply.send(config))
  for (const route of routes) {
    server.get(route, (request, reply) => (hasAllParts(request) ? sendPage(reply, folder, 'index.html') : reply.callNotFound()))
  }
}

/** People are told in words, everybody else in the sentence. */
export const pageNotFound =
  (folder: string) =>
  (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    request.headers.accept?.includes('text/html') === true
      ? sendPage(reply.code(404), resolve(folder), '404.html')
      : write(reply, notFound)

const sendPage = (reply: FastifyReply, folder: string, file: string): FastifyReply =>
  reply.sendFile(file, folder, { acceptRanges: false, cacheControl: false, etag: false, lastModified: false })

/** The router takes nothing at the end of a path for a part of it. */
const hasAllParts = ({ params }: FastifyRequest): boolean => !Object.values(params as Readonly<Record<string, string>>).includes('')

const isStatic = (request: FastifyRequest): boolean => request.routeOptions.url?.startsWith(staticPrefix) === true

const isBytes = (payload: unknown): payload is string | Uint8Array =>
  typeof payload === 'string' || payload instanceof Uint8Array

/** Nothing, for who has these very bytes already (RFC 9110 13.1.2). */
const unlessKnown = (request: FastifyRequest, reply: FastifyReply, payload: string | Uint8Array): string | Uint8Array | null => {
  const tag = `"${createHash('sha256').update(payload).digest('base64url')}"`
  reply.header('etag', tag)
  if (request.headers['if-none-match'] !== tag) return payload
  reply.code(304)
  return null
}
