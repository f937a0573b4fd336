/**
 * Wallets made for an identifier before its user exists (domain/service/README.md#pregenerated-wallets). None can be
 * made yet.
 */
import * as Effect from 'effect/Effect'
import { InvalidAuthObject } from '../model/Identity.ts'
import { isPregenIdentifierType } from '../model/Wallet.ts'
import { callersPartner } from './partners.ts'
import type { WalletRecord } from './Wallet.ts'

/** Always empty. A wallet that the client cannot claim would stop its login. */
export const listPregenWallets = Effect.fn('pregen.listPregenWallets')(function* (
  ids: Readonly<Record<string, readonly string[]>>,
) {
  yield* callersPartner
  if (!Object.keys(ids).every(isPregenIdentifierType)) return yield* new InvalidAuthObject()
  const none: readonly WalletRecord[] = []
  return none
})
