/** Wallets made for an identifier before its user exists (flows 11). None can be made yet, so none is found. */
import * as Effect from 'effect/Effect'
import { InvalidAuthObject } from '../model/Identity.ts'
import { isPregenIdentifierType } from '../model/Wallet.ts'
import { callersPartner } from './partners.ts'
import type { Wallet } from './Wallet.ts'

/**
 * Without identifiers there is nothing to find: a list that the client cannot claim would stop its login (facts 5.6).
 */
export const listPregenWallets = Effect.fn('pregen.listPregenWallets')(function* (
  ids: Readonly<Record<string, readonly string[]>>,
) {
  yield* callersPartner
  if (!Object.keys(ids).every(isPregenIdentifierType)) return yield* new InvalidAuthObject()
  const none: readonly Wallet[] = []
  return none
})
