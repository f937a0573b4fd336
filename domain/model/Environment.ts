/**
 * Environments, their other names, and their hosts. Hosts are the operator's configuration: only DEV has defaults.
 */
import * as Data from 'effect/Data'
import * as Result from 'effect/Result'

export const environments = ['DEV', 'SANDBOX', 'BETA', 'PROD'] as const
export type Environment = (typeof environments)[number]

/** Origins without a trailing slash. `oauth` is where `/auth/{method}` lives; `cosigner` speaks the MPC protocol. */
export type Hosts = {
  readonly api: string
  readonly cosigner: string
  readonly portal: string
  readonly connect: string
  readonly oauth: string
}

/** The ports that `npm start` listens on. The public client has the same in DEV. */
export const developmentHosts: Hosts = {
  api: 'http://localhost:8080',
  cosigner: 'http://localhost:3000',
  portal: 'http://localhost:3003',
  connect: 'http://localhost:3008',
  oauth: 'http://localhost:8080',
}

/** The hosts that an app names. Only DEV has defaults: elsewhere a local port must not take the place of one. */
export const named = (environment: string, given: Partial<Hosts> = {}): Partial<Hosts> =>
  environment === 'DEV' ? { ...developmentHosts, ...given } : given

/** What the operator configures for the environments it runs. */
export type ConfiguredHosts = { readonly [E in Environment]?: Hosts }

/** The version that the SDK reports. */
const sdkVersion = '1.17.0'

const endToEnd = 'E2E'

/** DEVELOPMENT means BETA, PRODUCTION means PROD, E2E means SANDBOX. */
const aliases: ReadonlyMap<string, Environment> = new Map([
  ...environments.map((environment) => [environment, environment] as const),
  ['DEVELOPMENT', 'BETA'],
  ['PRODUCTION', 'PROD'],
  [endToEnd, 'SANDBOX'],
])

/** Reads the name of an environment or one of its other names. */
export const parse = (name: string): Result.Result<Environment, UnsupportedEnv> => {
  const environment = aliases.get(name)
  return environment === undefined ? Result.fail(new UnsupportedEnv()) : Result.succeed(environment)
}

/**
 * The hosts of an environment by any of its names. `E2E` has those of SANDBOX, except for a portal on this machine.
 */
export const hosts = (
  name: string,
  configured: ConfiguredHosts = {},
): Result.Result<Hosts, UnsupportedEnv | EnvNotSupported> =>
  Result.flatMap(parse(name), (environment) => {
    const found = configured[environment] ?? (environment === 'DEV' ? developmentHosts : undefined)
    if (found === undefined) return Result.fail(new EnvNotSupported({ env: name }))
    return Result.succeed(ofName(name, found))
  })

/** The hosts of an environment as this name of it has them. */
export const ofName = (name: string, hosts: Hosts): Hosts =>
  name === endToEnd ? { ...hosts, portal: developmentHosts.portal } : hosts

/** The value of the version header: `dev` in DEV and SANDBOX. */
export const versionHeaderValue = (environment: Environment): string =>
  environment === 'DEV' || environment === 'SANDBOX' ? 'dev' : sdkVersion

/** Where a page runs. The portal and the connect host show all wallets, an app only those that it supports. */
export type Site = 'portal' | 'connect' | 'app'

/**
 * Decided by the window's host, for example `localhost:3003`. A partner's own portal is a portal too. It is for an SDK
 * that runs on such a host, which is not built yet: the portal and connect are builds of their own.
 * @notBuilt
 */
export const siteOf = (windowHost: string, hosts: Hosts, partnerPortalUrl?: string | null): Site => {
  const host = windowHost.toLowerCase()
  if (host === hostOf(hosts.portal) || (partnerPortalUrl && host === hostOf(partnerPortalUrl))) return 'portal'
  return host === hostOf(hosts.connect) ? 'connect' : 'app'
}

/** @notBuilt */
export const fetchesAllWallets = (site: Site): boolean => site !== 'app'

const defaultPort: Readonly<Record<string, string>> = { http: ':80', https: ':443' }

/** The host of a URL as a window reports it: lower case, without the scheme's own port. */
const hostOf = (url: string): string | undefined => {
  const [, scheme = '', host = ''] = /^(\w+):\/\/([^/?#]*)/.exec(url.toLowerCase()) ?? []
  const port = defaultPort[scheme]
  return (port !== undefined && host.endsWith(port) ? host.slice(0, -port.length) : host) || undefined
}

/** The name belongs to no environment. */
export class UnsupportedEnv extends Data.TaggedError('UnsupportedEnv') {
  override readonly message = 'unsupported env'
}

/** The environment exists, but its hosts are not configured, or one of them is not as it has to be. */
export class EnvNotSupported extends Data.TaggedError('EnvNotSupported')<{
  readonly env: string
  /** Which host, and what it lacks. */
  readonly why?: string
}> {
  override readonly message = `env: ${this.env} not supported${this.why ?? ''}`
}
