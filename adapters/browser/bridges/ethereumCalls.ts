/** Batches of calls (EIP-5792), version 2.0.0. They are sent one after the other, and stop at the first failure. */
import { codes, RpcError, toRpcError } from './RpcError.ts'
import { duplicate, makeLocks } from './ethereumLocks.ts'
import type { Bundle, StateStore } from './ethereumState.ts'
import type { Ask } from './ethereumTransactions.ts'
import { fieldsOf, invalid, quantityOf, type Fields, type Hex } from './ethereumValues.ts'
import type { Account } from './sessionWallets.ts'

type Parts = {
  readonly state: StateStore
  /** The account of a batch, `current` where it names none; fails with 4100 for another's address. */
  readonly own: (address: unknown, current: Hex) => Account
  /** Fails with 5710 for a chain that is not known. */
  readonly chainOf: (chainId: unknown) => number
  readonly ask: (chainId: number) => Ask
  /** Fails with 4901 after `willSend` where it is not known whether the call was sent. */
  readonly send: (call: object, how: Sending) => Promise<unknown>
}

type Sending = {
  readonly chainId: number
  readonly from: Hex
  readonly block: 'latest' | 'pending'
  /** Is told the hash before a node gets the transaction. */
  readonly willSend: (hash: Hex) => void
}

const version = '2.0.0'
const maximumCalls = 32
const maximumBundles = 64

export const makeCalls = ({ state, own, chainOf, ask, send }: Parts) => {
  const locks = makeLocks()
  const bundles = () => state.get().bundles ?? {}

  const othersThan = (id: string) => Object.entries(bundles()).filter(([known]) => known !== id)
  const keep = (id: string, bundle: Bundle) => {
    state.set({ bundles: Object.fromEntries([...othersThan(id).slice(1 - maximumBundles), [id, bundle]]) })
  }
  const forget = (id: string) => {
    state.set({ bundles: Object.fromEntries(othersThan(id)) })
  }

  const known = (id: unknown): Bundle => {
    const bundle = typeof id === 'string' && Object.hasOwn(bundles(), id) ? bundles()[id] : undefined
    if (bundle === undefined) throw new RpcError(codes.unknownBundle, 'no batch of calls has this id')
    return bundle
  }

  const sendCalls = ([given]: readonly unknown[], current: Hex) => {
    const batch = fieldsOf(given, 'the batch')
    if (batch['version'] !== version) throw invalid(`batches of calls have version ${version}`)
    const { address: from } = own(batch['from'], current)
    const chainId = chainOf(batch['chainId'])
    const id = batch['id'] ?? crypto.randomUUID()
    if (typeof id !== 'string' || id.length > 8_194) throw invalid('the id of a batch is text of 4096 bytes at most')
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

    return locks.alone(id, async () => {
      if (Object.hasOwn(bundles(), id)) throw duplicate()
      await sendAll(id, { chainId, from, calls: read })
      return { id }
    })
  }

  /** The id is taken before anything is awaited, and free again if nothing was sent. */
  const sendAll = async (id: string, { chainId, from, calls }: Batch) => {
    const hashes: string[] = []
    const store = () => keep(id, { chainId, hashes, calls: calls.length })
    const willSend = (hash: Hex) => {
      hashes.push(hash)
      store()
    }
    store()
    for (const [index, { to, data, value }] of calls.entries()) {
      try {
        await send({ to, data, value }, { chainId, from, block: index === 0 ? 'latest' : 'pending', willSend })
      } catch (error) {
        const maySent = toRpcError(error).code === codes.chainDisconnected
        if (!maySent) hashes.splice(index)
        if (hashes.length === 0) forget(id)
        else store()
        // What was sent cannot be taken back: the status of the batch says so.
        if (index === 0) throw error
        return
      }
    }
  }

  const getCallsStatus = async ([id]: readonly unknown[]) => {
    const bundle = known(id)
    const { chainId, hashes, calls } = bundle
    // Asked after it was read: where no page is at it any more, no call follows.
    const isSending = await locks.isSending(String(id))
    const asked = hashes.map((hash) => ask(chainId)('eth_getTransactionReceipt', [hash]))
    const receipts = (await Promise.all(asked)).flatMap((receipt) =>
      receipt === null ? [] : [fieldsOf(receipt, 'a receipt')],
    )
    const succeeded = receipts.filter((receipt) => quantityOf(receipt['status']) === 1n).length
    // Its last calls may have been sent since it was read.
    const isSame = JSON.stringify(known(id)) === JSON.stringify(bundle)
    const status = () => {
      if (isSending || !isSame || receipts.length < hashes.length) return statuses.pending
      if (hashes.length === 0) return statuses.notSent
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

type Batch = { readonly chainId: number; readonly from: Hex; readonly calls: readonly Fields[] }

const statuses = { pending: 100, confirmed: 200, notSent: 400, reverted: 500, partlyReverted: 600 }

const refuseRequired = (capabilities: unknown) => {
  if (capabilities === undefined) return
  for (const [name, capability] of Object.entries(fieldsOf(capabilities, 'capabilities'))) {
    if (fieldsOf(capability, name)['optional'] !== true) {
      throw new RpcError(codes.unsupportedCapability, `the capability ${name} is not supported`)
    }
  }
}
