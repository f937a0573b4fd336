/** A wallet as a local account of viem: it signs here, and viem sends (adapters/browser/bridges/README.md#viem). */
import {
  getTransactionType,
  hexToBytes,
  serializeTransaction,
  type Hex,
  type LocalAccount,
  type SerializeTransactionFn,
  type SignableMessage,
  type TransactionSerializable,
} from 'viem'
import { toAccount } from 'viem/accounts'
import type { Wallet } from '../../../domain/model/Wallet.ts'
import type { Para } from '../sdk.ts'
import type { TypedDataInput } from '../verbs.ts'
import { coded, codes, RpcError } from './RpcError.ts'
import { evmAccount } from './sessionWallets.ts'

export type ViemSdk = Pick<
  Para,
  'session' | 'signMessage' | 'signTypedData' | 'signTransaction' | 'signAuthorization' | 'signRawHash'
>

export type ViemOptions = {
  /** Of the session's EVM wallets; by default the current one. */
  readonly wallet?: Pick<Wallet, 'id'>
  /** How long a review may take where a policy asks for one, in milliseconds; by default 30 s. */
  readonly timeoutMs?: number
}

export type TandemAccount = LocalAccount<'tandem'> & {
  readonly sign: NonNullable<LocalAccount['sign']>
  readonly signAuthorization: NonNullable<LocalAccount['signAuthorization']>
}

/**
 * An account of the wallet for viem and for what takes viem's accounts. It signs transactions of each type, messages,
 * typed data and authorizations; a bare hash is refused, since nothing says what it means. `publicKey` is the 33 bytes of
 * the compressed point. Throws 4100 without an EVM wallet; each signature fails with the codes of EIP-1193.
 */
export const toViemAccount = (para: ViemSdk, { wallet, timeoutMs }: ViemOptions = {}): TandemAccount => {
  const { walletId, address, publicKey } = evmAccount(para, wallet)
  const signing = { walletId, ...(timeoutMs === undefined ? {} : { timeoutMs }) }

  const signMessage = ({ message }: { readonly message: SignableMessage }): Promise<Hex> =>
    coded(async () => {
      const signed = await para.signMessage({ ...signing, message: contentOf(message) })
      return signed.ethereumSignature ?? '0x'
    })

  const signTransaction = (
    transaction: TransactionSerializable,
    { serializer = serializeTransaction }: { readonly serializer?: SerializeTransactionFn | undefined } = {},
  ): Promise<Hex> =>
    coded(async () => {
      const { chainId } = transaction
      if (chainId === undefined) throw new RpcError(codes.invalidParams, 'a transaction needs the id of its chain')
      // The signature covers the hashes of blobs; the blobs go beside it.
      const isWithBlobs = getTransactionType(transaction) === 'eip4844'
      const bare = isWithBlobs ? ({ ...transaction, sidecars: false } as TransactionSerializable) : transaction
      const unsigned = await serializer(bare)
      const { r, s, yParity } = await para.signTransaction({ ...signing, transaction: unsigned, chainId })
      // The serialiser of legacy transactions reads v.
      return serializer(transaction, { r, s, yParity, v: 27n + BigInt(yParity) })
    })

  const account = toAccount({
    address,
    sign: ({ hash }) => coded(() => para.signRawHash({ walletId, hash })),
    signMessage,
    signTransaction,
    signTypedData: (parameters) => {
      const { types, primaryType, domain, message } = parameters as unknown as TypedDataInput['typedData']
      return coded(() => para.signTypedData({ ...signing, typedData: { types, primaryType, domain, message } }))
    },
    signAuthorization: ({ chainId, nonce, ...request }) =>
      coded(() =>
        para.signAuthorization({ ...signing, address: request.contractAddress ?? request.address, chainId, nonce }),
      ),
  })
  return { ...account, publicKey, source: 'tandem' } as TandemAccount
}

/** Bytes in hexadecimal digits are bytes, and text is text, whatever it looks like. */
const contentOf = (message: SignableMessage): string | Uint8Array => {
  if (typeof message === 'string') return message
  return typeof message.raw === 'string' ? hexToBytes(message.raw) : message.raw
}
