/** Pending transactions whose proof shows that this service wrote them so (domain/service/PendingTransaction.ts). */
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { equal } from '../crypto/Equal.ts'
import { fromHex } from '../crypto/Hex.ts'
import { NotFound } from './NotFound.ts'
import { isLive, provenText, type PendingTransaction } from './PendingTransaction.ts'
import { PendingTransactions } from './ports/PendingTransactions.ts'
import { Vault } from './ports/Vault.ts'
import type { SessionRecord } from './Session.ts'

/** The record with its proof. */
export const prove = (pending: Omit<PendingTransaction, 'proof'>) =>
  Effect.map(proofOf(pending), (proof): PendingTransaction => ({ ...pending, proof }))

export const isProven = (pending: PendingTransaction) =>
  Effect.map(proofOf(pending), (proof) => equal(fromHex(pending.proof) ?? new Uint8Array(0), hexToBytes(proof)))

/** Of that id, or none where its row was not written so by this service. */
export const proven = Effect.fn('pendingTransactions.proven')(function* (id: string) {
  const found = Option.getOrUndefined(yield* (yield* PendingTransactions).find(id))
  return found !== undefined && (yield* isProven(found)) ? Option.some(found) : Option.none()
})

/** The live review that a page is opened for, if it is the session's user's. */
export const reviewable = Effect.fn('pendingTransactions.reviewable')(function* (
  session: Pick<SessionRecord, 'state' | 'userId' | 'partnerId'>,
  id: string,
) {
  const pending = Option.getOrUndefined(yield* proven(id))
  const isTheirs = pending?.userId === session.userId && pending.partnerId === session.partnerId
  if (!isTheirs || session.state !== 'AUTHENTICATED') return yield* new NotFound()
  return isLive(pending, yield* Clock.currentTimeMillis) ? pending : yield* new NotFound()
})

const proofOf = (pending: Omit<PendingTransaction, 'proof'>) =>
  Effect.map(Vault, ({ mac }) => mac('pending transaction', provenText(pending)))
