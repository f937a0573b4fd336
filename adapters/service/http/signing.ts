import * as Effect from 'effect/Effect'
import type { HandlersOf, Input, Success } from '../../../generated/handlers.ts'
import * as refreshes from '../../../domain/service/refreshes.ts'
import * as flows from '../../../domain/service/signing.ts'
import type { Incoming } from './Incoming.ts'

type Signature = Success<'signMessage'>['signature']

export const signing = {
  signMessage: ({ path, body }: Input<'signMessage'>) =>
    Effect.map(flows.signMessage(path.userId, path.walletId, body), answer),
  signTransaction: ({ path, body }: Input<'signTransaction'>) =>
    Effect.map(flows.signTransaction(path.userId, path.walletId, body), answer),
  sendTransaction: ({ path, body }: Input<'sendTransaction'>) =>
    Effect.map(flows.sendTransaction(path.userId, path.walletId, body), answer),
  refreshKeys: ({ path }: Input<'refreshKeys'>) => refreshes.refreshKeys(path.userId, path.walletId),
  getRefreshDone: ({ path, query }: Input<'getRefreshDone'>) =>
    refreshes.getRefreshDone(path.userId, path.walletId, query?.protocolId),
} satisfies Partial<HandlersOf<'signing', Incoming, unknown>>

/** Success without fields, or the signature once the service knows it (domain/service/README.md#signing-requests). */
const answer = ({ signature }: { readonly signature: Signature }) => (signature === undefined ? {} : { signature })
