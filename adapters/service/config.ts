/**
 * The configuration, read from the environment and checked before anything starts. A wrong value is refused with one
 * sentence that names its variable.
 */
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import * as Result from 'effect/Result'
import * as Environment from '../../domain/model/Environment.ts'
import type { DatabaseLocation } from './database/open.ts'
import type { RpcUrls } from './chains/Chain.ts'
import type { SmtpServer } from './mail/Mail.ts'
import type { Failpoint } from './node/Failpoints.ts'
import { StartRefusal } from './StartRefusal.ts'

/** Roles of a process, each with its own listener. Roles share nothing but the database and the contract. */
const roles = ['api', 'cosigner', 'portal', 'connect', 'admin'] as const
export type Role = (typeof roles)[number]

export type Listener = { readonly host: string; readonly port: number }

export type Configuration = {
  readonly environment: Environment.Environment
  readonly roles: readonly Role[]
  readonly listeners: { readonly [R in Role]: Listener }
  /** The public origin of each role. */
  readonly hosts: Environment.Hosts
  readonly database: DatabaseLocation
  /** Holds the embedded database, and in DEV the key-encryption key. */
  readonly dataFolder: string
  /**
   * What a co-signer keeps beside the database and must never be restored from a copy: watermarks, the fence, claims,
   * run keys, share keys. All co-signers of a database share it.
   */
  readonly cosignerFolder: string
  /** The database generation with which the co-signer may start although its folder is older or missing. */
  readonly acceptOlderCosignerFolder: string | undefined
  /** The output of react/build.ts: the pages of portal and connect, and the files that workers load. */
  readonly pagesFolder: string
  readonly keyEncryptionKeyFile: string
  /** Undefined for the development mailbox. */
  readonly smtp: SmtpServer | undefined
  readonly chains: RpcUrls
  /**
   * The co-signer's name, which every frame's signature and every share record cover: it never changes for a
   * deployment.
   */
  readonly cosignerName: string
  /** Undefined for one per core that this process may use. */
  readonly cosignerThreads?: number | undefined
  /** Addresses of proxies whose `x-forwarded-for` is trusted. */
  readonly trustedProxies: readonly string[]
  readonly failpoint: Failpoint | undefined
  readonly logLevel: LogLevel
}

const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

/** Environment variables in the form of `process.env`. */
export type Variables = { readonly [name: string]: string | undefined }

/** `arguments_`: command-line arguments after the script's name. */
export const readConfiguration = (
  variables: Variables,
  arguments_: readonly string[] = [],
): Result.Result<Configuration, StartRefusal> => {
  try {
    const configuration = checked(read(variables, arguments_))
    requireApart(configuration, variables['COSIGNER_FOLDER']?.trim() || undefined)
    return Result.succeed(configuration)
  } catch (cause) {
    if (cause instanceof StartRefusal) return Result.fail(cause)
    throw cause
  }
}

