/** Where the co-signer's secrets rest: what is sealed for one of these opens in no other (design 4). */
import type { Place } from '../ports/Vault.ts'

type RunPlace = { readonly walletId: string; readonly protocolId: string; readonly epoch: number }

export const seedPlace = ({ walletId, protocolId, epoch }: RunPlace): Place => ({
  table: 'runs',
  id: `${walletId}/${protocolId}`,
  epoch,
})

/** What the step of this number left behind. */
export const statePlace = ({ walletId, protocolId, epoch }: RunPlace, step: number): Place => ({
  table: 'rounds',
  id: `${walletId}/${protocolId}/${step}`,
  epoch,
})

export const sharePlace = (walletId: string, epoch: number): Place => ({
  table: 'provider_shares',
  id: walletId,
  epoch,
})

/** The provider's share as the client keeps it for the service (flows, keys: capsule). */
export const capsulePlace = (walletId: string, epoch: number): Place => ({ table: 'capsules', id: walletId, epoch })

export const otPlace = (walletId: string, otId: string, epoch: number): Place => ({
  table: 'ot_records',
  id: `${walletId}/${otId}`,
  epoch,
})

export const cosignerKeyPlace = (name: string): Place => ({ table: 'cosigner_keys', id: name })
