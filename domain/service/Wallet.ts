/**
 * A wallet as the service keeps it. It belongs to one user and one partner, or to a partner alone while nobody has
 * claimed it (design 8.11). Its key is nowhere: here is what both halves have in common.
 */
import type { PregenIdentifierType, Scheme } from '../model/Wallet.ts'
import type { WalletType } from '../model/WalletTypes.ts'

/** CREATED until the client's CONFIRM; BURNED by a failed check until a refresh (flows, states). */
export type WalletState = 'CREATED' | 'ACTIVE' | 'BURNED'

/** Who may run the key generation of a CREATED wallet, and until when (flows 5.2). */
export type Lease = {
  readonly protocolId: string
  readonly sessionId: string
  readonly until: number
}

export type Wallet = {
  readonly id: string
  readonly partnerId: string
  readonly userId: string | null
  readonly type: WalletType
  /** Numbers the wallets of one user, partner and type; first wallets are unique by it (design 8.25). */
  readonly slot: number
  readonly scheme: Scheme
  /** Of a COSMOS wallet, from its creation on. */
  readonly cosmosPrefix: string | null
  readonly state: WalletState
  /** 0 while it is CREATED. */
  readonly epoch: number
  /** hex(32): the sharing of the key that stands. */
  readonly shareId: string | null
  readonly address: string | null
  /** Hex: 33 bytes for DKLS, 32 for ED25519. */
  readonly publicKey: string | null
  /** hex(32): the user's root key, to which the key generation pinned it. */
  readonly rootPublicKey: string | null
  readonly name: string | null
  readonly pregenIdentifier: string | null
  readonly pregenIdentifierType: PregenIdentifierType | null
  readonly lease: Lease | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly lastUsedAt: number | null
  readonly lastUsedPartnerId: string | null
}

/** A wallet whose key exists on both sides. */
export type ActiveWallet = Wallet & {
  readonly address: string
  readonly publicKey: string
  readonly shareId: string
}

/** How long the first caller alone may make the key (flows 5.2). */
export const leaseLife = 90_000

export const isLeased = (wallet: Wallet, now: number): boolean => wallet.lease !== null && now < wallet.lease.until

export const hasKey = (wallet: Wallet): wallet is ActiveWallet =>
  wallet.address !== null && wallet.publicKey !== null && wallet.shareId !== null
