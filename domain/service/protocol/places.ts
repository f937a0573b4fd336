/** Where the co-signer's secrets rest: what is sealed for one of these opens in no other (design 4). */
import type { Sharing } from '../ports/ShareKeys.ts'
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

export const sharePlace = (sharing: Sharing): Place => ({
  table: 'provider_shares',
  id: sharing.walletId,
  epoch: sharing.epoch,
  sharing,
})

/**
 * The provider's share as the client keeps it for the service. No share key is needed to open it: a capsule is there for
 * the case that the share keys are lost.
 */
export const capsulePlace = (walletId: string, epoch: number): Place => ({ table: 'capsules', id: walletId, epoch })

export const otPlace = (sharing: Sharing, otId: string): Place => ({
  table: 'ot_records',
  id: `${sharing.walletId}/${otId}`,
  epoch: sharing.epoch,
  sharing,
})

/** The last answer of a run that made this sharing. */
export const answerPlace = (sharing: Sharing, protocolId: string): Place => ({
  table: 'runs',
  id: `${sharing.walletId}/${protocolId}/answer`,
  epoch: sharing.epoch,
  sharing,
})

export const cosignerKeyPlace = (name: string): Place => ({ table: 'cosigner_keys', id: name })
