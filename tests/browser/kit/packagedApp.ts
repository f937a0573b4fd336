/** An app that is made with the package outside of the repository: its settings, its packages, and how its files are served. */
import staticFiles from '@fastify/static'
import fastify, { type FastifyReply } from 'fastify'
import { quickstart, type QuickstartName } from '../../../react/pack/quickstart.ts'
import { freePort } from '../../kit/ports.ts'
import { development, stack } from './stack.ts'

/**
 * Those of the quick start, for the stack of this run; with 'Info' the SDK says what computes. Node resolves *.localhost
 * not everywhere.
 */
export const settingsFor = (path: string): string => {
  const { api, cosigner, portal, connect } = stack()
  const inBrowser = { api, cosigner, portal, connect, oauth: connect }
  const here = Object.entries(inBrowser).map(
    ([name, url]) => [name, url.replace(/\w+\.localhost/, '127.0.0.1')] as const,
  )
  const hosts = isOfNode(path) ? Object.fromEntries(here) : inBrowser
  const logLevel = 'Info'
  const options = isOfReact(path) ? { options: { logLevel } } : { logLevel }
  const text = JSON.stringify({ environment: 'DEV', apiKey: development().apiKey, hosts, ...options })
  return `export const settings = ${text}${path.endsWith('.ts') ? ' as const' : ''}\n`
}

/** Its provider takes the SDK's options by this name; the SDK has hosts and options as one. */
const isOfReact = (path: string): boolean => /^(src|app)\//.test(path)

const isOfNode = (path: string): boolean => path === 'settings.ts'

export const withoutVersion = (named: string): string => named.replace(/(?<=.)@.*$/, '')

type App = { readonly quickstart: QuickstartName; readonly packages: readonly string[] }

/** What `npm install` gets: of a package that both name, the row's version. */
export const packagesOf = ({ quickstart: name, packages }: App): readonly string[] => {
  const own = new Set(packages.map(withoutVersion))
  const { dependencies, devDependencies } = quickstart(name)
  return [...packages, ...[...dependencies, ...devDependencies].filter((one) => !own.has(one))]
}

export type Serving = { readonly port: number; readonly stop: () => Promise<unknown> }

export const serveFolder = async (folder: string, policy?: string): Promise<Serving> => {
  const port = await freePort()
  const server = fastify()
  const setHeaders = (reply: FastifyReply) => {
    if (policy !== undefined) void reply.header('content-security-policy', policy)
  }
  await server.register(staticFiles, { root: folder, setHeaders })
  await server.listen({ port, host: '127.0.0.1' })
  return { port, stop: () => server.close() }
}
