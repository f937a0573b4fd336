/** A wallet as a signer of ethers (adapters/browser/bridges/README.md#ethers). */
import {
  AbstractSigner,
  copyRequest,
  getAddress,
  makeError,
  resolveAddress,
  Signature,
  Transaction,
  TypedDataEncoder,
  type Authorization,
  type AuthorizationRequest,
  type ErrorCode,
  type Provider,
  type TransactionRequest,
  type TypedDataDomain,
  type TypedDataField,
} from 'ethers'
import type { Wallet } from '../../../domain/model/Wallet.ts'
import type { Para } from '../sdk.ts'
import { codes, RpcError, toRpcError } from './RpcError.ts'
import { evmAccount, type Account } from './sessionWallets.ts'

export type EthersSdk = Pick<
  Para,
  'session' | 'signMessage' | 'signTypedData' | 'signTransaction' | 'signAuthorization'
>

export type EthersOptions = {
  /** Of the session's EVM wallets; by default the current one. */
  readonly wallet?: Pick<Wallet, 'id'>
  /** How long a review may take where a policy asks for one, in milliseconds; by default 30 s. */
  readonly timeoutMs?: number
}

/**
 * A signer of the wallet for ethers and for what takes its signers: transactions of types 0 to 4, messages, typed data
 * and authorizations. With a provider it sends, completes transactions and resolves names. Fails with the codes of ethers, and
 * the SDK's own error as `cause`; throws `UNSUPPORTED_OPERATION` without an EVM wallet.
 */
export const toEthersSigner = (
  para: EthersSdk,
  provider: Provider | null = null,
  options: EthersOptions = {},
): AbstractSigner => {
  try {
    return new TandemSigner(para, evmAccount(para, options.wallet), options.timeoutMs, provider)
  } catch (error) {
    throw toEthersError(error, 'getSigner')
  }
}

class TandemSigner extends AbstractSigner {
  readonly address: string
  readonly #para: EthersSdk
  readonly #account: Account
  readonly #timeoutMs: number | undefined

  constructor(para: EthersSdk, account: Account, timeoutMs: number | undefined, provider: Provider | null) {
    super(provider)
    this.address = account.address
    this.#para = para
    this.#account = account
    this.#timeoutMs = timeoutMs
  }

  get #signing() {
    const { walletId } = this.#account
    return { walletId, ...(this.#timeoutMs === undefined ? {} : { timeoutMs: this.#timeoutMs }) }
  }

  override getAddress(): Promise<string> {
    return Promise.resolve(this.address)
  }

  override connect(provider: Provider | null): TandemSigner {
    return new TandemSigner(this.#para, this.#account, this.#timeoutMs, provider)
  }

  override signTransaction(request: TransactionRequest): Promise<string> {
    return named('signTransaction', async () => {
      const { from, to, ...rest } = copyRequest(request)
      if (from !== undefined && getAddress(await resolveAddress(from, this)) !== this.address) {
        throw new RpcError(codes.unauthorized, 'from is not the address of this signer')
      }
      const recipient = to === undefined ? null : await resolveAddress(to, this)
      const transaction = Transaction.from({ ...rest, to: recipient })
      const { chainId } = transaction
      if (chainId === 0n) throw new RpcError(codes.invalidParams, 'a transaction needs the id of its chain')
      const asked = { ...this.#signing, transaction: transaction.unsignedSerialized, chainId }
      const { r, s, yParity } = await this.#para.signTransaction(asked)
      transaction.signature = Signature.from({ r, s, yParity })
      return transaction.serialized
    })
  }

  override signMessage(message: string | Uint8Array): Promise<string> {
    return named('signMessage', async () => {
      const { ethereumSignature } = await this.#para.signMessage({ ...this.#signing, message })
      return ethereumSignature ?? '0x'
    })
  }

  override signTypedData(
    domain: TypedDataDomain,
    types: Record<string, TypedDataField[]>,
    value: Record<string, unknown>,
  ): Promise<string> {
    return named('signTypedData', async () => {
      const resolve = async (name: string) => resolveAddress(name, this)
      const resolved = await TypedDataEncoder.resolveNames(domain, types, value, resolve)
      const typedData = TypedDataEncoder.getPayload(resolved.domain, types, resolved.value as object) as Parameters<
        EthersSdk['signTypedData']
      >[0]['typedData']
      return this.#para.signTypedData({ ...this.#signing, typedData })
    })
  }

  override authorize(request: AuthorizationRequest): Promise<Authorization> {
    return named('authorize', async () => {
      const address = getAddress(await resolveAddress(request.address, this))
      const { chainId, nonce } = await this.populateAuthorization({ ...request, address })
      const asked = { address: address as Account['address'], chainId: numberOf(chainId), nonce: numberOf(nonce) }
      const { r, s, yParity } = await this.#para.signAuthorization({ ...this.#signing, ...asked })
      const signature = Signature.from({ r, s, yParity })
      return { address, chainId: BigInt(asked.chainId), nonce: BigInt(asked.nonce), signature }
    })
  }
}

const numberOf = (value: AuthorizationRequest['nonce'] | AuthorizationRequest['chainId']): number => {
  const number = Number(value ?? 0)
  if (!Number.isSafeInteger(number)) throw new RpcError(codes.invalidParams, 'a number is above 2^53')
  return number
}

const named = async <A>(operation: string, work: () => Promise<A>): Promise<A> => {
  try {
    return await work()
  } catch (error) {
    throw toEthersError(error, operation)
  }
}

/** What ethers itself refuses keeps its code. */
const toEthersError = (error: unknown, operation: string): unknown => {
  if (isOfEthers(error)) return error
  const { code, message, cause } = toRpcError(error)
  const made = makeError(message, codesOfEthers.get(code) ?? 'TIMEOUT', infoOf(operation) as never)
  return Object.assign(made, { cause: cause ?? error })
}

const codesOfEthers: ReadonlyMap<number, ErrorCode> = new Map([
  [codes.rejected, 'ACTION_REJECTED'],
  [codes.unauthorized, 'UNSUPPORTED_OPERATION'],
  [codes.unsupported, 'UNSUPPORTED_OPERATION'],
  [codes.invalidParams, 'INVALID_ARGUMENT'],
  [codes.disconnected, 'NETWORK_ERROR'],
])

/** The content is not repeated: an error may be logged. */
const infoOf = (operation: string) => ({
  operation,
  action: operation,
  reason: 'rejected',
  argument: 'content',
  value: null,
})

const isOfEthers = (error: unknown): boolean =>
  error instanceof Error && 'shortMessage' in error && 'code' in error && typeof error.code === 'string'
