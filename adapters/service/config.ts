/**
 * The configuration, read from the environment and checked before anything starts. A wrong value is refused with one
 * sentence that names its variable.
 */
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import * as Config from 'effect/Config'
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'
import * as Environment from '../../domain/model/Environment.ts'
import type { Rates } from '../../domain/service/rates.ts'
import type { DatabaseLocation } from './database/open.ts'
import type { RpcUrls } from './chains/node.ts'
import { isRange, type Prefixes } from './http/network.ts'
import type { SmtpServer } from './mail/Mail.ts'
import type { TwilioAccount } from './sms/Twilio.ts'
import type { Failpoint } from './node/Failpoints.ts'
import { ratesOf, rateSettings } from './rateSettings.ts'
import { roles, type Role } from './Role.ts'
import {
  listener,
  namesOf,
  oneOf,
  optional,
  origin,
  reading,
  readSettings,
  readUrl,
  secret,
  secretUrl,
  setting,
  withSecretFiles,
  type Listener,
  type Read,
  type Variables,
} from './settings.ts'
import { secretNames } from './settingsReference.ts'
import { StartRefusal } from './StartRefusal.ts'
import type { Retention } from './upkeep.ts'

export type { Listener, Role }

/**
 * Whether a process of these roles reads and writes the co-signers' folder: the API ends a recovery by raising marks and destroying
 * share keys there, and judges a partner's decision by the mark of its policy.
 */
export const usesCosignerFolder = (own: readonly Role[]): boolean => own.includes('cosigner') || own.includes('api')

/** Whether a process of these roles sends mails and SMS; the others only write what is sent. */
export const sendsMessages = (own: readonly Role[]): boolean => own.includes('api')

export type Configuration = {
  readonly environment: Environment.Environment
  readonly roles: readonly Role[]
  readonly listeners: { readonly [R in Role]: Listener }
  /** The public origin of each role. */
  readonly hosts: Environment.Hosts
  readonly database: DatabaseLocation
  /** Whether PostgreSQL's LISTEN reaches this process; not through a pooler in transaction mode. */
  readonly databaseListen: boolean
  /** Holds the embedded database, and in DEV the key rings. */
  readonly dataFolder: string
  /**
   * What a co-signer keeps beside the database and must never be restored from a copy: watermarks, the fence, claims,
   * run keys, share keys. All co-signers of a database and all processes of its API share it (`usesCosignerFolder`).
   */
  readonly cosignerFolder: string
  /** The database generation with which the co-signer may start although its folder is older or missing. */
  readonly acceptOlderCosignerFolder: string | undefined
  /** The output of react/build.ts: the pages of portal and connect, and the files that workers load. */
  readonly pagesFolder: string
  /** Who runs the deployment, as people read it on pages, in mails and in the dialogs of passkeys. */
  readonly operator: { readonly name: string; readonly logoFile: string | undefined }
  readonly serviceKeysFile: string
  /** Read by processes with the role of the co-signer alone. */
  readonly cosignerKeysFile: string
  /** The one key of a deployment that has no rings yet. */
  readonly keyEncryptionKeyFile: string
  /** Undefined for the development mailbox. */
  readonly smtp: SmtpServer | undefined
  /** Undefined where no SMS are sent, and for the development mailbox. */
  readonly twilio: TwilioAccount | undefined
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
  /** What counts as one network in limits. */
  readonly networks: Prefixes
  readonly rates: Rates
  readonly retention: Retention
  readonly failpoint: Failpoint | undefined
  readonly logLevel: LogLevel
}

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

/** `arguments_`: command-line arguments after the script's name. */
export const readConfiguration = (
  variables: Variables,
  arguments_: readonly string[] = [],
): Result.Result<Configuration, StartRefusal> =>
  Result.map(readConfigured(variables, arguments_), ({ configuration }) => configuration)

/** `variables`: with the texts of secrets' files, each of which is read once, because it may be a pipe. */
export type Configured = { readonly variables: Variables; readonly configuration: Configuration }

