/** What each setting of the service means. `tandem config docs` prints it, and adapters/service/SETTINGS.md is that text. */
import { defaultRates, type RateName } from '../../domain/service/rates.ts'
import { rateText } from './rateSettings.ts'
import type { Role } from './Role.ts'

export type Setting = {
  readonly meaning: string
  readonly form: string
  /** A text that means the same as none, or in parentheses what counts without one. */
  readonly usual: string
  readonly example: string
  /** The roles whose processes use it; all without it. */
  readonly roles?: readonly Role[]
  /** It is never shown; `<NAME>_FILE` names a file that holds it. */
  readonly isSecret?: true
  /** A running service takes a new text of it at SIGHUP (`reload.ts`). */
  readonly reloads?: true
}

const listen = (role: Role, port: number): Setting => ({
  meaning: `where the role ${role} listens${role === 'admin' ? '; it has no login' : ''}`,
  form: 'host:port, or a port of this machine',
  usual: `127.0.0.1:${port}`,
  example: '0.0.0.0:8443',
  roles: [role],
})

const address = (of: string, usual: string, host: string): Setting => ({
  meaning: `the public address of ${of}`,
  form: 'an origin without a path; https outside DEV',
  usual: `(in DEV ${usual}; has to be given elsewhere)`,
  example: `https://${host}.example.com`,
})

const onOff = (meaning: string): Setting => ({ meaning, form: 'on or off', usual: 'on', example: 'off' })

const folder = (meaning: string, usual: string, roles?: readonly Role[]): Setting => ({
  meaning,
  form: 'a path',
  usual,
  example: '/var/lib/tandem',
  ...(roles && { roles }),
})

const days = (meaning: string, usual: string): Setting => ({
  meaning,
  form: 'a number of days from 1 to 9999, or forever',
  usual,
  example: 'forever',
})

const rate = (name: RateName): Setting => ({
  meaning: `the limit ${name}; some are wider in DEV`,
  form: 'a rate like 20/1s, or 20/1s burst 100',
  usual: rateText(defaultRates[name]),
  example: '20/1s burst 100',
  reloads: true,
})

