import { InvalidArgumentError, Option } from 'commander'
import type { Verb } from './Verb.ts'

const onOff = (name: string, says: string) => new Option(`--${name} <on|off>`, says).choices(['on', 'off'])

/** Several, each after the option's name again or beside the one before. */
const several = (name: string, of: string, says: string) => new Option(`--${name} <${of}...>`, says)

const settings = () => [
  new Option('--portal-url <URL>', 'a portal host of its own, beside the deployment’s; none takes it away'),
  several('return-url', 'URL', 'where a redirect may end'),
  several('auth-method', 'METHOD', 'how its users authenticate: PASSWORD, PASSKEY'),
  several('wallet-type', 'TYPE', 'the wallets of its users: EVM, SOLANA, COSMOS'),
  new Option('--cosmos-prefix <PREFIX>', 'of its users’ Cosmos addresses'),
  new Option('--theme <FILE>', 'how the portal looks for its users, as JSON'),
  onOff('strict', 'hides who has an account'),
  onOff('exports', 'whether its users may export private keys'),
  onOff('delegations', 'whether its users may hand sessions to servers'),
  onOff('allows-no-origin', 'accepts requests without an origin in BETA and PROD'),
  onOff('allows-unproven-clients', 'accepts clients that cannot prove their page in BETA and PROD'),
]

const days = 24 * 60
const units: Readonly<Record<string, number>> = { m: 1, h: 60, d: days }

/** In milliseconds, as text. */
const readOverlap = (text: string): string => {
  const [, count = '', unit = ''] = /^([0-9]{1,5})([mhd])$/.exec(text) ?? []
  const minutes = text === '0' ? 0 : Number(count) * (units[unit] ?? Number.NaN)
  if (!(minutes <= 30 * days)) throw new InvalidArgumentError('It has to be a time like 30m, 24h or 7d, at most 30d.')
  return String(minutes * 60_000)
}

export const partnerVerbs: readonly Verb[] = [
  {
    name: 'partner create',
    takes: [],
    says: 'a new partner with a key of each kind, which are shown once',
    options: () => [
      new Option('--name <NAME>', 'what its users see').makeOptionMandatory(),
      several('origin', 'ORIGIN', 'of its pages, exactly as a browser sends it').makeOptionMandatory(),
      ...settings(),
    ],
    changes: true,
    run: async (call) => (await import('./partner.ts')).create(call),
  },
  {
    name: 'partner list',
    takes: [],
    says: 'all partners of this deployment',
    run: async (call) => (await import('./partner.ts')).list(call),
  },
  {
    name: 'partner show',
    takes: ['PARTNER'],
    says: 'the settings of a partner',
    run: async (call) => (await import('./partner.ts')).show(call),
  },
  {
    name: 'partner set',
    takes: ['PARTNER'],
    says: 'changes the settings that are named',
    options: () => [new Option('--name <NAME>', 'what its users see'), ...settings()],
    changes: true,
    run: async (call) => (await import('./partner.ts')).set(call),
  },
  {
    name: 'partner set-origins',
    takes: ['PARTNER', 'ORIGIN…'],
    says: 'the origins of its pages, in the place of those that it has',
    options: () => [new Option('--add', 'beside those that it has')],
    changes: true,
    run: async (call) => (await import('./partner.ts')).setOrigins(call),
  },
  {
    name: 'partner freeze',
    takes: ['PARTNER'],
    says: 'refuses all its calls, and signs nothing for its users',
    changes: true,
    run: async (call) => (await import('./partner.ts')).freeze(call),
  },
  {
    name: 'partner unfreeze',
    takes: ['PARTNER'],
    says: 'ends a freeze',
    changes: true,
    run: async (call) => (await import('./partner.ts')).unfreeze(call),
  },
  {
    name: 'partner keys list',
    takes: ['PARTNER'],
    says: 'its keys: kind, day of the last use, end',
    run: async (call) => (await import('./partnerKeys.ts')).list(call),
  },
  {
    name: 'partner keys create',
    takes: ['PARTNER'],
    says: 'another key, which is shown once',
    options: () => [
      new Option('--kind <KIND>', 'for the app, or for the partner’s server')
        .choices(['publishable', 'secret'])
        .makeOptionMandatory(),
    ],
    changes: true,
    run: async (call) => (await import('./partnerKeys.ts')).create(call),
  },
  {
    name: 'partner keys rotate',
    takes: ['PARTNER', 'KEY'],
    says: 'a new key of the same kind; the old one ends after the overlap',
    options: () => [
      new Option('--overlap <TIME>', 'how long the old one stays')
        .default(readOverlap('24h'), '24h')
        .argParser(readOverlap),
    ],
    changes: true,
    run: async (call) => (await import('./partnerKeys.ts')).rotate(call),
  },
  {
    name: 'partner keys revoke',
    takes: ['PARTNER', 'KEY'],
    says: 'ends a key at once',
    changes: true,
    asks: ([, key = '']) => `who uses key ${key} is refused from now on.`,
    run: async (call) => (await import('./partnerKeys.ts')).revoke(call),
  },
]
