/** Share keys as names of those that stand: what a toy seals lies open, and opens for as long as its key is there. */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import type { Job, StepOutcome } from '../../domain/service/ports/CosignerEngine.ts'
import type { ShareKeys, Sharing } from '../../domain/service/ports/ShareKeys.ts'
import type { Room } from './fullDisk.ts'
import type { Outside } from './outside.ts'

export const nameOf = ({ walletId, epoch, shareId }: Sharing): string => `${walletId}/${epoch}/${shareId}`

export const sharingOf = (name: string): Sharing => {
  const [walletId = '', epoch, shareId = ''] = name.split('/')
  return { walletId, epoch: Number(epoch), shareId }
}

export const stands = ({ shareKeys }: Outside, sharing: Sharing | undefined): boolean =>
  sharing === undefined || shareKeys.has(nameOf(sharing))

export const make = ({ shareKeys }: Outside, sharing: Sharing, room: Room): void => {
  const name = nameOf(sharing)
  if (!shareKeys.has(name)) room('share key')
  shareKeys.add(name)
}

/** The sharing of the share that a step opens, and that of the one that it makes. */
export const openedBy = ({ context, sealedShare }: Job): Sharing | undefined =>
  sealedShare === null
    ? undefined
    : { walletId: context.walletId, epoch: context.epoch, shareId: bytesToHex(context.shareId) }

export const madeBy = ({ context }: Job, outcome: StepOutcome): Sharing | undefined => {
  if (outcome.kind !== 'done' || outcome.made.share === undefined) return undefined
  const epoch = context.kind === 'refresh' ? context.epoch + 1 : context.epoch
  return { walletId: context.walletId, epoch, shareId: bytesToHex(outcome.made.share.shareId) }
}

const epochOf = (name: string): number => sharingOf(name).epoch

/** What adapters/service/vault/ShareKeys.ts does with files. */
export const shareKeysOf = (outside: Outside): ShareKeys['Service'] => {
  const ofWallet = (walletId: string) => [...outside.shareKeys].filter((name) => name.startsWith(`${walletId}/`))
  const destroy = (names: readonly string[]) => {
    for (const name of names) outside.shareKeys.delete(name)
  }
  return {
    destroyOthers: (acknowledged) =>
      Effect.sync(() => {
        const others = ofWallet(acknowledged.walletId).filter((name) => name !== nameOf(acknowledged))
        destroy(others.filter((name) => epochOf(name) <= acknowledged.epoch))
      }),
    destroyBefore: (walletId, epoch) =>
      Effect.sync(() => {
        const names = ofWallet(walletId)
        if (names.some((name) => epochOf(name) >= epoch)) destroy(names.filter((name) => epochOf(name) < epoch))
      }),
    destroyAll: (walletId) => Effect.sync(() => destroy(ofWallet(walletId))),
    walletsIn: (part) =>
      Effect.sync(() =>
        part === 0 ? [...new Set([...outside.shareKeys].map((name) => name.split('/')[0] ?? ''))] : [],
      ),
  }
}
