/** What browsers are told of pages: where from they may load, whom they may ask, who may hold them (security T2, T8). */
import type { Environment, Hosts } from '../../../domain/model/Environment.ts'

export type HeaderValues = Readonly<Record<string, string>>

export type Policy = {
  /** Origins beside the page's own that it may ask. */
  readonly connect: readonly string[]
  /** Where workers may come from, beside the page's own origin. */
  readonly worker?: readonly string[]
  /** Whether forms may be sent to the page's own origin: else to nowhere. */
  readonly forms?: boolean
}

export const contentPolicy = ({ connect, worker = [], forms = false }: Policy): string =>
  [
    `default-src 'none'`,
    `script-src 'self' 'wasm-unsafe-eval'`,
    `style-src 'self'`,
    `font-src 'self'`,
    `img-src 'self' data:`,
    ['connect-src', `'self'`, ...new Set(connect)].join(' '),
    ['worker-src', `'self'`, ...worker].join(' '),
    `base-uri 'none'`,
    `form-action ${forms ? `'self'` : `'none'`}`,
    `frame-ancestors 'none'`,
  ].join('; ')

/** A page of the portal asks the service's API alone: the co-signer has nothing to say to it. */
export const servicePolicy = (hosts: Pick<Hosts, 'api'>): Policy => ({ connect: [hosts.api] })

/** A page that makes new key shares talks to the co-signer as well. */
export const walletsPolicy = (hosts: Pick<Hosts, 'api' | 'cosigner'>): Policy => ({ connect: [hosts.api, hosts.cosigner] })

/** Two years: long enough for the lists that browsers bring with them. */
const transportSecurity = `max-age=${2 * 365 * 24 * 60 * 60}`

/** Of every answer of a listener that serves pages. A popup keeps its opener, which it proves (flows 15). */
export const pageHeaders = (policy: Policy, environment: Environment): HeaderValues => ({
  'content-security-policy': contentPolicy(policy),
  'cross-origin-opener-policy': 'unsafe-none',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': permissions,
  'referrer-policy': 'no-referrer',
  ...transport(environment),
})

/**
 * Of the files that workers of partners' pages load too. Their names stay, so they are asked for again each time. The policy
 * is that of a worker which one of them is: it may load the other.
 */
export const staticHeaders = (environment: Environment): HeaderValues => ({
  'access-control-allow-origin': '*',
  'cache-control': 'no-cache',
  'content-security-policy': `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; frame-ancestors 'none'`,
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  ...transport(environment),
})

const transport = (environment: Environment): HeaderValues =>
  environment === 'DEV' ? {} : { 'strict-transport-security': transportSecurity }

/** Passkeys and copying an address, on the page itself; nothing else that a browser asks its user for. */
const permissions = [
  'publickey-credentials-create=(self)',
  'publickey-credentials-get=(self)',
  'clipboard-write=(self)',
  ...['camera', 'clipboard-read', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb'].map((name) => `${name}=()`),
].join(', ')
