/** Batches of calls and queued transactions of a provider: each is sent once, and by the account that asked for it. */
import { keccak256, type Hex } from 'viem'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  toEthereumProvider,
  type EthereumOptions,
  type EthereumSdk,
  type RpcRequest,
} from '../../adapters/browser/bridges/ethereum.ts'
import { makeStore } from '../../adapters/browser/store.ts'
import type { SessionSnapshot } from '../../domain/model/SessionSnapshot.ts'
import { makeStorage } from '../service/people.ts'

type KeptIn = NonNullable<EthereumOptions['storage']>
type Batch = { readonly id: string; readonly status: number; readonly receipts: readonly object[] }

const to: Hex = '0x000000000000000000000000000000000000dEaD'

const memory = () => makeStorage().override.local as KeptIn

/** As a page finds it that is loaded again while the other still is there. */
const copyOf = (storage: KeptIn): KeptIn => {
  const copy = memory()
  copy.setItem('@tandem/ethereum', storage.getItem('@tandem/ethereum') ?? '{}')
  return copy
}

const sessionOf = (name: 'ada' | 'ben'): SessionSnapshot => {
  const address = `0x${(name === 'ada' ? 'aa' : 'bb').repeat(20)}`
  return { status: 'ready', userId: name, wallets: [{ id: name, type: 'EVM', scheme: 'DKLS', address }] }
}

const silence = async () => {
  throw new Error('fetch failed')
}
const refusal = async () => {
  throw Object.assign(new Error('insufficient funds'), { code: -32_003 })
}

/** A review that ends when the test says so. */
const makeReview = () => {
  let end: () => void = () => undefined
  const over = new Promise<undefined>((resolve) => (end = () => resolve(undefined)))
  return { wait: () => over, end: () => end() }
}

let nextId = 0

