/** The stack that the browser tests of one run share, as `npm start` brings it up, each origin on a host of its own. */
import type { JsonWebKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { stackVariables, type Variables } from '../../kit/stack.ts'

export type Stack = {
  readonly dataFolder: string
  /** What the service logged, down to the level of debug, and whatever else it printed. */
  readonly logFile: string
  /** Where Playwright reaches the Chromium of this run. */
  readonly chromium: string
  readonly shop: string
  readonly portal: string
  readonly api: string
  readonly cosigner: string
  readonly connect: string
  /** Where this process reaches them: Node does not resolve *.localhost everywhere. */
  readonly apiHere: string
  readonly portalHere: string
  readonly admin: string
  /** The nodes of kit/chainNodes.ts that the service sends transactions to. */
  readonly nodes: { readonly solana: string; readonly cosmos: string }
  /** With which the partner's server signs its decisions about reviews. */
  readonly approver: JsonWebKey
}

/** Who runs the stack: a name as long as one may be, and without a blank, for which no page may be wider than its window. */
export const operatorName = 'Donaudampfschifffahrtsgesellschaftsbank!'

/** Another origin of the partner's shop: the policy holds whatever is signed for it (policy.ts). */
export const carefulOf = (shop: string): string => shop.replace('shop.localhost', 'localhost')

/** The setting of the service that names them. */
export const chainRpcUrls = ({ solana, cosmos }: Stack['nodes']): string =>
  `solana:localnet=${solana} cosmos:cosmoshub-4=${cosmos}`

/** All but EXAMPLE_URL: the shop is reached through a proxy. */
export const browserStackVariables = async (dataFolder: string): Promise<Variables> => {
  const ports = await stackVariables(dataFolder)
  const at = (host: string, listener: string) => `http://${host}.localhost:${ports[listener] ?? ''}`
  return {
    ...ports,
    API_URL: at('api', 'API_LISTEN'),
    COSIGNER_URL: at('api', 'COSIGNER_LISTEN'),
    PORTAL_URL: at('portal', 'PORTAL_LISTEN'),
    CONNECT_URL: at('connect', 'CONNECT_LISTEN'),
    OPERATOR_NAME: operatorName,
    LOG_LEVEL: 'debug',
  }
}

/** What is true of a stack that was started by these variables. */
export const stackOf = (
  variables: Variables,
  rest: Pick<Stack, 'logFile' | 'chromium' | 'nodes' | 'approver'>,
): Stack => {
  const here = (listener: string) => `http://127.0.0.1:${variables[listener] ?? ''}`
  return {
    ...rest,
    dataFolder: variables['DATA_FOLDER'] ?? '',
    shop: variables['EXAMPLE_URL'] ?? '',
    portal: variables['PORTAL_URL'] ?? '',
    api: variables['API_URL'] ?? '',
    cosigner: variables['COSIGNER_URL'] ?? '',
    connect: variables['CONNECT_URL'] ?? '',
    apiHere: here('API_LISTEN'),
    portalHere: here('PORTAL_LISTEN'),
    admin: here('ADMIN_LISTEN'),
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    stack: Stack
  }
}

let given: Stack | undefined

/** For what drives pages without being a test: the bench. */
export const useStack = (stack: Stack): void => {
  given = stack
}

/** The stack of this run. */
export const stack = (): Stack => given ?? inject('stack')

export type Development = {
  readonly apiKey: string
  readonly partnerId: string
  readonly secretKey: string
  readonly addresses: { readonly chain?: string }
}

/** What `npm start` wrote about itself. */
export const development = (): Development =>
  JSON.parse(readFileSync(join(stack().dataFolder, 'dev.json'), 'utf8')) as Development

export const serverLog = (): string => readFileSync(stack().logFile, 'utf8')

/** Every URL of these is the stack's own. */
export const ownOrigins = (): ReadonlySet<string> => {
  const { shop, portal, api, cosigner, connect } = stack()
  const { chain } = development().addresses
  return new Set([
    shop,
    carefulOf(shop),
    portal,
    api,
    cosigner,
    connect,
    ...(chain === undefined ? [] : [new URL(chain).origin]),
  ])
}
