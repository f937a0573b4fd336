/** Associated data of the co-signer's sealed secrets: what is sealed for one row opens in no other. */
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Kind } from '../../mpc/Protocol.ts'
import type { Sharing } from '../ports/ShareKeys.ts'
import type { AssociatedData } from '../ports/Vault.ts'

type RunReference = { readonly walletId: string; readonly protocolId: string; readonly epoch: number }

export const seedAssociatedData = ({ walletId, protocolId, epoch }: RunReference): AssociatedData => ({
  table: 'runs',
  id: `${walletId}/${protocolId}`,
  epoch,
})

/** The state that the step of this number left. */
export const stateAssociatedData = ({ walletId, protocolId, epoch }: RunReference, step: number): AssociatedData => ({
  table: 'rounds',
  id: `${walletId}/${protocolId}/${step}`,
  epoch,
})

export const shareAssociatedData = (sharing: Sharing): AssociatedData => ({
  table: 'provider_shares',
  id: sharing.walletId,
  epoch: sharing.epoch,
  sharing,
})

/**
 * The provider's share as the client keeps it for the service. It opens without a share key, because it is for the case
 * that the share keys are lost (adapters/service/vault/README.md#why-capsules-are-not-shredded).
 */
export const capsuleAssociatedData = (walletId: string, epoch: number): AssociatedData => ({
  table: 'capsules',
  id: walletId,
  epoch,
})

export const otAssociatedData = (sharing: Sharing, otId: string): AssociatedData => ({
  table: 'ot_records',
  id: `${sharing.walletId}/${otId}`,
  epoch: sharing.epoch,
  sharing,
})

/** Where the seal of a kept answer begins, after its form and share id (`sealFinalBody` in round.ts). */
export const keptAnswer = { form: 1, sealAt: 33 } as const

/** The kept answer of a run that made a sharing of this id. */
export const keptAnswerAssociatedData = (
  { walletId, protocolId, kind, epoch }: RunReference & { readonly kind: Kind },
  shareId: Uint8Array,
): AssociatedData =>
  answerAssociatedData(
    { walletId, epoch: kind === 'keygen' ? epoch : epoch + 1, shareId: bytesToHex(shareId) },
    protocolId,
  )

/** The last answer of a run that made this sharing. */
export const answerAssociatedData = (sharing: Sharing, protocolId: string): AssociatedData => ({
  table: 'runs',
  id: `${sharing.walletId}/${protocolId}/answer`,
  epoch: sharing.epoch,
  sharing,
})

/** The co-signer's first frame key is sealed for its name alone, a later one also for its public half, hex(65). */
export const cosignerKeyAssociatedData = (name: string, publicKey?: string): AssociatedData => ({
  table: 'cosigner_keys',
  id: publicKey === undefined ? name : `${name}/${publicKey}`,
})
