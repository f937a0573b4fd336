/** What a step checks of its input before anything is computed, for both schemes. */
import { sha256 } from '@noble/hashes/sha2.js'
import { equal } from '../crypto/Equal.ts'
import type { Context, Scheme, ServerInput } from './Protocol.ts'
import type { Role, ShareRecord } from './ShareRecord.ts'
import { demand, present } from './Stop.ts'

/** Step n has seen n requests, the last of them this one: what a step draws is bound to all of them. */
export const demandRequests = (input: ServerInput, step: number): void => {
  demand(input.seed.length === 32, 'seed')
  demand(input.requestHashes.length === step, 'number of requests')
  demand(
    input.requestHashes.every((digest) => digest.length === 32),
    'request hash',
  )
  demand(equal(present(input.requestHashes[step - 1], 'request hash'), sha256(input.request)), 'request hash')
}

/** The input as the first step had it, with which a later step draws the same again. */
export const firstStep = (input: ServerInput): ServerInput => ({
  ...input,
  requestHashes: input.requestHashes.slice(0, 1),
})

/** The party's own share, if it is of the scheme, role, wallet, epoch and sharing of the context. */
export const shareOfContext = (
  input: { readonly context: Context; readonly share?: ShareRecord },
  scheme: Scheme,
  role: Role,
): ShareRecord => {
  const { context } = input
  const share = present(input.share, 'no share')
  demand(share.scheme === scheme && share.role === role, 'share of another scheme or role')
  demand(share.walletId === context.walletId && share.epoch === context.epoch, 'share of another wallet or epoch')
  demand(equal(share.shareId, context.shareId), 'share of another sharing')
  return share
}
