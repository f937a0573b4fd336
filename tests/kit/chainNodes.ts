/**
 * Stand-ins for nodes of Solana and Cosmos, as far as transactions are sent to them. Solana's is a real runtime
 * (bankrun) behind JSON-RPC. That of Cosmos checks a transaction by cosmjs's reading of it, as a chain with one kind of
 * key, no fees and no balances does, and has each accepted one in a block at once.
 */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { encodeSecp256k1Pubkey, pubkeyToAddress } from '@cosmjs/amino'
import { decodePubkey, decodeTxRaw, makeAuthInfoBytes, makeSignBytes, makeSignDoc } from '@cosmjs/proto-signing'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { base58 } from '@scure/base'
import {
  AddressLookupTableAccount,
  AddressLookupTableProgram,
  PublicKey,
  SystemProgram,
  VersionedTransaction,
} from '@solana/web3.js'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { start } from 'solana-bankrun'
import { portOf } from './ports.ts'

export type ChainNode = {
  readonly url: string
  /** What it was sent, in order. */
  readonly sent: readonly string[]
  /** The next answers to what is sent are lost, although it is taken. */
  loseAnswers: (count: number) => void
  readonly stop: () => Promise<void>
}

/** `sendTransaction`, `getSignatureStatuses`, `getLatestBlockhash`, `getBalance`, `requestAirdrop`. */
export const startSolanaNode = async (): Promise<ChainNode> => {
  const { banksClient: bank, setAccount } = await startBank()
  const sent: string[] = []
  const methods: Readonly<Record<string, (params: never) => Promise<unknown>>> = {
    sendTransaction: async ([encoded, options]: readonly [string, { readonly encoding: string }]) => {
      if (options.encoding !== 'base64') throw new RpcError(-32_602, 'unsupported encoding')
      sent.push(encoded)
      const transaction = VersionedTransaction.deserialize(Buffer.from(encoded, 'base64'))
      const id = base58.encode(transaction.signatures[0] ?? new Uint8Array(0))
      if ((await bank.getTransactionStatus(id)) !== null)
        throw preflightFailed('This transaction has already been processed')
      await bank.processTransaction(transaction).catch((cause: unknown) => {
        throw preflightFailed(String(cause))
      })
      return id
    },
    getSignatureStatuses: async ([ids]: readonly [string[]]) => {
      const statuses = await bank.getTransactionStatuses(ids)
      return { value: statuses.map((status) => (status ? { slot: Number(status.slot), err: status.err } : null)) }
    },
    getLatestBlockhash: async () => {
      const [blockhash] = (await bank.getLatestBlockhash()) ?? []
      return { value: { blockhash } }
    },
    getBalance: async ([address]: readonly [string]) => ({
      value: Number(await bank.getBalance(new PublicKey(address))),
    }),
    requestAirdrop: ([address, lamports]: readonly [string, number]) => {
      setAccount(new PublicKey(address), lamports)
      return Promise.resolve(null)
    },
  }
  return serve(sent, async ({ body }) => {
    const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: never }
    try {
      return {
        isSend: method === 'sendTransaction',
        json: { jsonrpc: '2.0', id, result: await methods[method]?.(params) },
      }
    } catch (cause) {
      if (!(cause instanceof RpcError)) throw cause
      return { isSend: true, json: { jsonrpc: '2.0', id, error: { code: cause.code, message: cause.message } } }
    }
  })
}

/** Of payments: two files that share a node have one each, whose balance no other payment changes. */
export const recipients = [
  new PublicKey(new Uint8Array(32).fill(9)),
  new PublicKey(new Uint8Array(32).fill(10)),
] as const

/** A table of addresses that the runtime has from its first block on, as `state` is stored. */
export const lookupTable = new AddressLookupTableAccount({
  key: new PublicKey(new Uint8Array(32).fill(8)),
  state: {
    deactivationSlot: 2n ** 64n - 1n,
    lastExtendedSlot: 0,
    lastExtendedSlotStartIndex: 0,
    addresses: [...recipients],
  },
})

/** A tag of 32 bits for a table, the slots, no authority, padding up to 56 bytes, and the addresses. */
const storedTable = ({ deactivationSlot, addresses }: AddressLookupTableAccount['state']): Buffer => {
  const head = Buffer.alloc(56)
  head.writeUInt32LE(1)
  head.writeBigUInt64LE(deactivationSlot, 4)
  return Buffer.concat([head, ...addresses.map((address) => address.toBytes())])
}

