import { inspect } from 'node:util'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import { describe, expect, it } from 'vitest'
import { readConfiguration, warningsOf, type Configuration } from '../../../adapters/service/config.ts'
import { defaultRates } from '../../../domain/service/rates.ts'
import type { Variables } from '../../../adapters/service/settings.ts'

const twilio: Variables = {
  TWILIO_ACCOUNT_SID: `AC${'1a'.repeat(16)}`,
  TWILIO_AUTH_TOKEN: '2b'.repeat(16),
  TWILIO_FROM: '+15005550006',
}

const beta: Variables = {
  TANDEM_ENVIRONMENT: 'BETA',
  DATABASE_URL: 'postgres://tandem@db.example/tandem',
  SMTP_URL: 'smtps://mail.example',
  MAIL_FROM: 'no-reply@example.com',
  COSIGNER_NAME: 'example',
  OPERATOR_NAME: 'Corner Bank',
  COSIGNER_FOLDER: '/var/lib/cosigner',
  KEY_ENCRYPTION_KEY_FILE: '/etc/tandem/key',
  API_URL: 'https://api.example.com',
  COSIGNER_URL: 'https://cosigner.example.com',
  PORTAL_URL: 'https://portal.example.com',
  CONNECT_URL: 'https://connect.example.com',
}

const read = (variables: Variables, ...parameters: string[]): Configuration =>
  Result.getOrThrow(readConfiguration(variables, parameters))

const refusal = (variables: Variables, ...parameters: string[]): string =>
  Result.match(readConfiguration(variables, parameters), {
    onSuccess: () => 'accepted',
    onFailure: ({ message }) => message,
  })