const read = (variables: Variables, arguments_: readonly string[]): Configuration => {
  const text = (name: string): string | undefined => variables[name]?.trim() || undefined
  const environment = readEnvironment(text('TANDEM_ENVIRONMENT') ?? 'DEV')
  const dataFolder = text('DATA_FOLDER') ?? '.tandem'
  const databaseUrl = text('DATABASE_URL')
  const smtpUrl = text('SMTP_URL')
  const listeners = {
    api: readListener('API_LISTEN', text('API_LISTEN') ?? '127.0.0.1:8080'),
    cosigner: readListener('COSIGNER_LISTEN', text('COSIGNER_LISTEN') ?? '127.0.0.1:3000'),
    portal: readListener('PORTAL_LISTEN', text('PORTAL_LISTEN') ?? '127.0.0.1:3003'),
    connect: readListener('CONNECT_LISTEN', text('CONNECT_LISTEN') ?? '127.0.0.1:3008'),
    admin: readListener('ADMIN_LISTEN', text('ADMIN_LISTEN') ?? '127.0.0.1:8081'),
  }
  const url = (name: string, role: 'api' | 'cosigner' | 'portal' | 'connect'): string => {
    const value = text(name)
    if (value === undefined && environment !== 'DEV')
      throw refuse(name, `is missing, and ${environment} has no default for it`)
    return readOrigin(name, value ?? localOrigin(listeners[role], Environment.developmentHosts[role]), environment)
  }
  const api = url('API_URL', 'api')
  return {
    environment,
    roles: readRoles(variables, arguments_),
    listeners,
    hosts: {
      api,
      cosigner: url('COSIGNER_URL', 'cosigner'),
      portal: url('PORTAL_URL', 'portal'),
      connect: url('CONNECT_URL', 'connect'),
      oauth: text('OAUTH_URL') === undefined ? api : url('OAUTH_URL', 'api'),
    },
    database:
      databaseUrl === undefined
        ? { kind: 'pglite', folder: `${dataFolder}/database` }
        : { kind: 'postgres', url: readUrl('DATABASE_URL', databaseUrl, ['postgres:', 'postgresql:']) },
    dataFolder,
    cosignerFolder: text('COSIGNER_FOLDER') ?? `${dataFolder}/cosigner`,
    acceptOlderCosignerFolder: text('ACCEPT_OLDER_COSIGNER_FOLDER'),
    pagesFolder: text('PAGES_FOLDER') ?? 'dist/pages',
    keyEncryptionKeyFile: text('KEY_ENCRYPTION_KEY_FILE') ?? `${dataFolder}/key-encryption-key`,
    smtp:
      smtpUrl === undefined
        ? undefined
        : {
            url: readUrl('SMTP_URL', smtpUrl, ['smtp:', 'smtps:']),
            from: text('MAIL_FROM') ?? fail('MAIL_FROM', 'is missing, and SMTP_URL needs it'),
          },
    chains: readChains(text('CHAIN_RPC_URLS')),
    cosignerName:
      text('COSIGNER_NAME') ?? (environment === 'DEV' ? 'localhost' : missing('COSIGNER_NAME', environment)),
    cosignerThreads: readCount('COSIGNER_THREADS', text('COSIGNER_THREADS')),
    trustedProxies: (text('TRUSTED_PROXIES') ?? '').split(',').flatMap((proxy) => proxy.trim() || []),
    failpoint: readFailpoint(text('FAILPOINT')),
    logLevel: oneOf('LOG_LEVEL', text('LOG_LEVEL') ?? 'info', logLevels),
  }
}

/**
 * Combinations that an environment refuses: no development stand-in outside DEV, no store without fsync in BETA and
 * PROD.
 */
const checked = (configuration: Configuration): Configuration => {
  const { environment } = configuration
  if (environment === 'DEV') return configuration
  if (configuration.smtp === undefined)
    throw refuse('SMTP_URL', `is missing, and ${environment} has no development mailbox`)
  if (environment === 'SANDBOX') return configuration
  if (configuration.database.kind === 'pglite') {
    throw refuse('DATABASE_URL', `is missing, and ${environment} does not run on PGlite, which does not fsync`)
  }
  if (environment === 'BETA') return configuration
  if (configuration.failpoint !== undefined) throw refuse('FAILPOINT', 'is for tests and not accepted in PROD')
  return configuration
}

/**
 * Outside DEV the co-signer's folder must be given and lie apart from what operators back up and restore: a copy that
 * restores the marks together with the database or the key-encryption key undoes bans without a trace.
 */
const requireApart = (configuration: Configuration, cosignerFolder: string | undefined): void => {
  const { environment, roles: own, database, keyEncryptionKeyFile } = configuration
  if (environment === 'DEV' || !own.includes('cosigner')) return
  if (cosignerFolder === undefined)
    throw refuse('COSIGNER_FOLDER', `is missing, and ${environment} has no default for it`)
  const others = [
    ['the folder of KEY_ENCRYPTION_KEY_FILE', dirname(keyEncryptionKeyFile)],
    ...(database.kind === 'pglite' ? [['the folder of the database', database.folder] as const] : []),
  ] as const
  for (const [what, folder] of others) {
    if (!isWithin(cosignerFolder, folder) && !isWithin(folder, cosignerFolder)) continue
    throw refuse('COSIGNER_FOLDER', `is '${cosignerFolder}', which is not apart from ${what}, '${folder}'`)
  }
}