describe.each(['without Web Locks', 'with Web Locks'])('a provider %s', (kind) => {
  beforeEach(() => {
    nextId += 1
    // Node has the locks of browsers.
    if (kind === 'with Web Locks') vi.stubGlobal('window', { navigator: { locks: navigator.locks } })
  })
  afterEach(() => vi.unstubAllGlobals())

  const world = () => {
    const session = makeStore(sessionOf('ada'))
    const raw: Hex[] = []
    const receipts = new Map<string, object>()
    /** What comes of each signature and of each sending, in order; later ones are granted. */
    const reviews: (() => Promise<undefined>)[] = []
    const answers: (() => Promise<unknown>)[] = []
    const signTransaction = vi.fn(async (_: { readonly walletId?: string | undefined }) => {
      await reviews.shift()?.()
      return { r: '0x1', s: '0x1', yParity: 0 }
    })
    const para = { session, signTransaction } as unknown as EthereumSdk
    const request = async ({ method, params }: RpcRequest): Promise<unknown> => {
      const [first] = params as readonly [Hex]
      switch (method) {
        case 'eth_sendRawTransaction':
          raw.push(first)
          return (await answers.shift()?.()) ?? '0x'
        case 'eth_getTransactionReceipt':
          return receipts.get(first) ?? null
        case 'eth_getTransactionCount':
          return `0x${raw.length.toString(16)}`
        case 'eth_getTransactionByHash':
          return silence()
        default:
          return { eth_getBlockByNumber: { baseFeePerGas: '0x7' }, eth_maxPriorityFeePerGas: '0x2' }[method] ?? '0x5208'
      }
    }
    const tab = (storage = memory()) => {
      const provider = toEthereumProvider(para, { chains: [{ id: 1, request }], storage })
      const ask = (method: string, ...params: readonly unknown[]) => provider.request({ method, params })
      const id = `${kind} ${nextId}`
      const calls = (count: number, more: object = {}) =>
        ask('wallet_sendCalls', { version: '2.0.0', chainId: '0x1', id, calls: Array(count).fill({ to }), ...more })
      const status = async () => (await ask('wallet_getCallsStatus', id)) as Batch
      return { ask, id, calls, status, storage }
    }
    const mine = (transaction: Hex | undefined) => {
      const transactionHash = keccak256(transaction ?? '0x')
      receipts.set(transactionHash, { transactionHash, status: '0x1' })
    }
    const signers = () => signTransaction.mock.calls.map(([{ walletId }]) => walletId)
    const signed = (count: number) =>
      vi.waitFor(() => expect(signTransaction).toHaveBeenCalledTimes(count), { interval: 1 })
    return { session, raw, reviews, answers, receipts, tab, mine, signers, signed }
  }

  it('sends two batches with one id at once, once', async () => {
    const { tab, raw } = world()
    const { calls, id } = tab()

    const [first, second] = await Promise.allSettled([calls(2), calls(2)])

    expect(first).toMatchObject({ status: 'fulfilled', value: { id } })
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 5720 } })
    expect(raw).toHaveLength(2)
    await expect(calls(2)).rejects.toMatchObject({ code: 5720 })
  })

  it('has taken the id for other tabs while the first call waits for its review', async () => {
    const { tab, raw, reviews, signed } = world()
    const review = makeReview()
    reviews.push(review.wait)
    const { calls, storage } = tab()
    const sent = calls(1)
    await signed(1)

    await expect(tab(storage).calls(1)).rejects.toMatchObject({ code: 5720 })
    review.end()
    await sent
    await expect(tab(storage).calls(1)).rejects.toMatchObject({ code: 5720 })
    expect(raw).toHaveLength(1)
  })

  it.runIf(kind === 'with Web Locks')('has taken the id for a tab whose storage does not have it yet', async () => {
    const { tab, raw, reviews, signed } = world()
    const review = makeReview()
    reviews.push(review.wait)
    const { calls, storage } = tab()
    const other = tab()
    const sent = calls(1)
    await signed(1)

    await expect(other.calls(1)).rejects.toMatchObject({ code: 5720 })
    expect(await tab(copyOf(storage)).status()).toMatchObject({ status: 100 })
    review.end()
    await sent
    expect(raw).toHaveLength(1)
  })

  it('lets the id be used again where nothing was sent', async () => {
    const { tab, raw, reviews, answers } = world()
    const { calls, status, id } = tab()
    reviews.push(() => Promise.reject(Object.assign(new Error('denied'), { code: 'TransactionReviewDenied' })))
    answers.push(refusal)

    await expect(calls(1)).rejects.toMatchObject({ code: 4001 })
    await expect(status()).rejects.toMatchObject({ code: 5730 })
    await expect(calls(1)).rejects.toMatchObject({ code: -32_003 })
    expect(await calls(1)).toEqual({ id })
    expect(raw).toHaveLength(2)
  })

  it('knows a batch that its full storage did not take', async () => {
    const { tab } = world()
    const stored = memory()
    stored.setItem('@tandem/ethereum', '{"chainId":1}')
    const full = {
      getItem: (key: string) => stored.getItem(key),
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError')
      },
    }
    const { calls, status } = tab(full)
    await calls(1)

    await expect(calls(1)).rejects.toMatchObject({ code: 5720 })
    expect(await status()).toMatchObject({ status: 100 })
  })

  it('has the receipt decide on a call that may have been sent, and sends none after it', async () => {
    const { tab, raw, answers, mine } = world()
    const { calls, status, id } = tab()
    answers.push(async () => '0x', silence, silence)

    expect(await calls(3)).toEqual({ id })
    expect(raw).toHaveLength(3)
    expect(raw[1]).toBe(raw[2])
    mine(raw[0])
    expect(await status()).toMatchObject({ status: 100 })
    mine(raw[1])
    expect(await status()).toMatchObject({ status: 600, receipts: [{ status: '0x1' }, { status: '0x1' }] })
  })

  it('says of a last call that may have been sent that all were, once its receipt is there', async () => {
    const { tab, raw, answers, mine } = world()
    const { calls, status } = tab()
    answers.push(async () => '0x', silence, silence)
    await calls(2)
    raw.slice(0, 2).forEach(mine)

    expect(await status()).toMatchObject({ status: 200 })
  })

  it('hands a first call that may have been sent to the app, whose id is used by then', async () => {
    const { tab, raw, answers, mine } = world()
    const { calls, status } = tab()
    answers.push(silence, silence)

    const refused = await calls(1).catch((error: unknown) => error)
    const [transaction] = raw
    const transactionHash = keccak256(transaction ?? '0x')
    expect(refused).toMatchObject({ code: 4901, data: { transaction, transactionHash } })
    await expect(calls(1)).rejects.toMatchObject({ code: 5720 })
    expect(await status()).toMatchObject({ status: 100 })
    mine(transaction)
    expect(await status()).toMatchObject({ status: 200 })
  })

  it('counts a call as not sent that the node refuses', async () => {
    const { tab, raw, answers, mine } = world()
    const { calls, status, id } = tab()
    answers.push(async () => '0x', refusal)

    expect(await calls(3)).toEqual({ id })
    expect(raw).toHaveLength(2)
    mine(raw[0])
    expect(await status()).toMatchObject({ status: 600, receipts: [{}] })
  })

  it('is at 100 until no call follows, and ends with the page', async () => {
    const { tab, raw, reviews, mine, signed } = world()
    const { calls, status, storage } = tab()
    const review = makeReview()
    reviews.push(async () => undefined, review.wait)
    const sent = calls(2)
    await signed(2)
    mine(raw[0])
    await expect(calls(2)).rejects.toMatchObject({ code: 5720 })

    expect(await status()).toMatchObject({ status: 100, receipts: [{}] })
    const left = copyOf(storage)
    review.end()
    await sent
    expect(await status()).toMatchObject({ status: 100 })
    mine(raw[1])
    expect(await status()).toMatchObject({ status: 200 })

    expect(await tab(left).status()).toMatchObject({ status: 600, receipts: [{}] })
    await expect(tab(left).calls(2)).rejects.toMatchObject({ code: 5720 })
  })

  it('says of a batch whose page was closed before its first call that nothing was sent', async () => {
    const { tab, reviews, signed } = world()
    const { calls, storage, status } = tab()
    const review = makeReview()
    reviews.push(review.wait)
    const sent = calls(1)
    await signed(1)
    const left = copyOf(storage)

    expect(await status()).toMatchObject({ status: 100 })
    review.end()
    await sent
    expect(await tab(left).status()).toMatchObject({ status: 400, receipts: [] })
  })

  it('has stored each transaction before a node gets it, so that a page that is closed then forgets none', async () => {
    const { tab, raw, answers, mine } = world()
    const { calls, storage } = tab()
    let left = memory()
    answers.push(
      async () => '0x',
      async () => {
        left = copyOf(storage)
        return '0x'
      },
    )
    await calls(2)
    raw.forEach(mine)

    expect(await tab(left).status()).toMatchObject({ status: 200 })
  })

  it('is at 100 where what another tab has stored at its end arrives while the chain is asked', async () => {
    const { tab, raw, reviews, receipts, signed } = world()
    const { calls, storage } = tab()
    const review = makeReview()
    reviews.push(async () => undefined, review.wait)
    const sent = calls(2)
    await signed(2)
    const late = copyOf(storage)
    review.end()
    await sent
    vi.spyOn(receipts, 'get').mockImplementationOnce(() => {
      late.setItem('@tandem/ethereum', storage.getItem('@tandem/ethereum') ?? '{}')
      return { status: '0x1' }
    })

    expect(await tab(late).status()).toMatchObject({ status: 100 })
    expect(raw).toHaveLength(2)
  })

  it('sends no call of a batch from the wallet of the next user', async () => {
    const { tab, raw, reviews, session, mine, signers } = world()
    const { calls, status, id } = tab()
    reviews.push(async () => {
      session.set(sessionOf('ben'))
      return undefined
    })

    expect(await calls(2)).toEqual({ id })
    expect(signers()).toEqual(['ada'])
    mine(raw[0])
    expect(await status()).toMatchObject({ status: 600 })
  })

  it('sends no transaction from the wallet of the next user, however long it has waited', async () => {
    const { tab, reviews, session, signers, signed } = world()
    const { ask, calls } = tab()
    const review = makeReview()
    reviews.push(review.wait)
    const [first, ...queued] = [ask('eth_sendTransaction', { to }), ask('eth_sendTransaction', { to }), calls(1)]
    await signed(1)
    session.set({ status: 'anonymous', wallets: [] })
    session.set(sessionOf('ben'))
    review.end()

    expect(await first).toMatch(/^0x/)
    for (const refused of queued) await expect(refused).rejects.toMatchObject({ code: 4100 })
    expect(signers()).toEqual(['ada'])
    expect(await ask('eth_sendTransaction', { to })).toMatch(/^0x/)
    expect(signers()).toEqual(['ada', 'ben'])
  })

  it.each<readonly [string, readonly unknown[]]>([
    ['personal_sign', ['hello']],
    ['eth_signTypedData_v4', [undefined, '{}']],
    ['eth_signTransaction', [{ to }]],
    ['eth_sendTransaction', [{ to }]],
    ['wallet_sendCalls', [{ version: '2.0.0', chainId: '0x1', calls: [{ to }] }]],
  ])('means by a call of %s that names no account the one of its moment', async (method, params) => {
    const { tab, session, signers } = world()
    const asked = tab().ask(method, ...params)
    session.set(sessionOf('ben'))

    await expect(asked).rejects.toMatchObject({ code: 4100 })
    expect(signers()).toEqual([])
  })
})
