/**
 * What the message of a Solana transaction says. The library's decoder reads bytes that no runtime would; a message is
 * taken only if the decoded form is encoded to the same bytes again, and passes the checks with which a runtime begins.
 * Accounts of lookup tables stay unknown: tables are not resolved. Version 1 is refused
 * (domain/mpc/README.md#what-is-signed).
 */
import {
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  type LegacyCompiledTransactionMessage,
  type V0CompiledTransactionMessage,
} from '@solana/transaction-messages'
import { equal } from '../../crypto/Equal.ts'

export type Message = (LegacyCompiledTransactionMessage | V0CompiledTransactionMessage) & {
  /** The hash of a recent block, or what a nonce account holds. */
  readonly lifetimeToken: string
}

/** The accounts whose signatures the transaction needs, the fee payer first; `undefined` if it is no valid message. */
export const requiredSigners = (bytes: Uint8Array): readonly string[] | undefined => {
  const message = readMessage(bytes)
  return message?.staticAccounts.slice(0, message.header.numSignerAccounts)
}

/** `undefined` if the bytes are no valid message of a transaction. */
export const readMessage = (bytes: Uint8Array): Message | undefined => {
  if (bytes.length > maximumLength) return undefined
  try {
    const message = decoder.decode(bytes)
    if (message.version === 1 || !equal(Uint8Array.from(encoder.encode(message)), bytes)) return undefined
    return isSound(message) ? message : undefined
  } catch {
    return undefined
  }
}

const decoder = getCompiledTransactionMessageDecoder()
const encoder = getCompiledTransactionMessageEncoder()

/**
 * As a runtime's sanitisation: a writable fee payer that is no program, programs among the accounts of the message
 * itself, no index beyond the accounts, none of them twice.
 */
const isSound = (message: Message): boolean => {
  const { header, staticAccounts, instructions } = message
  const { numSignerAccounts: signers, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header
  const lookups = (message.version === 0 ? message.addressTableLookups : undefined) ?? []
  const loaded = lookups.map(({ writableIndexes, readonlyIndexes }) => writableIndexes.length + readonlyIndexes.length)
  const accounts = loaded.reduce((sum, count) => sum + count, staticAccounts.length)
  return (
    signers + numReadonlyNonSignerAccounts <= staticAccounts.length &&
    numReadonlySignerAccounts < signers &&
    new Set(staticAccounts).size === staticAccounts.length &&
    loaded.every((count) => count > 0) &&
    accounts <= maximumAccounts &&
    instructions.every(
      ({ programAddressIndex, accountIndices = [] }) =>
        programAddressIndex > 0 &&
        programAddressIndex < staticAccounts.length &&
        accountIndices.every((index) => index < accounts),
    )
  )
}

/** What a packet of the network carries, with the signatures. */
const maximumLength = 1232

/** An index is one byte. */
const maximumAccounts = 256
