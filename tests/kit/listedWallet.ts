import { bytesToHex } from '@noble/hashes/utils.js'
import type { Success } from '../../generated/handlers.ts'

type Listed = Success<'listWallets'>['wallets'][number]

/** What the service lists of an EVM wallet whose keys are made. */
export const listedWallet = (
  share: { readonly walletId: string; readonly address: string; readonly publicKey?: Uint8Array },
  owner: { readonly userId: string; readonly partnerId: string },
): Listed => ({
  id: share.walletId,
  type: 'EVM',
  scheme: 'DKLS',
  address: share.address,
  publicKey: share.publicKey === undefined ? null : bytesToHex(share.publicKey),
  name: null,
  isPregen: false,
  pregenIdentifier: null,
  pregenIdentifierType: null,
  keyGenComplete: true,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  lastUsedAt: null,
  ...owner,
})
