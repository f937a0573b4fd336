/** A payment goes on with the same transaction until it is known what became of it: another one could pay twice. */
import type { Hex } from 'viem'

/** A payment whose end is not known. `mayBePaid`: it may have reached the chain. */
export type Started = { readonly transaction: Hex; readonly hash: Hex | undefined; readonly mayBePaid: boolean }

type Steps = {
  readonly make: () => Promise<Hex>
  /** Gives the hash. */
  readonly send: (transaction: Hex) => Promise<Hex>
  /** The block, or nothing if the chain refused it. */
  readonly mined: (hash: Hex) => Promise<bigint | undefined>
  /** Whether a transaction with its nonce was mined, which may be this payment in another form. */
  readonly isNonceUsed: (transaction: Hex) => Promise<boolean>
}

export type Outcome =
  | { readonly name: 'paid'; readonly hash: Hex; readonly block: bigint }
  | { readonly name: 'held'; readonly started: Started; readonly review: string }
  | { readonly name: 'unknown'; readonly started: Started; readonly reason: string }

/** Fails where nothing was paid. */
export const pay = async (before: Started | undefined, { make, send, mined, isNonceUsed }: Steps): Promise<Outcome> => {
  const transaction = before?.transaction ?? (await make())
  let hash = before?.hash
  const look = async (of: Hex) => ({ hash: of, block: await mined(of) })
  const sendAndLook = async () => look((hash = await send(transaction)))
  let ended: Awaited<ReturnType<typeof look>>
  try {
    // A node may have dropped what it took. What is sent again has the same nonce, and is paid once at most.
    ended = await (hash === undefined ? sendAndLook() : look(hash).catch(sendAndLook))
  } catch (error) {
    const wasSent = hash !== undefined || before?.mayBePaid === true
    // The node has no transaction of this payment, as far as the service knows of them.
    if (codeOf(error) === 'BroadcastRefused' && !(wasSent && (await isNonceUsed(transaction).catch(() => true))))
      throw error
    const mayBePaid = wasSent || isUnknown(error)
    const started = { transaction, hash, mayBePaid }
    const review = reviewOf(error)
    if (review !== undefined) return { name: 'held', started, review }
    if (!mayBePaid) throw error
    return { name: 'unknown', started, reason: reasonOf(error) }
  }
  const { block } = ended
  if (block === undefined) throw new Error('the chain refused the payment')
  return { name: 'paid', hash: ended.hash, block }
}

/** The first line of what viem or the SDK says. */
export const reasonOf = (error: unknown): string => {
  const [line = ''] = error instanceof Error ? error.message.split('\n') : []
  return line.replace(/\.$/, '') || 'the reason is not known'
}

/** What the customer reads where a signature failed. */
export const signingProblem = (error: Error): string =>
  codeOf(error) === 'TransactionReviewUsed'
    ? 'Another window may have signed this already. Look there before you sign it again.'
    : `Nothing was signed: ${error.message}. Try again.`

const isUnknown = (error: unknown): boolean =>
  codeOf(error) === 'TransactionNotSent' || codeOf(error) === 'OperationTimedOut'

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

/** The address of the review that a payment needs first. */
const reviewOf = (error: unknown): string | undefined =>
  error instanceof Error && error.name === 'TransactionReviewError' && 'transactionReviewUrl' in error
    ? String(error.transactionReviewUrl)
    : undefined
