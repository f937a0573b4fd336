/** D09 to D11: the public addresses. */
import { lookup } from 'node:dns/promises'
import { connect } from 'node:tls'
import type { Configuration } from '../../service/config.ts'
import { answerWithinMs, codeOf, type Fault } from './Check.ts'

const day = 24 * 60 * 60_000
const warnDays = 14

/** The certificate's issuer, where it is not one that Node knows. */
type Trusted = { readonly ca?: string }

/** The addresses of DEV are those of this machine. */
export const checkHosts = async (
  { environment, hosts }: Configuration,
  trusted: Trusted = {},
): Promise<readonly Fault[]> => {
  if (environment === 'DEV') return []
  const origins = [...new Set(Object.values(hosts))]
  return (await Promise.all(origins.map((origin) => checkOrigin(origin, Date.now(), trusted)))).flat()
}

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
    return [
      { code: 'D10', sentence, fix: 'See that the proxy runs, and that its certificate is of this host and complete.' },
    ]
  }
  const days = Math.floor((end - now) / day)
  if (days >= warnDays) return []
  return [
    {
      code: 'D11',
      sentence: `The certificate of ${origin} ends in ${days} days.`,
      fix: 'Renew it, and reload the proxy.',
    },
  ]
}

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
