/** One purchase or sale through a ramp. */
import type { Network } from './Network.ts'
import type { Asset, Provider } from './Ramp.ts'
import type { WalletType } from './WalletTypes.ts'

export const types = ['BUY', 'SELL'] as const
export type Type = (typeof types)[number]

export const statuses = ['INITIATED', 'FINISHED', 'CANCELLED'] as const
export type Status = (typeof statuses)[number]

export type Purchase = {
  readonly id: string
  readonly userId: string
  readonly providerKey?: string | null
  readonly type?: Type
  readonly status?: Status
  readonly provider?: Provider
  readonly walletId?: string | null
  readonly walletType?: WalletType
  readonly externalWalletAddress?: string | null
  readonly address?: string | null
  readonly fiat?: string | null
  /** Quantities are decimal texts: a number would lose digits. */
  readonly fiatQuantity?: string | null
  readonly asset?: Asset
  readonly assetQuantity?: string | null
  readonly network?: Network | null
  readonly testMode?: boolean
}

/** A purchase begins INITIATED and ends once. */
export const mayBecome = (from: Status, to: Status): boolean => from === 'INITIATED' && to !== 'INITIATED'
