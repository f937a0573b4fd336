import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import type { SigningRequest } from '../mpc/SigningRequest.ts'
import { SigningFailed } from '../model/Account.ts'
import * as CosmosMessage from '../model/CosmosMessage.ts'
import * as Events from '../model/Events.ts'
import { typeOf, type Wallet } from '../model/Wallet.ts'
import { Events as HostEvents } from './ports/Events.ts'
import { sign } from './sign.ts'
import { selectWallet } from './wallets.ts'

/**
 * Signs a message as its chain has it: EIP-191 for EVM, ADR-036 for Cosmos, the bytes themselves for Solana. Without a
 * wallet id it is the first usable one of the current wallets.
 */
export const signMessage = Effect.fn('signing.signMessage')(function* (
  walletId: string | undefined,
  message: Uint8Array,
) {
  const wallet = yield* selectWallet(walletId)
  const events = yield* HostEvents
  const signed = yield* sign(wallet.id, requestOf(wallet, message)).pipe(
    Effect.catchTags({
      ProtocolAborted: failed(wallet),
      WorkerFailed: failed(wallet),
      OperationTimedOut: failed(wallet),
    }),
    Effect.tapError((error) => events.emit(Events.signMessage, { data: { walletId: wallet.id }, error })),
  )
  yield* events.emit(Events.signMessage, { data: { walletId: wallet.id } })
  return { wallet, signature: signed.signature }
})

const failed = (wallet: Wallet) => (cause: unknown) =>
  Effect.fail(new SigningFailed({ userId: wallet.userId ?? '', walletId: wallet.id, cause }))

const requestOf = (wallet: Wallet, message: Uint8Array): SigningRequest => {
  switch (typeOf(wallet)) {
    case 'EVM':
      return { kind: 'eip191', message: bytesToHex(message) }
    case 'SOLANA':
      return { kind: 'solanaMessage', message: bytesToHex(message) }
    case 'COSMOS':
      return { kind: 'cosmosAmino', signDoc: bytesToHex(CosmosMessage.signDoc(wallet.address ?? '', message)) }
  }
}
