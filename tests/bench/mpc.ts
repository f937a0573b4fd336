/** The protocols, both parties in this process: time, bytes of all messages, requests. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { protocolOf } from '../../domain/mpc/protocols.ts'
import type { Protocol } from '../../domain/mpc/Protocol.ts'
import { contextOf, run, type Outcome, type Setup } from '../mpc/run.ts'
import { keygenSetup, makeWallet, signSetup } from '../mpc/wallet.ts'
import { timed, type Row } from './rows.ts'

const runs = 20

/** The confirming call of a key generation is a request too. */
const traffic = ({ positions }: Outcome) => ({
  bytes: positions.reduce((sum, { message }) => sum + message.length, 0),
  requests: positions.filter(({ to }) => to === 'server').length,
})

const present = (protocol: Protocol | undefined): Protocol => {
  if (protocol === undefined) throw new Error('there is no such protocol')
  return protocol
}

export const mpc = (): readonly Row[] => {
  const scalar = secp256k1.Point.Fn.fromBytes(secp256k1.utils.randomSecretKey())
  const point = secp256k1.Point.BASE.multiply(scalar)
  const multiply = timed(200, () => point.multiply(scalar))
  const row = (name: string, setup: () => Setup): Row => {
    let last: Outcome | undefined
    const figures = timed(runs, () => {
      last = run(setup())
      if (last.stopped !== undefined) throw new Error(`${name} ended with ${last.stopped.reason}`)
    })
    return {
      suite: 'mpc',
      case: name,
      backend: 'noble',
      ...figures,
      units: figures.cpuMs / multiply.cpuMs,
      ...(last === undefined ? {} : traffic(last)),
    }
  }

  const wallet = makeWallet()
  const edwards = edwardsSetups()
  return [
    { suite: 'mpc', case: 'point.multiply', backend: 'noble', ...multiply, units: 1 },
    row('dkls.keygen', () => ({ ...keygenSetup, seed: crypto.randomUUID() })),
    row('dkls.sign', () => signSetup(wallet, crypto.getRandomValues(new Uint8Array(32)), crypto.randomUUID())),
    row('ed25519.keygen', edwards.keygen),
    row('ed25519.sign', edwards.sign),
  ]
}

const edwardsSetups = () => {
  const context = contextOf('keygen', { scheme: 'ED25519' })
  const keygen = (): Setup => ({
    protocol: present(protocolOf('ED25519', 'keygen')),
    client: { context },
    server: { context },
    seed: crypto.randomUUID(),
  })
  const { client, server } = run(keygen())
  if (client?.share === undefined || server?.share === undefined) throw new Error('ED25519 key generation failed')
  const signing = {
    ...context,
    kind: 'sign' as const,
    shareId: client.share.shareId,
    payload: { message: new Uint8Array(32), class: 'solanaMessage' },
  }
  const sign = (): Setup => ({
    protocol: present(protocolOf('ED25519', 'sign')),
    client: { context: signing, ...(client.share === undefined ? {} : { share: client.share }) },
    server: { context: signing, ...(server.share === undefined ? {} : { share: server.share }) },
    seed: crypto.randomUUID(),
  })
  return { keygen, sign }
}
