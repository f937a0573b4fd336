/** The session's wallets as the tools of a chain see them: accounts of one type, the current one first. */
import type { SessionSnapshot } from '../../../domain/model/SessionSnapshot.ts'
import type { Wallet } from '../../../domain/model/Wallet.ts'
import type { WalletType } from '../../../domain/model/WalletTypes.ts'
import type { Para } from '../sdk.ts'
import { codes, RpcError } from './RpcError.ts'

/** What a bridge takes of the SDK to know whose wallets there are. */
export type WithSession = Pick<Para, 'session' | 'getWallets'>

/** `address` is in checksum case, `publicKey` the compressed point in hexadecimal digits. */
export type Account = {
  readonly walletId: string
  readonly address: `0x${string}`
  readonly publicKey: `0x${string}`
}

/** A wallet without an address has no key here: it is none yet. */
export const walletsOf = ({ wallets, currentWalletIds }: SessionSnapshot, type: WalletType): readonly Wallet[] => {
  const current = currentWalletIds?.[type] ?? []
  return wallets
    .filter((wallet) => typeOf(wallet) === type && Boolean(wallet.address))
    .toSorted((one, other) => Number(current.includes(other.id)) - Number(current.includes(one.id)))
}

/** As domain/model/Wallet.ts says it, whose code weighs more than a bridge may: a test compares them. */
const typeOf = ({ type, scheme }: Wallet): WalletType => type ?? (scheme === 'ED25519' ? 'SOLANA' : 'EVM')

/** This wallet, or the first of the session, as an account of Ethereum. Fails with 4100 where there is none. */
export const evmAccount = ({ session }: Pick<Para, 'session'>, wallet?: Pick<Wallet, 'id'>): Account => {
  const all = walletsOf(session.get(), 'EVM')
  const found = wallet === undefined ? all[0] : all.find(({ id }) => id === wallet.id)
  if (found === undefined) throw new RpcError(codes.unauthorized, 'no EVM wallet of this session is on this device')
  return toAccount(found)
}

/** An EVM wallet that has an address. */
const toAccount = ({ id, address, publicKey }: Wallet): Account => ({
  walletId: id,
  address: address as Account['address'],
  publicKey: `0x${publicKey ?? ''}`,
})

/**
 * The session once it was looked up, or after 5 s as it is. A page looks it up by itself when it has a subscriber; a
 * server does not.
 */
export const settledSession = async (para: WithSession): Promise<SessionSnapshot> => {
  const { session } = para
  if (session.get().status !== 'loading') return session.get()
  if (typeof window === 'undefined') await para.getWallets().catch(() => [])
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      stop()
      resolve(session.get())
    }
    const timer = setTimeout(end, lookUpWithin)
    const stop = session.subscribe(() => {
      if (session.get().status !== 'loading') end()
    })
    if (session.get().status !== 'loading') end()
  })
}

const lookUpWithin = 5_000