/** The same, for a process that reads its settings again later. */
export const readConfigured = (
  given: Variables,
  arguments_: readonly string[],
): Result.Result<Configured, StartRefusal> =>
  Result.gen(function* () {
    // Any other blank variable counts as missing, and a missing one stands for every role, the co-signer too.
    if (given['TANDEM_ROLES']?.trim() === '')
      return yield* Result.fail(new StartRefusal({ message: 'TANDEM_ROLES is blank, and would start every role.' }))
    const variables = yield* withSecretFiles(given, secretNames)
    const read = Effect.flatMap(readSettings(settingsOf(arguments_), variables), configurationOf)
    return { variables, configuration: yield* Effect.runSync(Effect.result(read)) }
  })

/** Every setting, in the order in which they are read. */
export const settingNames = (): readonly string[] => namesOf(settingsOf([]))

const readEnvironment: Read<Environment.Environment> = (text) =>
  Result.mapError(
    Environment.parse(text),
    () => `is '${text}', which is none of ${Environment.environments.join(', ')}`,
  )

const readRoles: Read<readonly Role[]> = (text) =>
  Result.map(Result.all(text.split(',').map((name) => oneOf(roles)(name.trim()))), (named) => [...new Set(named)])

/** `--role api --role admin`, `--role=api,admin`, or TANDEM_ROLES. */
const rolesOf = (arguments_: readonly string[]): Config.Config<readonly Role[]> => {
  const named = arguments_.flatMap((argument, index) => {
    if (argument.startsWith('--role=')) return [argument.slice('--role='.length)]
    return argument === '--role' ? [arguments_[index + 1] ?? ''] : []
  })
  return named.length > 0
    ? reading(Config.succeed(named.join(',')), '--role', readRoles)
    : Config.withDefault(setting('TANDEM_ROLES', readRoles), roles)
}

/**
 * `31337=http://127.0.0.1:8545 solana:mainnet=https://…`: pairs of chain id and address, separated by whitespace. An EVM
 * chain has its decimal id, every other its CAIP-2 identifier. No entry is quoted: addresses of providers have a key in
 * them.
 */
const readChains: Read<RpcUrls> = (text) =>
  Result.map(Result.all(text.split(/\s+/).map(readChain)), (chains) => new Map(chains))

const readChain: Read<readonly [string, string]> = (entry) => {
  const [, chainId = '', url = ''] = /^([1-9][0-9]*|[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32})=(.+)$/.exec(entry) ?? []
  if (chainId === '') return Result.fail('has an entry that is not id=address')
  if (!/^(?:[1-9][0-9]*$|(?:solana|cosmos):)/.test(chainId)) {
    return Result.fail('has an entry whose id is neither a number nor begins with solana: or cosmos:')
  }
  return Result.map(readUrl(['http:', 'https:'])(url), (address) => [chainId, address] as const)
}

const readCount: Read<number> = (text) =>
  /^[1-9][0-9]{0,2}$/.test(text)
    ? Result.succeed(Number(text))
    : Result.fail(`is '${text}', which is not a number from 1 to 999`)

/** Undefined for `forever`. */
const readDays: Read<number | undefined> = (text) => {
  if (text === 'forever') return Result.succeed(undefined)
  return /^[1-9][0-9]{0,3}$/.test(text)
    ? Result.succeed(Number(text) * day)
    : Result.fail(`is '${text}', which is neither a number of days from 1 to 9999 nor forever`)
}

const day = 24 * 60 * 60_000

const readSwitch: Read<boolean> = (text) => Result.map(oneOf(['on', 'off'])(text), (value) => value === 'on')

/** One line, short enough for a dialog. Validators of the contract may count units of UTF-16, as `length` does. */
const readName: Read<string> = (text) =>
  /^[^\p{Control}\p{Format}\p{Zl}\p{Zp}]+$/u.test(text) && text.length <= 40
    ? Result.succeed(text)
    : Result.fail('is not a name of 1 to 40 characters in one line')

const readProxies: Read<readonly string[]> = (text) => {
  const proxies = text.split(',').flatMap((proxy) => proxy.trim() || [])
  const strange = proxies.find((proxy) => !isRange(proxy))
  return strange === undefined
    ? Result.succeed(proxies)
    : Result.fail(`has '${strange}', which is neither an address nor a range like 10.0.0.0/8`)
}