/** A folder counts as within itself. */
const isWithin = (folder: string, other: string): boolean => {
  const path = relative(resolve(other), resolve(folder))
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)
}

const refuse = (name: string, what: string): StartRefusal => new StartRefusal({ message: `${name} ${what}.` })

const fail = (name: string, what: string): never => {
  throw refuse(name, what)
}

const missing = (name: string, environment: string): never =>
  fail(name, `is missing, and ${environment} has no default for it`)

const oneOf = <const T extends string>(name: string, text: string, values: readonly T[]): T =>
  values.find((value) => value === text) ?? fail(name, `is '${text}', which is none of ${values.join(', ')}`)

const readEnvironment = (text: string): Environment.Environment => {
  const environment = Environment.parse(text)
  return Result.isSuccess(environment)
    ? environment.success
    : fail('TANDEM_ENVIRONMENT', `is '${text}', which is none of ${Environment.environments.join(', ')}`)
}

/** `--role api --role admin`, `--role=api,admin`, or TANDEM_ROLES. */
const readRoles = (variables: Variables, arguments_: readonly string[]): readonly Role[] => {
  const named = arguments_.flatMap((argument, index) => {
    if (argument.startsWith('--role=')) return argument.slice('--role='.length).split(',')
    return argument === '--role' ? (arguments_[index + 1] ?? '').split(',') : []
  })
  const names = named.length > 0 ? named : (variables['TANDEM_ROLES'] ?? roles.join(',')).split(',')
  const name = named.length > 0 ? '--role' : 'TANDEM_ROLES'
  return [...new Set(names.map((role) => oneOf(name, role.trim(), roles)))]
}

export const readListener = (name: string, text: string): Listener => {
  const [, host = '', portText = ''] = /^(?:(.+):)?([0-9]{1,5})$/.exec(text) ?? []
  const port = Number(portText)
  if (portText === '' || port > 65_535) fail(name, `is '${text}', which is not host:port`)
  return { host: host.replace(/^\[(.*)\]$/, '$1') || '127.0.0.1', port }
}

/** The local origin of a listener; `usual` if the system chooses its port. */
const localOrigin = ({ port }: Listener, usual: string): string => (port === 0 ? usual : `http://localhost:${port}`)

const readUrl = (name: string, text: string, schemes: readonly string[]): string => {
  if (!URL.canParse(text) || !schemes.includes(new URL(text).protocol)) {
    fail(name, `is not an address that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`)
  }
  return text
}

/** The public address of a role: an origin without a path, https outside DEV. */
export const readOrigin = (name: string, text: string, environment: Environment.Environment): string => {
  const { origin, pathname, protocol } = new URL(readUrl(name, text, ['http:', 'https:']))
  if (pathname !== '/') fail(name, `is '${text}', which has a path`)
  if (protocol === 'http:' && environment !== 'DEV') fail(name, `is '${text}', and ${environment} asks for https`)
  return origin
}

/** `31337=http://127.0.0.1:8545 1=https://…`: pairs of chain id and address, separated by whitespace. */
const readChains = (text: string | undefined): RpcUrls =>
  new Map(
    (text ?? '').split(/\s+/).flatMap((entry) => {
      if (entry === '') return []
      const [, chainId = '', url = ''] = /^([1-9][0-9]*)=(.+)$/.exec(entry) ?? []
      if (chainId === '') fail('CHAIN_RPC_URLS', `has '${entry}', which is not id=address`)
      return [[chainId, readUrl('CHAIN_RPC_URLS', url, ['http:', 'https:'])] as const]
    }),
  )

const readCount = (name: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  return /^[1-9][0-9]{0,2}$/.test(text) ? Number(text) : fail(name, `is '${text}', which is not a number from 1 to 999`)
}

const readFailpoint = (text: string | undefined): Failpoint | undefined => {
  if (text === undefined) return undefined
  const [, name = '', nth = '1'] = /^([^@\s]+)(?:@([1-9][0-9]*))?$/.exec(text) ?? []
  return name === '' ? fail('FAILPOINT', `is '${text}', which is not name@n`) : { name, nth: Number(nth) }
}
