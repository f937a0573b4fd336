/** Security headers of pages: what they may load and connect to, and that no other page may frame them. */
import type { Environment, Hosts } from '../../../domain/model/Environment.ts'

export type HeaderValues = Readonly<Record<string, string>>

export type Policy = {
  /** Origins beside its own that the page may connect to. */
  readonly connect: readonly string[]
  /** Sources of workers beside the page's own origin. */
  readonly worker?: readonly string[]
  /** Whether forms may be sent to the page's own origin; else they may not be sent at all. */
  readonly forms?: boolean
}

const contentPolicy = ({ connect, worker = [], forms = false }: Policy): string =>
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

/** Portal pages connect to the API alone, never to the co-signer. */
export const servicePolicy = (hosts: Pick<Hosts, 'api'>): Policy => ({ connect: [hosts.api] })

/** A page that makes new key shares connects to the co-signer as well. */
export const walletsPolicy = (hosts: Pick<Hosts, 'api' | 'cosigner'>): Policy => ({
  connect: [hosts.api, hosts.cosigner],
})

/** Two years, long enough for the preload lists of browsers. */
const transportSecurity = `max-age=${2 * 365 * 24 * 60 * 60}`

/**
 * Headers of every answer of a listener that serves pages. `unsafe-none`, because a popup needs its opener for the
 * handshake in which it proves it.
 */
export const pageHeaders = (policy: Policy, environment: Environment): HeaderValues => ({
  'content-security-policy': contentPolicy(policy),
  'cross-origin-opener-policy': 'unsafe-none',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': permissions,
  'referrer-policy': 'no-referrer',
  ...transport(environment),
})

/**
 * Headers of the files that workers on partners' pages load. Their names are fixed, so browsers revalidate them. The
 * policy applies to the worker, which is one of the files and loads the others.
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

/** Passkeys and writing to the clipboard on the page itself; no other permission. */
const permissions = [
  'publickey-credentials-create=(self)',
  'publickey-credentials-get=(self)',
  'clipboard-write=(self)',
  ...['camera', 'clipboard-read', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb'].map(
    (name) => `${name}=()`,
  ),
].join(', ')
