import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import type { HandlersOf, Input } from '../../../generated/handlers.ts'
import type { Partner } from '../../../domain/service/Partner.ts'
import type { WalletRecord } from '../../../domain/service/Wallet.ts'
import { getCapsuleShare } from '../../../domain/service/capsuleShares.ts'
import * as flows from '../../../domain/service/wallets.ts'
import type { Incoming } from './Incoming.ts'
import { publicPartner } from './partners.ts'

export const wallets = {
  createWallet: ({ path, body }: Input<'createWallet'>) =>
    Effect.map(flows.createWallet(path.userId, body), ({ cosigner, ...created }) => ({
      ...created,
      cosigner: { name: cosigner.name, publicKey: bytesToHex(cosigner.publicKey) },
    })),
  listWallets: ({ path, query }: Input<'listWallets'>) =>
    Effect.flatMap(flows.listWallets(path.userId), (listed) =>
      query?.includePartnerData === 'true'
        ? Effect.map(flows.partnersOf(listed), (partners) => answer(listed, partners))
        : Effect.succeed(answer(listed)),
    ),
  listAllWallets: ({ path }: Input<'listAllWallets'>) =>
    Effect.map(flows.listAllWallets(path.userId), (listed) => answer(listed)),
  setWallets: ({ path, body }: Input<'setWallets'>) => Effect.as(flows.setWallets(path.userId, body), {}),
  getCapsuleShare: ({ path }: Input<'getCapsuleShare'>) =>
    Effect.map(getCapsuleShare(path.userId, path.walletId), (share) => ({ share })),
  distributeCapsuleShare: ({ path }: Input<'distributeCapsuleShare'>) =>
    Effect.as(flows.distributeCapsuleShare(path.userId, path.walletId), {}),
} satisfies Partial<HandlersOf<'wallets', Incoming, unknown>>

export const answer = (listed: readonly WalletRecord[], partners: ReadonlyMap<string, Partner> = new Map()) => ({
  wallets: listed.map((wallet) => walletEntity(wallet, partners)),
})

/** A wallet on the wire. It never contains a share or a capsule. */
const walletEntity = (wallet: WalletRecord, partners: ReadonlyMap<string, Partner>) => {
  const partner = partners.get(wallet.partnerId)
  const lastUsedPartner = partners.get(wallet.lastUsedPartnerId ?? '')
  return {
    id: wallet.id,
    type: wallet.type,
    scheme: wallet.scheme,
    address: wallet.address,
    publicKey: wallet.publicKey,
    name: wallet.name,
    partnerId: wallet.partnerId,
    userId: wallet.userId,
    isPregen: wallet.pregenIdentifier !== null,
    pregenIdentifier: wallet.pregenIdentifier,
    pregenIdentifierType: wallet.pregenIdentifierType,
    keyGenComplete: wallet.address !== null,
    createdAt: time(wallet.createdAt),
    updatedAt: time(wallet.updatedAt),
    lastUsedAt: wallet.lastUsedAt === null ? null : time(wallet.lastUsedAt),
    ...(wallet.cosmosPrefix === null ? {} : { cosmosPrefix: wallet.cosmosPrefix }),
    ...(wallet.lastUsedPartnerId === null ? {} : { lastUsedPartnerId: wallet.lastUsedPartnerId }),
    ...(partner === undefined ? {} : { partner: publicPartner(partner) }),
    ...(lastUsedPartner === undefined ? {} : { lastUsedPartner: publicPartner(lastUsedPartner) }),
  }
}

const time = (ms: number): string => new Date(ms).toISOString()