const readPrefix =
  (longest: number): Read<number> =>
  (text) =>
    /^[1-9][0-9]{0,2}$/.test(text) && Number(text) <= longest
      ? Result.succeed(Number(text))
      : Result.fail(`is '${text}', which is not a number from 1 to ${longest}`)

const readFailpoint: Read<Failpoint> = (text) => {
  const [, name, nth = '1'] = /^([^@\s]+)(?:@([1-9][0-9]*))?$/.exec(text) ?? []
  return name === undefined
    ? Result.fail(`is '${text}', which is not name@n`)
    : Result.succeed({ name, nth: Number(nth) })
}

const readAccountSid: Read<string> = (text) =>
  /^AC[0-9a-f]{32}$/.test(text)
    ? Result.succeed(text)
    : Result.fail('is not the SID of an account, AC and 32 lower-case hex digits')

const readAuthToken: Read<string> = (text) =>
  /^[0-9A-Za-z]{32}$/.test(text) ? Result.succeed(text) : Result.fail('is not a token of 32 letters and digits')

/** As Twilio takes it: a number in E.164, a name of 1 to 11 letters, digits and blanks, or a messaging service. */
const readSender: Read<string> = (text) =>
  /^(?:\+[1-9][0-9]{6,14}|MG[0-9a-f]{32}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/.test(text)
    ? Result.succeed(text)
    : Result.fail(`is '${text}', which is neither a number like +15005550006 nor the SID of a messaging service`)

const twilioSettings = Config.all({
  accountSid: optional(setting('TWILIO_ACCOUNT_SID', readAccountSid)),
  authToken: optional(secret('TWILIO_AUTH_TOKEN', readAuthToken)),
  from: optional(setting('TWILIO_FROM', readSender)),
  url: Config.withDefault(origin('TWILIO_API_URL'), 'https://api.twilio.com'),
})

/** Each setting by itself. Those without a default here have one that depends on others, or none. */
const settingsOf = (arguments_: readonly string[]) =>
  Config.all({
    environment: Config.withDefault(setting('TANDEM_ENVIRONMENT', readEnvironment), 'DEV'),
    roles: rolesOf(arguments_),
    listeners: Config.all({
      api: listener('API_LISTEN', 8080),
      cosigner: listener('COSIGNER_LISTEN', 3000),
      portal: listener('PORTAL_LISTEN', 3003),
      connect: listener('CONNECT_LISTEN', 3008),
      admin: listener('ADMIN_LISTEN', 8081),
    }),
    origins: Config.all({
      api: optional(origin('API_URL')),
      cosigner: optional(origin('COSIGNER_URL')),
      portal: optional(origin('PORTAL_URL')),
      connect: optional(origin('CONNECT_URL')),
      oauth: optional(origin('OAUTH_URL')),
    }),
    databaseUrl: optional(secretUrl('DATABASE_URL', ['postgres:', 'postgresql:'])),
    databasePrepare: Config.withDefault(setting('DATABASE_PREPARE', readSwitch), true),
    databaseListen: Config.withDefault(setting('DATABASE_LISTEN', readSwitch), true),
    dataFolder: Config.withDefault(Config.String('DATA_FOLDER'), '.tandem'),
    cosignerFolder: optional(Config.String('COSIGNER_FOLDER')),
    acceptOlderCosignerFolder: optional(Config.String('ACCEPT_OLDER_COSIGNER_FOLDER')),
    pagesFolder: Config.withDefault(Config.String('PAGES_FOLDER'), 'dist/pages'),
    operatorName: optional(setting('OPERATOR_NAME', readName)),
    operatorLogo: optional(Config.String('OPERATOR_LOGO_FILE')),
    serviceKeysFile: optional(Config.String('SERVICE_KEYS_FILE')),
    cosignerKeysFile: optional(Config.String('COSIGNER_KEYS_FILE')),
    keyEncryptionKeyFile: optional(Config.String('KEY_ENCRYPTION_KEY_FILE')),
    smtpUrl: optional(secretUrl('SMTP_URL', ['smtp:', 'smtps:'])),
    mailFrom: optional(Config.String('MAIL_FROM')),
    twilio: twilioSettings,
    chains: Config.withDefault(setting('CHAIN_RPC_URLS', readChains), new Map<string, string>()),
    cosignerName: optional(Config.String('COSIGNER_NAME')),
    cosignerThreads: optional(setting('COSIGNER_THREADS', readCount)),
    trustedProxies: Config.withDefault(setting('TRUSTED_PROXIES', readProxies), []),
    networks: Config.all({
      ipv4: Config.withDefault(setting('RATE_IPV4_PREFIX', readPrefix(32)), 32),
      ipv6: Config.withDefault(setting('RATE_IPV6_PREFIX', readPrefix(128)), 64),
    }),
    rates: rateSettings,
    retention: Config.all({
      audits: Config.withDefault(setting('AUDIT_DAYS', readDays), 365 * day),
      unverifiedUsers: Config.withDefault(setting('UNVERIFIED_USER_DAYS', readDays), 30 * day),
    }),
    failpoint: optional(setting('FAILPOINT', readFailpoint)),
    logLevel: Config.withDefault(setting('LOG_LEVEL', oneOf(logLevels)), 'info'),
  })

type Settings = Config.Success<ReturnType<typeof settingsOf>>

/** Adds what depends on several settings, and refuses the combinations that an environment does not allow. */
const configurationOf = Effect.fnUntraced(function* (settings: Settings) {
  const { origins, databaseUrl, databasePrepare, smtpUrl, mailFrom, operatorName, operatorLogo, ...own } = settings
  const { environment, listeners, dataFolder } = own
  const hostOf = (name: string, role: Exclude<Role, 'admin'>, found: string | undefined) => {
    if (found?.startsWith('http:') && environment !== 'DEV')
      return refuse(name, `is '${found}', and ${environment} asks for https`)
    if (found !== undefined) return Effect.succeed(found)
    return Effect.succeed(localOrigin(listeners[role], Environment.developmentHosts[role]))
  }
  const names = {
    API_URL: origins.api,
    COSIGNER_URL: origins.cosigner,
    PORTAL_URL: origins.portal,
    CONNECT_URL: origins.connect,
    OPERATOR_NAME: operatorName,
    COSIGNER_NAME: own.cosignerName,
    ...(usesCosignerFolder(own.roles) ? { COSIGNER_FOLDER: own.cosignerFolder } : {}),
  }
  const absent = Object.entries(names).flatMap(([name, value]) => (value === undefined ? [name] : []))
  if (environment !== 'DEV' && absent.length > 0) yield* missing(absent, environment)
  const keyEncryptionKeyFile = own.keyEncryptionKeyFile ?? `${dataFolder}/key-encryption-key`
  const api = yield* hostOf('API_URL', 'api', origins.api)
  const configuration: Configuration = {
    ...own,
    rates: ratesOf(own.rates, environment),
    hosts: {
      api,
      cosigner: yield* hostOf('COSIGNER_URL', 'cosigner', origins.cosigner),
      portal: yield* hostOf('PORTAL_URL', 'portal', origins.portal),
      connect: yield* hostOf('CONNECT_URL', 'connect', origins.connect),
      oauth: yield* hostOf('OAUTH_URL', 'api', origins.oauth ?? api),
    },
    database:
      databaseUrl === undefined
        ? { kind: 'pglite', folder: `${dataFolder}/database` }
        : { kind: 'postgres', url: databaseUrl, prepares: databasePrepare },
    cosignerFolder: own.cosignerFolder ?? `${dataFolder}/cosigner`,
    serviceKeysFile: own.serviceKeysFile ?? join(dirname(keyEncryptionKeyFile), 'service-keys.json'),
    cosignerKeysFile: own.cosignerKeysFile ?? join(dirname(keyEncryptionKeyFile), 'cosigner-keys.json'),
    keyEncryptionKeyFile,
    smtp: smtpUrl && {
      url: smtpUrl,
      from: mailFrom ?? (yield* refuse('MAIL_FROM', 'is missing, and SMTP_URL needs it')),
    },
    twilio: yield* twilioOf(own.twilio, environment),
    operator: { name: operatorName ?? 'Tandem', logoFile: operatorLogo },
    cosignerName: own.cosignerName ?? 'localhost',
  }
  yield* requireReal(configuration)
  yield* requireApart(configuration, own)
  return configuration
})

/** All of the account, or none of it. */
const twilioOf = Effect.fnUntraced(function* (
  { accountSid, authToken, from, url }: Settings['twilio'],
  environment: Environment.Environment,
) {
  if (accountSid === undefined && authToken === undefined && from === undefined) return undefined
  if (url.startsWith('http:') && environment !== 'DEV')
    return yield* refuse('TWILIO_API_URL', `is '${url}', and ${environment} asks for https`)
  const without = (name: string) => refuse(name, 'is missing, and the other settings of TWILIO need it')
  return {
    accountSid: accountSid ?? (yield* without('TWILIO_ACCOUNT_SID')),
    authToken: authToken ?? (yield* without('TWILIO_AUTH_TOKEN')),
    from: from ?? (yield* without('TWILIO_FROM')),
    url,
  }
})

/** No development stand-in outside DEV, no store without fsync in BETA and PROD, no failpoint in PROD. */
const requireReal = (configuration: Configuration): Effect.Effect<void, StartRefusal> => {
  const { environment, roles: own, smtp, database, failpoint } = configuration
  if (environment === 'DEV') return Effect.void
  if (smtp === undefined && sendsMessages(own))
    return refuse('SMTP_URL', `is missing, and ${environment} has no development mailbox`)
  if (environment === 'SANDBOX') return Effect.void
  if (database.kind === 'pglite')
    return refuse('DATABASE_URL', `is missing, and ${environment} does not run on PGlite, which does not fsync`)
  if (environment === 'PROD' && failpoint !== undefined)
    return refuse('FAILPOINT', 'is for tests and not accepted in PROD')
  return Effect.void
}

/**
 * Outside DEV the co-signer's folder must be given and lie apart from what operators back up and restore: a copy that
 * restores the marks together with the database or the keys undoes bans without a trace.
 */
const requireApart = (
  { environment, roles: own, database, serviceKeysFile, cosignerKeysFile }: Configuration,
  { cosignerFolder, keyEncryptionKeyFile }: Pick<Settings, 'cosignerFolder' | 'keyEncryptionKeyFile'>,
): Effect.Effect<void, StartRefusal> => {
  if (environment === 'DEV' || !usesCosignerFolder(own) || cosignerFolder === undefined) return Effect.void
  const others = [
    ...(keyEncryptionKeyFile === undefined
      ? []
      : [['the folder of KEY_ENCRYPTION_KEY_FILE', dirname(keyEncryptionKeyFile)] as const]),
    ['the folder of SERVICE_KEYS_FILE', dirname(serviceKeysFile)],
    ['the folder of COSIGNER_KEYS_FILE', dirname(cosignerKeysFile)],
    ...(database.kind === 'pglite' ? [['the folder of the database', database.folder] as const] : []),
  ] as const
  const around = others.find(([, folder]) => isWithin(cosignerFolder, folder) || isWithin(folder, cosignerFolder))
  if (around === undefined) return Effect.void
  const [what, folder] = around
  return refuse('COSIGNER_FOLDER', `is '${cosignerFolder}', which is not apart from ${what}, '${folder}'`)
}

/** What an operator should know of a configuration that is not refused. */
export const warningsOf = ({ environment, trustedProxies }: Configuration): readonly string[] =>
  environment === 'DEV' || trustedProxies.length > 0
    ? []
    : ['TRUSTED_PROXIES is missing: behind a proxy all users share the limits of one address.']

/** Whether a path lies in the other's folder; one counts as within itself. */
export const isWithin = (folder: string, other: string): boolean => {
  const path = relative(resolve(other), resolve(folder))
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)
}

/** The local origin of a listener; `usual` if the system chooses its port. */
const localOrigin = ({ port }: Listener, usual: string): string => (port === 0 ? usual : `http://localhost:${port}`)

const missing = (names: readonly string[], environment: Environment.Environment): Effect.Effect<never, StartRefusal> =>
  names.length === 1
    ? refuse(names.join(), `is missing, and ${environment} has no default for it`)
    : refuse(names.join(', '), `are missing, and ${environment} has no defaults for them`)

const refuse = (name: string, what: string): Effect.Effect<never, StartRefusal> =>
  Effect.fail(new StartRefusal({ message: `${name} ${what}.` }))