const startBank = async () => {
  const owner = AddressLookupTableProgram.programId
  const info = { lamports: 1_000_000_000, data: storedTable(lookupTable.state), owner, executable: false }
  const chain = await start([], [{ address: lookupTable.key, info }])
  const setAccount = (address: PublicKey, lamports: number) =>
    chain.setAccount(address, { lamports, data: Buffer.alloc(0), owner: SystemProgram.programId, executable: false })
  return { banksClient: chain.banksClient, setAccount }
}

class RpcError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const preflightFailed = (why: string) => new RpcError(-32_002, `Transaction simulation failed: ${why}`)

/** What a transaction's only signer has at its account: every account has the same number. */
export const accountNumber = 7

/** The REST gateway of a chain with this id. */
export const startCosmosNode = (chainId: string): Promise<ChainNode> => {
  const sent: string[] = []
  const sequences = new Map<string, bigint>()
  const blocks = new Set<string>()
  const check = (bytes: Uint8Array): { readonly code: number; readonly raw_log: string } => {
    const { body, authInfo, signatures } = decodeTxRaw(bytes)
    const raw = TxRaw.decode(bytes)
    const [signer] = authInfo.signerInfos
    if (signer?.publicKey === undefined || authInfo.signerInfos.length !== 1 || body.messages.length === 0) {
      return { code: 4, raw_log: 'unauthorized' }
    }
    const key = Buffer.from(String(decodePubkey(signer.publicKey).value), 'base64')
    const address = pubkeyToAddress(encodeSecp256k1Pubkey(key), 'cosmos')
    const sequence = sequences.get(address) ?? 0n
    if (signer.sequence !== sequence) {
      return { code: 32, raw_log: `account sequence mismatch, expected ${sequence}, got ${signer.sequence}` }
    }
    const { amount = [], gasLimit = 0n } = authInfo.fee ?? {}
    const signed = makeAuthInfoBytes(
      [{ pubkey: signer.publicKey, sequence: Number(sequence) }],
      amount,
      Number(gasLimit),
      undefined,
      undefined,
    )
    const document = makeSignBytes(makeSignDoc(raw.bodyBytes, signed, chainId, accountNumber))
    if (!secp256k1.verify(signatures[0] ?? new Uint8Array(0), document, key)) {
      return { code: 4, raw_log: 'signature verification failed' }
    }
    sequences.set(address, sequence + 1n)
    return { code: 0, raw_log: '' }
  }
  return serve(sent, ({ path, body }) => {
    const [, looked] = /^\/cosmos\/tx\/v1beta1\/txs\/([0-9A-F]{64})$/.exec(path) ?? []
    if (looked !== undefined) {
      const json = blocks.has(looked)
        ? { tx_response: { code: 0, txhash: looked } }
        : { code: 5, message: 'tx not found' }
      return Promise.resolve({ isSend: false, status: blocks.has(looked) ? 200 : 404, json })
    }
    const { tx_bytes: encoded, mode } = JSON.parse(body) as { tx_bytes: string; mode: string }
    if (path !== '/cosmos/tx/v1beta1/txs' || mode !== 'BROADCAST_MODE_SYNC') throw new Error(`${path} ${mode}`)
    sent.push(encoded)
    const bytes = Buffer.from(encoded, 'base64')
    const txhash = createHash('sha256').update(bytes).digest('hex').toUpperCase()
    const checked = check(bytes)
    if (checked.code === 0) blocks.add(txhash)
    return Promise.resolve({ isSend: true, json: { tx_response: { ...checked, codespace: 'sdk', txhash } } })
  })
}

type Answer = { readonly isSend: boolean; readonly status?: number; readonly json: object }

const serve = async (
  sent: readonly string[],
  answer: (asked: { readonly path: string; readonly body: string }) => Promise<Answer>,
): Promise<ChainNode> => {
  let toLose = 0
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const { isSend, status = 200, json } = await answer({ path: request.url ?? '', body })
    if (isSend && toLose > 0) {
      toLose -= 1
      response.destroy()
      return
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
  }
  const server = createServer((request, response) => {
    handle(request, response).catch((cause: unknown) => response.writeHead(500).end(String(cause)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    sent,
    loseAnswers: (count) => {
      toLose = count
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