const settings: Readonly<Record<string, Setting>> = {
  TANDEM_ENVIRONMENT: {
    meaning: 'what the deployment is for: outside DEV nothing stands in for what is real',
    form: 'DEV, SANDBOX, BETA or PROD',
    usual: 'DEV',
    example: 'DEV',
  },
  TANDEM_ROLES: {
    meaning: 'what this process does',
    form: 'api, cosigner, portal, connect, admin: some of them, separated by commas',
    usual: 'api,cosigner,portal,connect,admin',
    example: 'api,portal',
  },
  API_LISTEN: listen('api', 8080),
  COSIGNER_LISTEN: listen('cosigner', 3000),
  PORTAL_LISTEN: listen('portal', 3003),
  CONNECT_LISTEN: listen('connect', 3008),
  ADMIN_LISTEN: listen('admin', 8081),
  API_URL: address('the API', 'http://localhost:8080', 'api'),
  COSIGNER_URL: address('the co-signer', 'http://localhost:3000', 'cosigner'),
  PORTAL_URL: address('the portal, to which passkeys are bound', 'http://localhost:3003', 'wallet'),
  CONNECT_URL: address('connect, the page for recoveries', 'http://localhost:3008', 'recover'),
  OAUTH_URL: { ...address('logins by OAuth', '', 'api'), usual: '(API_URL)' },
  DATABASE_URL: {
    meaning:
      'the PostgreSQL of the deployment; `connect_timeout` in it is how many seconds a request waits for a connection',
    form: 'an address that begins with postgres:// or postgresql://',
    usual: '(PGlite in DATA_FOLDER/database, in DEV and SANDBOX)',
    example: 'postgres://tandem:password@db.example.com/tandem?connect_timeout=2',
    isSecret: true,
  },
  DATABASE_PREPARE: onOff('whether statements have names, which a pooler in transaction mode does not allow'),
  DATABASE_LISTEN: onOff(
    'whether the process hears the others by LISTEN, which a pooler in transaction mode does not pass on',
  ),
  DATA_FOLDER: folder('holds the embedded database, and in DEV the key rings', '.tandem'),
  COSIGNER_FOLDER: folder(
    'what co-signers keep beside the database and never restore from a copy; apart from the key rings and the embedded database; one for all co-signers and processes of the API',
    '(DATA_FOLDER/cosigner in DEV; has to be given elsewhere)',
    ['api', 'cosigner'],
  ),
  ACCEPT_OLDER_COSIGNER_FOLDER: {
    meaning: 'accepts the loss of COSIGNER_FOLDER once',
    form: 'the value that the refusal names',
    usual: '(no loss is accepted)',
    example: '0f8b2c1e-5d0a-4c0b-9a53-2f7c1f8a0101',
    roles: ['cosigner'],
  },
  PAGES_FOLDER: folder('the built pages of portal and connect', 'dist/pages', ['portal', 'connect']),
  OPERATOR_NAME: {
    meaning: 'who runs the service, as people read it on pages, in apps, in mails and in the dialogs of passkeys',
    form: 'a name of 1 to 40 characters in one line',
    usual: '(in DEV Tandem; has to be given elsewhere)',
    example: 'Corner Bank',
    reloads: true,
  },
  OPERATOR_LOGO_FILE: {
    meaning: 'the logo beside that name',
    form: 'a path of an SVG, PNG or WebP of at most 100 KiB',
    usual: '(none)',
    example: '/etc/tandem/logo.svg',
    reloads: true,
    roles: ['portal', 'connect'],
  },
  SERVICE_KEYS_FILE: {
    meaning: 'the key ring that every process has, readable by this user alone',
    form: 'a path',
    usual: '(service-keys.json beside KEY_ENCRYPTION_KEY_FILE)',
    example: '/etc/tandem/keys/service.json',
  },
  COSIGNER_KEYS_FILE: {
    meaning: 'the key ring over shares, which only co-signers have, readable by this user alone',
    form: 'a path',
    usual: '(cosigner-keys.json beside KEY_ENCRYPTION_KEY_FILE)',
    example: '/etc/tandem/keys/cosigner.json',
    roles: ['cosigner'],
  },
  KEY_ENCRYPTION_KEY_FILE: {
    meaning: 'the one key of a deployment that has no rings yet: 64 hex digits, readable by this user alone',
    form: 'a path',
    usual: '(DATA_FOLDER/key-encryption-key)',
    example: '/etc/tandem/keys/key-encryption-key',
  },
  SMTP_URL: {
    meaning: 'the mail server',
    form: 'an address that begins with smtp:// or smtps://; without a port 587, with smtps 465',
    usual: '(with `npm start` the development mailbox; has to be given elsewhere)',
    example: 'smtps://tandem:password@mail.example.com',
    isSecret: true,
    roles: ['api'],
  },
  MAIL_FROM: {
    meaning: 'the sender of mails; needed with SMTP_URL',
    form: 'an address of mail',
    usual: '(none)',
    example: 'no-reply@example.com',
    roles: ['api'],
  },
  TWILIO_ACCOUNT_SID: {
    meaning: 'the account at Twilio that sends SMS',
    form: 'AC and 32 lower-case hex digits',
    usual: '(none; with `npm start` the development mailbox)',
    example: 'AC0123456789abcdef0123456789abcdef',
    roles: ['api'],
  },
  TWILIO_AUTH_TOKEN: {
    meaning: 'the account’s auth token; needed with TWILIO_ACCOUNT_SID',
    form: '32 letters and digits',
    usual: '(none)',
    example: '0123456789abcdef0123456789abcdef',
    isSecret: true,
    roles: ['api'],
  },
  TWILIO_FROM: {
    meaning: 'the sender of SMS; needed with TWILIO_ACCOUNT_SID',
    form: 'a number with + and country code, a name of up to 11 letters and digits, or the SID of a messaging service',
    usual: '(none)',
    example: '+15005550006',
    roles: ['api'],
  },
  TWILIO_API_URL: {
    meaning: 'where Twilio’s API is reached, such as the address of another region',
    form: 'an origin without a path; https outside DEV',
    usual: 'https://api.twilio.com',
    example: 'https://api.dublin.ie1.twilio.com',
    roles: ['api'],
  },
  CHAIN_RPC_URLS: {
    meaning: 'where transactions are sent; addresses of providers have a key in them',
    form: 'id=address, separated by blanks; the id is that of an EVM chain, or a CAIP-2 identifier of Solana or Cosmos',
    usual: '(no chain)',
    example: '1=https://rpc.example.com/key cosmos:cosmoshub-4=https://cosmos.example.com',
    isSecret: true,
    roles: ['api', 'cosigner'],
  },
  COSIGNER_NAME: {
    meaning: 'the co-signer’s name, which every signature of a frame and every share record cover; it never changes',
    form: 'a text',
    usual: '(in DEV localhost; has to be given elsewhere)',
    example: 'example.com',
  },
  COSIGNER_THREADS: {
    meaning: 'how many threads compute',
    form: 'a number from 1 to 999',
    usual: '(one for each core)',
    example: '4',
    roles: ['cosigner'],
  },
  TRUSTED_PROXIES: {
    meaning: 'proxies whose `x-forwarded-for` is believed; without them all users behind one share its limits',
    form: 'addresses and ranges, separated by commas',
    usual: '(none)',
    example: '10.0.0.1,10.1.0.0/16',
  },
  RATE_IPV4_PREFIX: {
    meaning: 'how many bits of an IPv4 address are one network in limits',
    form: 'a number from 1 to 32',
    usual: '32',
    example: '24',
  },
  RATE_IPV6_PREFIX: {
    meaning: 'the same of an IPv6 address',
    form: 'a number from 1 to 128',
    usual: '64',
    example: '56',
  },
  AUDIT_DAYS: days('how long audit records are kept', '365'),
  UNVERIFIED_USER_DAYS: days('how long users are kept who never proved their mailbox', '30'),
  FAILPOINT: {
    meaning: 'for tests: where the process dies; not in PROD',
    form: 'name@n',
    usual: '(nowhere)',
    example: 'keygen.commit.after@2',
  },
  LOG_LEVEL: {
    meaning: 'what is logged',
    form: 'silent, error, warn, info or debug',
    usual: 'info',
    example: 'debug',
    reloads: true,
  },
}

const rateNames = Object.keys(defaultRates) as readonly RateName[]
const all = new Map([...Object.entries(settings), ...rateNames.map((name) => [`RATE_${name}`, rate(name)] as const)])

/** Undefined for a name that is no setting. A test holds that each setting that is read has a row. */
export const settingOf = (name: string): Setting | undefined => all.get(name)

/** Those that may be given by a file instead (`<NAME>_FILE`). */
export const secretNames: readonly string[] = Object.entries(settings).flatMap(([name, { isSecret }]) =>
  isSecret === true ? [name] : [],
)
