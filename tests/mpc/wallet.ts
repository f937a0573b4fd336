/** One wallet for many tests: made once a file, by the kernel, which computes the same bytes as noble and is faster. */
import { enrol } from '../../domain/mpc/dkls/enrol.ts'
import { keygen } from '../../domain/mpc/dkls/keygen.ts'
import { refresh } from '../../domain/mpc/dkls/refresh.ts'
import { sign } from '../../domain/mpc/dkls/sign.ts'
import type { Context } from '../../domain/mpc/Protocol.ts'
import { kernel } from './kernel.ts'
import { by, contextOf, run, type Outcome, type Party, type Setup } from './run.ts'

export const keygenSetup: Setup = {
  protocol: keygen,
  client: { context: contextOf('keygen') },
  server: { context: contextOf('keygen') },
  seed: 'keygen',
}

/** A party with a share and an OT record. */
export type Holder = Required<Pick<Party, 'context' | 'share' | 'ot'>>

export type Wallet = { readonly keygen: Outcome; readonly client: Holder; readonly server: Holder }

export const makeWallet = (setup: Setup = keygenSetup): Wallet => {
  const outcome = run(by(setup, kernel))
  const { client, server } = outcome
  if (!client?.share || !client.ot || !server?.share || !server.ot || !client.otId) {
    throw new Error(`keygen failed: ${JSON.stringify(outcome.stopped)}`)
  }
  const { context } = setup.client
  const bound = { ...context, shareId: client.share.shareId, otId: client.otId }
  return {
    keygen: outcome,
    client: { context: bound, share: client.share, ot: client.ot },
    server: { context: bound, share: server.share, ot: server.ot },
  }
}

/** A signing run of the wallet. */
export const signSetup = (
  wallet: Pick<Wallet, 'client' | 'server'>,
  digest: Uint8Array,
  seed: string,
  changes: Partial<Context> = {},
): Setup => {
  const payload = { message: digest, class: 'eip191' }
  const of = (party: Holder): Holder => ({
    ...party,
    context: { ...party.context, kind: 'sign', payload, rootPublicKey: new Uint8Array(0), ...changes },
  })
  return { protocol: sign, client: of(wallet.client), server: of(wallet.server), seed }
}

/** An attach of another device to the wallet. */
export const enrolSetup = (wallet: Pick<Wallet, 'client' | 'server'>, seed: string): Setup => {
  const of = ({ context, share }: Holder): Party => ({
    context: { ...context, kind: 'attach', otId: new Uint8Array(0), rootPublicKey: new Uint8Array(0) },
    share,
  })
  return { protocol: enrol, client: of(wallet.client), server: of(wallet.server), seed }
}

/** A refresh of the wallet's shares. */
export const refreshSetup = (
  wallet: Pick<Wallet, 'client' | 'server'>,
  seed: string,
  changes: Partial<Context> = {},
): Setup => {
  const of = ({ context, share }: Holder): Party => ({
    context: { ...context, kind: 'refresh', otId: new Uint8Array(0), rootPublicKey: share.rootPublicKey, ...changes },
    share,
  })
  return { protocol: refresh, client: of(wallet.client), server: of(wallet.server), seed }
}

/** The wallet in the epoch that a refresh began. */
export const refreshed = (
  wallet: Pick<Wallet, 'client' | 'server'>,
  outcome: Outcome,
): Pick<Wallet, 'client' | 'server'> => {
  const { client, server } = outcome
  if (!client?.share || !client.ot || !client.otId || !server?.share || !server.ot) {
    throw new Error(`refresh failed: ${JSON.stringify(outcome.stopped)}`)
  }
  const { epoch, shareId } = client.share
  const context = { ...wallet.client.context, epoch, shareId, otId: client.otId }
  return {
    client: { context, share: client.share, ot: client.ot },
    server: { context, share: server.share, ot: server.ot },
  }
}
