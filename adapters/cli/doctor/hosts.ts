/** D09 to D11, D32 and D33: the public addresses, and the proxy that answers there. */
import { lookup } from 'node:dns/promises'
import { request } from 'node:https'
import { connect } from 'node:tls'
import type { Configuration } from '../../service/config.ts'
import { counted } from '../../service/counted.ts'
import { answerWithinMs, codeOf, type Fault } from './Check.ts'
import { isRunning } from './machine.ts'

const day = 24 * 60 * 60_000
const warnDays = 14

/** The certificate's issuer, where it is not one that Node knows. */
type Trusted = { readonly ca?: string }

/** The addresses of DEV are those of this machine. */
export const checkHosts = async (configuration: Configuration, trusted: Trusted = {}): Promise<readonly Fault[]> => {
  const { environment, hosts } = configuration
  if (environment === 'DEV') return []
  const origins = [...new Set(Object.values(hosts))]
  const found = await Promise.all(origins.map((origin) => checkOrigin(origin, Date.now(), trusted)))
  const faults = found.flat()
  // What does not answer by TLS is not asked further.
  const asked = new Set([hosts.api, hosts.cosigner].filter((origin) => found[origins.indexOf(origin)]?.length === 0))
  const ofProxy = await Promise.all([...asked].map((origin) => checkProxy(configuration, origin, trusted)))
  return [...faults, ...ofProxy.flat()]
}

/** A body as large as the largest frame (openapi/README.md#frames). */
const largestFrame = 256 * 1024

/** What a page of the portal asks before a call, and a body that the co-signer has to get whole. */
const checkProxy = async (
  configuration: Configuration,
  origin: string,
  trusted: Trusted,
): Promise<readonly Fault[]> => {
  const page = configuration.hosts.portal
  const headers = {
    origin: page,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  }
  const preflight = await answerOf(`${origin}/touch`, { method: 'OPTIONS', headers }, trusted)
  // Before its first start nothing is behind the proxy.
  const isUnanswered = preflight !== undefined && preflight.status >= 502 && preflight.status <= 504
  if (isUnanswered && !(await isRunning(configuration))) return []
  const allowed = preflight?.allowed
  if (allowed !== page)
    return [
      {
        code: 'D32',
        sentence:
          `A preflight of ${page} at ${origin} is answered with ${allowed === undefined ? 'no allowed origin' : `the allowed origin '${allowed}'`} ` +
          `(status ${preflight?.status ?? 'none'}): browsers refuse the service's answers.`,
        fix: 'Have the proxy pass OPTIONS on to the service, and neither add nor remove headers of CORS.',
      },
    ]
  const large = await answerOf(`${origin}/doctor`, { method: 'POST' }, trusted, Buffer.alloc(largestFrame))
  if (large?.status !== 413) return []
  const sentence = `The proxy before ${origin} refuses bodies of 256 KiB: key generations and signatures fail there.`
  return [{ code: 'D33', sentence, fix: 'Set its limit to 512 KiB: client_max_body_size 512k in nginx.' }]
}

type Answer = { readonly status: number; readonly allowed: string | undefined }

const answerOf = (
  url: string,
  options: { readonly method: string; readonly headers?: Readonly<Record<string, string>> },
  { ca }: Trusted,
  body?: Buffer,
): Promise<Answer | undefined> =>
  new Promise((resolve) => {
    const asking = request(url, { ...options, ca, agent: false, timeout: answerWithinMs }, (answer) => {
      answer.resume()
      resolve({ status: answer.statusCode ?? 0, allowed: answer.headers['access-control-allow-origin'] })
      asking.destroy()
    })
    asking.once('timeout', () => asking.destroy())
    asking.once('error', () => resolve(undefined))
    asking.end(body)
  })

const checkOrigin = async (origin: string, now: number, trusted: Trusted): Promise<readonly Fault[]> => {
  const { hostname, port } = new URL(origin)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const isKnown = await lookup(host).then(
    () => true,
    () => false,
  )
  if (!isKnown) {
    const sentence = `${hostname} has no address here: browsers may not find ${origin} either.`
    return [{ code: 'D09', sentence, fix: `Add ${hostname} to the DNS, or correct the setting that names it.` }]
  }
  const end = await certificateEnd(host, Number(port || 443), trusted)
  if (typeof end === 'string') {
    const sentence = `${origin} does not answer by TLS with a certificate that is valid for it (${end}).`
    const fix = ofUnknownIssuer.has(end)
      ? 'Give the proxy the whole chain. If the authority is your own: NODE_EXTRA_CA_CERTS=/path/to/its/certificate.'
      : 'See that the proxy runs, and that its certificate is of this host.'
    return [{ code: 'D10', sentence, fix }]
  }
  const days = Math.floor((end - now) / day)
  if (days >= warnDays) return []
  return [
    {
      code: 'D11',
      sentence: `The certificate of ${origin} ends in ${counted(days, 'day')}.`,
      fix: 'Renew it, and reload the proxy.',
    },
  ]
}

/** What Node says of a certificate whose issuer it does not know, or that is not sent along. */
const ofUnknownIssuer: ReadonlySet<number | string> = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
])

/** When the certificate ends, or the name of what is wrong with the connection. */
const certificateEnd = (host: string, port: number, { ca }: Trusted): Promise<number | string> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, servername: /^[\d.]+$|:/.test(host) ? '' : host, timeout: answerWithinMs, ca })
    const end = (found: number | string) => {
      socket.destroy()
      resolve(found)
    }
    socket.once('secureConnect', () => end(Date.parse(socket.getPeerCertificate().valid_to)))
    socket.once('timeout', () => end('no answer'))
    socket.once('error', (cause) => end(codeOf(cause)))
  })
