/**
 * A wallet as the service keeps it. It belongs to one user and one partner; one without a user cannot be made yet. Its
 * key is not here, only what both halves have in common.
 */
import type { PregenIdentifierType, Scheme } from '../model/Wallet.ts'
import type { WalletType } from '../model/WalletTypes.ts'
import { isInTime } from './clocks.ts'

/** CREATED until the client confirms the key generation; BURNED (locked) by a failed check until a refresh. */
export type WalletState = 'CREATED' | 'ACTIVE' | 'BURNED'

/** Which session may run the key generation of a CREATED wallet, and until when. */
export type Lease = {
  readonly protocolId: string
  readonly sessionId: string
  readonly until: number
}

export type WalletRecord = {
  readonly id: string
  readonly partnerId: string
  readonly userId: string | null
  readonly type: WalletType
  /** Numbers the wallets of one user, partner and type. First wallets have 0, so that two tabs make one wallet. */
  readonly slot: number
  readonly scheme: Scheme
  /** Of a COSMOS wallet, from its creation on. */
  readonly cosmosPrefix: string | null
  readonly state: WalletState
  /** 0 while it is CREATED. */
  readonly epoch: number
  /** hex(32): the current sharing of the key. */
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
export type ActiveWallet = WalletRecord & {
  readonly address: string
  readonly publicKey: string
  readonly shareId: string
}

/** How long the lease holder alone may make the key. */
export const leaseLife = 90_000

export const isLeased = ({ lease }: WalletRecord, now: number): boolean =>
  lease !== null && isInTime(lease.until, leaseLife, now)

export const hasKey = (wallet: WalletRecord): wallet is ActiveWallet =>
  wallet.address !== null && wallet.publicKey !== null && wallet.shareId !== null