describe('the configuration', () => {
  it('is the development stack where nothing is set', () => {
    const { environment, roles, listeners, hosts, database, databaseListen, smtp } = read({})

    expect({ environment, roles, database, smtp }).toEqual({
      environment: 'DEV',
      roles: ['api', 'cosigner', 'portal', 'connect', 'admin'],
      database: { kind: 'pglite', folder: '.tandem/database' },
      smtp: undefined,
    })
    expect(listeners).toEqual({
      api: { host: '127.0.0.1', port: 8080 },
      cosigner: { host: '127.0.0.1', port: 3000 },
      portal: { host: '127.0.0.1', port: 3003 },
      connect: { host: '127.0.0.1', port: 3008 },
      admin: { host: '127.0.0.1', port: 8081 },
    })
    expect(hosts.portal).toBe('http://localhost:3003')
    expect(databaseListen).toBe(true)
  })

  it.each(['DATABASE_PREPARE', 'DATABASE_LISTEN'])('turns off for a pooler what it does not pass on: %s', (name) => {
    const url = 'postgres://db.example/tandem'
    const of = ({ database, databaseListen }: Configuration) =>
      name === 'DATABASE_LISTEN' ? databaseListen : database.kind === 'postgres' && database.prepares

    expect(of(read({ DATABASE_URL: url }))).toBe(true)
    expect(of(read({ DATABASE_URL: url, [name]: 'off' }))).toBe(false)
    expect(refusal({ DATABASE_URL: url, [name]: 'no' })).toMatch(new RegExp(`^${name} is 'no', `))
  })

  it('takes every variable that is set', () => {
    const configuration = read({
      ...beta,
      API_LISTEN: '0.0.0.0:80',
      ADMIN_LISTEN: '[::1]:81',
      CHAIN_RPC_URLS:
        '1=https://a.example/key 137=https://b.example solana:mainnet=https://c.example/?key=d cosmos:cosmoshub-4=https://e.example',
      COSIGNER_THREADS: '4',
      DATABASE_LISTEN: 'off',
      TRUSTED_PROXIES: '10.0.0.1, 10.0.0.0/8, ::1',
      RATE_IPV4_PREFIX: '24',
      RATE_IPV6_PREFIX: '56',
      FAILPOINT: 'keygen.commit.after@2',
    })

    expect(configuration.listeners.api).toEqual({ host: '0.0.0.0', port: 80 })
    expect(configuration.listeners.admin).toEqual({ host: '::1', port: 81 })
    expect([...configuration.chains]).toEqual([
      ['1', 'https://a.example/key'],
      ['137', 'https://b.example'],
      ['solana:mainnet', 'https://c.example/?key=d'],
      ['cosmos:cosmoshub-4', 'https://e.example'],
    ])
    expect(configuration.trustedProxies).toEqual(['10.0.0.1', '10.0.0.0/8', '::1'])
    expect(configuration.networks).toEqual({ ipv4: 24, ipv6: 56 })
    expect(configuration.cosignerThreads).toBe(4)
    expect(configuration.databaseListen).toBe(false)
    expect(configuration.failpoint).toEqual({ name: 'keygen.commit.after', nth: 2 })
    const { database, smtp } = configuration
    expect(database.kind === 'postgres' && Redacted.value(database.url)).toBe(beta['DATABASE_URL'])
    expect(smtp && Redacted.value(smtp.url)).toBe(beta['SMTP_URL'])
  })

  it('asks for a mail server of the role that sends mails alone', () => {
    const silent = { ...beta, SMTP_URL: undefined, MAIL_FROM: undefined }
    for (const role of ['cosigner', 'portal', 'connect', 'admin'])
      expect(read({ ...silent, TANDEM_ROLES: role }).smtp).toBeUndefined()
    expect(refusal({ ...silent, TANDEM_ROLES: 'portal,api' })).toBe(
      'SMTP_URL is missing, and BETA has no development mailbox.',
    )
  })

  it('warns outside DEV where no proxy is trusted', () => {
    expect(warningsOf(read({}))).toEqual([])
    expect(warningsOf(read({ ...beta, TRUSTED_PROXIES: '10.0.0.1' }))).toEqual([])
    expect(warningsOf(read(beta))).toEqual([
      'TRUSTED_PROXIES is missing: behind a proxy all users share the limits of one address.',
    ])
  })

  it('takes a setting for each rate, and is wide in DEV where none is set', () => {
    const { rates } = read({ ...beta, RATE_R1: '20/1s', RATE_R6_COOLDOWN: '1/2m burst 3' })

    expect(rates).toEqual({
      ...defaultRates,
      R1: { burst: 20, perMs: 50 },
      R6_COOLDOWN: { burst: 3, perMs: 120_000 },
    })
    expect(read({ RATE_R8: '2/1m' }).rates).toMatchObject({
      R3: { burst: 6_000, perMs: 2 },
      R7: defaultRates.R7,
      R8: { burst: 2, perMs: 30_000 },
    })
  })

  it('keeps audit records for a year and unverified users for a month, or for the days that are set', () => {
    const day = 24 * 60 * 60_000

    expect(read({}).retention).toEqual({ audits: 365 * day, unverifiedUsers: 30 * day })
    expect(read({ AUDIT_DAYS: 'forever', UNVERIFIED_USER_DAYS: '1' }).retention).toEqual({
      audits: undefined,
      unverifiedUsers: day,
    })
  })

  it('takes blank settings for missing ones', () => {
    const { environment, dataFolder, roles } = read({ TANDEM_ENVIRONMENT: ' ', DATA_FOLDER: '', TANDEM_ROLES: ' api ' })

    expect({ environment, dataFolder, roles }).toEqual({ environment: 'DEV', dataFolder: '.tandem', roles: ['api'] })
  })

  it('shows no password, neither where it is logged nor in a refusal', () => {
    const url = 'postgres://tandem:hunter2@db.example/tandem'
    const configuration = read({ ...beta, DATABASE_URL: url, SMTP_URL: 'smtps://us:hunter2@mail.example' })

    expect(inspect(configuration, { depth: null })).not.toContain('hunter2')
    expect(JSON.stringify(configuration)).not.toContain('hunter2')
    for (const name of ['DATABASE_URL', 'SMTP_URL', 'CHAIN_RPC_URLS'])
      for (const text of ['gopher://us:hunter2@x.example', 'hunter2', '1=gopher://x.example/hunter2'])
        expect(refusal({ ...beta, [name]: text })).toMatch(new RegExp(`^${name} (?!.*hunter2)[^.]+\\.$`))
  })

  it('reads roles from the command line before the environment', () => {
    expect(read({ TANDEM_ROLES: 'api' }).roles).toEqual(['api'])
    expect(read({ TANDEM_ROLES: 'api' }, '--role', 'cosigner', '--role=admin,api').roles).toEqual([
      'cosigner',
      'admin',
      'api',
    ])
  })

  it.each<[string, Variables, string]>([
    [
      'an unknown environment',
      { TANDEM_ENVIRONMENT: 'TEST' },
      "TANDEM_ENVIRONMENT is 'TEST', which is none of DEV, SANDBOX, BETA, PROD.",
    ],
    [
      'a proxy that is no address',
      { TRUSTED_PROXIES: '10.0.0.1,nonsense' },
      "TRUSTED_PROXIES has 'nonsense', which is neither an address nor a range like 10.0.0.0/8.",
    ],
    [
      'a prefix that an address does not have',
      { RATE_IPV4_PREFIX: '33' },
      "RATE_IPV4_PREFIX is '33', which is not a number from 1 to 32.",
    ],
    ...['20', '0/1s', '20/0s', '20/1y', '20/1s burst 0'].map((text): [string, Variables, string] => [
      `the rate ${text}`,
      { RATE_R1: text },
      `RATE_R1 is '${text}', which is not a rate like 20/1s or 20/1s burst 100.`,
    ]),
    [
      'a rate that takes long to recover',
      { RATE_R7: '1/3d' },
      "RATE_R7 is '1/3d', which takes more than two days to be full again.",
    ],
    [
      'an unknown role',
      { TANDEM_ROLES: 'api,cook' },
      "TANDEM_ROLES is 'cook', which is none of api, cosigner, portal, connect, admin.",
    ],
    ['a blank role', { TANDEM_ROLES: ' ' }, 'TANDEM_ROLES is blank, and would start every role.'],
    ['an invalid port', { API_LISTEN: 'localhost:99999' }, "API_LISTEN is 'localhost:99999', which is not host:port."],
    [
      'a database of another kind',
      { DATABASE_URL: 'mysql://x' },
      'DATABASE_URL is not an address that begins with postgres:// or postgresql://.',
    ],
    [
      'an address with a path',
      { PORTAL_URL: 'http://x.example/portal' },
      "PORTAL_URL is 'http://x.example/portal', which has a path.",
    ],
    [
      'a chain without an id',
      { CHAIN_RPC_URLS: 'https://a.example' },
      'CHAIN_RPC_URLS has an entry that is not id=address.',
    ],
    [
      'a chain that is named neither by a number nor by CAIP-2',
      { CHAIN_RPC_URLS: 'solana=https://a.example' },
      'CHAIN_RPC_URLS has an entry that is not id=address.',
    ],
    [
      'a chain of another kind',
      { CHAIN_RPC_URLS: '1=https://a.example bip122:000000000019d6689c085ae165831e93=https://b.example/key' },
      'CHAIN_RPC_URLS has an entry whose id is neither a number nor begins with solana: or cosmos:.',
    ],
    [
      'a chain whose node is no address',
      { CHAIN_RPC_URLS: 'solana:mainnet=a.example/key' },
      'CHAIN_RPC_URLS is not an address that begins with http:// or https://.',
    ],
    ['mail without a sender', { SMTP_URL: 'smtp://x' }, 'MAIL_FROM is missing, and SMTP_URL needs it.'],
    [
      'an account of Twilio without its token',
      { ...twilio, TWILIO_AUTH_TOKEN: undefined },
      'TWILIO_AUTH_TOKEN is missing, and the other settings of TWILIO need it.',
    ],
    [
      'an account of Twilio without a sender',
      { ...twilio, TWILIO_FROM: undefined },
      'TWILIO_FROM is missing, and the other settings of TWILIO need it.',
    ],
    [
      'a token of Twilio without the account',
      { ...twilio, TWILIO_ACCOUNT_SID: undefined },
      'TWILIO_ACCOUNT_SID is missing, and the other settings of TWILIO need it.',
    ],
    [
      'an account of Twilio that is none',
      { ...twilio, TWILIO_ACCOUNT_SID: 'AC/../1' },
      'TWILIO_ACCOUNT_SID is not the SID of an account, AC and 32 lower-case hex digits.',
    ],
    [
      'a sender of SMS that is none',
      { ...twilio, TWILIO_FROM: '5550006' },
      "TWILIO_FROM is '5550006', which is neither a number like +15005550006 nor the SID of a messaging service.",
    ],
    ['a failpoint without a name', { FAILPOINT: '@1' }, "FAILPOINT is '@1', which is not name@n."],
    ['a switch that is neither', { DATABASE_LISTEN: 'no' }, "DATABASE_LISTEN is 'no', which is none of on, off."],
    ...['0', '-1', '1.5', '10000', 'Forever', '30d'].map((text): [string, Variables, string] => [
      `${text} days`,
      { AUDIT_DAYS: text },
      `AUDIT_DAYS is '${text}', which is neither a number of days from 1 to 9999 nor forever.`,
    ]),
    ['no threads', { COSIGNER_THREADS: '0' }, "COSIGNER_THREADS is '0', which is not a number from 1 to 999."],
    [
      'an invalid log level',
      { LOG_LEVEL: 'loud' },
      "LOG_LEVEL is 'loud', which is none of silent, error, warn, info, debug.",
    ],
  ])('refuses %s in one sentence that names it', (_, variables, sentence) => {
    expect(refusal(variables)).toBe(sentence)
  })

  it.each<[string, Variables, string]>([
    [
      'PGlite',
      { DATABASE_URL: undefined },
      'DATABASE_URL is missing, and BETA does not run on PGlite, which does not fsync.',
    ],
    ['the development mailbox', { SMTP_URL: undefined }, 'SMTP_URL is missing, and BETA has no development mailbox.'],
    ['addresses of this machine', { PORTAL_URL: undefined }, 'PORTAL_URL is missing, and BETA has no default for it.'],
    [
      'Twilio without TLS',
      { ...twilio, TWILIO_API_URL: 'http://api.twilio.com' },
      "TWILIO_API_URL is 'http://api.twilio.com', and BETA asks for https.",
    ],
    [
      'addresses without TLS',
      { API_URL: 'http://api.example.com' },
      "API_URL is 'http://api.example.com', and BETA asks for https.",
    ],
    [
      'a co-signer without a name',
      { COSIGNER_NAME: undefined },
      'COSIGNER_NAME is missing, and BETA has no default for it.',
    ],
    [
      'several that are not there',
      { OPERATOR_NAME: undefined, COSIGNER_FOLDER: undefined },
      'OPERATOR_NAME, COSIGNER_FOLDER are missing, and BETA has no defaults for them.',
    ],
    [
      'an operator without a name',
      { OPERATOR_NAME: undefined },
      'OPERATOR_NAME is missing, and BETA has no default for it.',
    ],
    [
      'a name of more than a line',
      { OPERATOR_NAME: 'Corner\nBank' },
      'OPERATOR_NAME is not a name of 1 to 40 characters in one line.',
    ],
    [
      'a name that a separator of Unicode makes two lines',
      { OPERATOR_NAME: 'Corner\u2028Bank' },
      'OPERATOR_NAME is not a name of 1 to 40 characters in one line.',
    ],
    [
      'a name that is longer in UTF-16 than the contract says',
      { OPERATOR_NAME: '🏦'.repeat(21) },
      'OPERATOR_NAME is not a name of 1 to 40 characters in one line.',
    ],
  ])('refuses %s outside of development', (_, change, sentence) => {
    expect(refusal({ ...beta, ...change })).toBe(sentence)
    expect(refusal(beta)).toBe('accepted')
  })

  it.each<[string, Variables, string]>([
    [
      'that is not given',
      { COSIGNER_FOLDER: undefined },
      'COSIGNER_FOLDER is missing, and BETA has no default for it.',
    ],
    [
      'around the key-encryption key',
      { COSIGNER_FOLDER: '/etc' },
      "COSIGNER_FOLDER is '/etc', which is not apart from the folder of KEY_ENCRYPTION_KEY_FILE, '/etc/tandem'.",
    ],
    [
      'beside the key-encryption key',
      { COSIGNER_FOLDER: '/etc/tandem/' },
      "COSIGNER_FOLDER is '/etc/tandem/', which is not apart from the folder of KEY_ENCRYPTION_KEY_FILE, '/etc/tandem'.",
    ],
    [
      'beside the service’s key ring',
      { SERVICE_KEYS_FILE: '/var/lib/cosigner/keys' },
      "COSIGNER_FOLDER is '/var/lib/cosigner', which is not apart from the folder of SERVICE_KEYS_FILE, '/var/lib/cosigner'.",
    ],
    [
      'around the co-signer’s key ring, also where there is no key of before',
      {
        KEY_ENCRYPTION_KEY_FILE: undefined,
        DATA_FOLDER: '/var/lib',
        SERVICE_KEYS_FILE: '/etc/tandem/service',
        COSIGNER_KEYS_FILE: '/var/lib/cosigner/keys/ring',
      },
      "COSIGNER_FOLDER is '/var/lib/cosigner', which is not apart from the folder of COSIGNER_KEYS_FILE, '/var/lib/cosigner/keys'.",
    ],
    [
      'within the embedded database',
      {
        TANDEM_ENVIRONMENT: 'SANDBOX',
        DATABASE_URL: undefined,
        DATA_FOLDER: '/data',
        COSIGNER_FOLDER: '/data/database/marks',
      },
      "COSIGNER_FOLDER is '/data/database/marks', which is not apart from the folder of the database, '/data/database'.",
    ],
  ])('refuses a folder of the co-signer %s, outside of development', (_, change, sentence) => {
    expect(refusal({ ...beta, ...change })).toBe(sentence)
    for (const TANDEM_ROLES of ['api', 'cosigner', 'api,portal'])
      expect(refusal({ ...beta, ...change, TANDEM_ROLES })).toBe(sentence)
    expect(refusal({ ...beta, ...change, TANDEM_ROLES: 'portal,connect,admin' })).toBe('accepted')
    expect(refusal({ ...beta, COSIGNER_FOLDER: '/etc/tandem-cosigner' })).toBe('accepted')
  })

  it('has the key rings beside the key of before, unless it is told where', () => {
    const filesOf = ({ serviceKeysFile, cosignerKeysFile }: Configuration) => [serviceKeysFile, cosignerKeysFile]
    const [SERVICE_KEYS_FILE, COSIGNER_KEYS_FILE] = ['/etc/tandem-service/ring', '/etc/tandem-cosigner/ring']

    expect(filesOf(read({}))).toEqual(['.tandem/service-keys.json', '.tandem/cosigner-keys.json'])
    expect(filesOf(read(beta))).toEqual(['/etc/tandem/service-keys.json', '/etc/tandem/cosigner-keys.json'])
    const told = { ...beta, KEY_ENCRYPTION_KEY_FILE: undefined, SERVICE_KEYS_FILE, COSIGNER_KEYS_FILE }
    expect(filesOf(read({ ...told, DATA_FOLDER: '/var/lib' }))).toEqual([SERVICE_KEYS_FILE, COSIGNER_KEYS_FILE])
  })

  it('keeps what the co-signer remembers in the data folder in development, unless it is told where', () => {
    expect(read({}).cosignerFolder).toBe('.tandem/cosigner')
    expect(read({ DATA_FOLDER: 'data', COSIGNER_FOLDER: 'marks' }).cosignerFolder).toBe('marks')
  })

  it('refuses failpoints in PROD', () => {
    const prod = { ...beta, TANDEM_ENVIRONMENT: 'PROD' }

    expect(refusal({ ...prod, FAILPOINT: 'x' }, '--role', 'api')).toBe(
      'FAILPOINT is for tests and not accepted in PROD.',
    )
    expect(refusal(prod)).toBe('accepted')
  })
})
