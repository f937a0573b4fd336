/** Batches of calls (EIP-5792), version 2.0.0. They are sent one after the other, and stop at the first failure. */
import { codes, RpcError } from './RpcError.ts'
import type { Bundle, StateStore } from './ethereumState.ts'
import type { Ask } from './ethereumTransactions.ts'
import { fieldsOf, invalid, quantityOf } from './ethereumValues.ts'

type Parts = {
  readonly state: StateStore
  /** Fails with 4100 for another's address. */
  readonly requireOwn: (address: unknown) => unknown
  /** Fails with 5710 for a chain that is not known. */
  readonly chainOf: (chainId: unknown) => number
  readonly ask: (chainId: number) => Ask
  readonly send: (call: object, chainId: number, block: 'latest' | 'pending') => Promise<string>
}

const version = '2.0.0'
const maximumCalls = 32
const maximumBundles = 64

export const makeCalls = ({ state, requireOwn, chainOf, ask, send }: Parts) => {
  const bundles = () => state.get().bundles ?? {}

  const keep = (id: string, bundle: Bundle) => {
    const others = Object.entries(bundles()).filter(([known]) => known !== id)
    state.set({ bundles: Object.fromEntries([...others.slice(1 - maximumBundles), [id, bundle]]) })
  }

  const known = (id: unknown): Bundle => {
    const bundle = typeof id === 'string' && Object.hasOwn(bundles(), id) ? bundles()[id] : undefined
    if (bundle === undefined) throw new RpcError(codes.unknownBundle, 'no batch of calls has this id')
    return bundle
  }

  const sendCalls = async ([given]: readonly unknown[]) => {
    const batch = fieldsOf(given, 'the batch')
    if (batch['version'] !== version) throw invalid(`batches of calls have version ${version}`)
    if (batch['from'] !== undefined) requireOwn(batch['from'])
    const chainId = chainOf(batch['chainId'])
    const id = batch['id'] ?? crypto.randomUUID()
    if (typeof id !== 'string' || id.length > 8_194) throw invalid('the id of a batch is text of 4096 bytes at most')
    if (Object.hasOwn(bundles(), id)) throw new RpcError(codes.duplicateId, 'the id was used for another batch')
    const { calls } = batch
    if (!Array.isArray(calls) || calls.length === 0) throw invalid('a batch has at least one call')
    if (calls.length > maximumCalls) {
      throw new RpcError(codes.bundleTooLarge, `a batch has ${maximumCalls} calls at most`)
    }
    if (batch['atomicRequired'] === true && calls.length > 1) {
      throw new RpcError(codes.atomicityNotSupported, 'calls are sent one after the other, not as one')
    }
    const read = calls.map((call: unknown) => fieldsOf(call, 'a call'))
    for (const { capabilities } of [batch, ...read]) refuseRequired(capabilities)

    const hashes: string[] = []
    for (const { to, data, value } of read) {
      try {
        hashes.push(await send({ to, data, value }, chainId, hashes.length === 0 ? 'latest' : 'pending'))
      } catch (error) {
        // What was sent cannot be taken back: the status of the batch says so.
        if (hashes.length === 0) throw error
        break
      } finally {
        if (hashes.length > 0) keep(id, { chainId, hashes, calls: calls.length })
      }
    }
    return { id }
  }

  const getCallsStatus = async ([id]: readonly unknown[]) => {
    const { chainId, hashes, calls } = known(id)
    const asked = hashes.map((hash) => ask(chainId)('eth_getTransactionReceipt', [hash]))
    const receipts = (await Promise.all(asked)).flatMap((receipt) =>
      receipt === null ? [] : [fieldsOf(receipt, 'a receipt')],
    )
    const succeeded = receipts.filter((receipt) => quantityOf(receipt['status']) === 1n).length
    const status = () => {
      if (receipts.length < hashes.length) return statuses.pending
      if (succeeded === 0) return statuses.reverted
      return succeeded === calls ? statuses.confirmed : statuses.partlyReverted
    }
    return {
      version,
      id,
      chainId: `0x${chainId.toString(16)}`,
      status: status(),
      atomic: false,
      receipts: receipts.map(({ logs, status, blockHash, blockNumber, gasUsed, transactionHash }) => ({
        logs,
        status,
        blockHash,
        blockNumber,
        gasUsed,
        transactionHash,
      })),
    }
  }

  return { sendCalls, getCallsStatus, known }
}

const statuses = { pending: 100, confirmed: 200, reverted: 500, partlyReverted: 600 }

const refuseRequired = (capabilities: unknown) => {
  if (capabilities === undefined) return
  for (const [name, capability] of Object.entries(fieldsOf(capabilities, 'capabilities'))) {
    if (fieldsOf(capability, name)['optional'] !== true) {
      throw new RpcError(codes.unsupportedCapability, `the capability ${name} is not supported`)
    }
  }
}
