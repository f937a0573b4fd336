/** Share keys as serial numbers of those that stand: what a toy seals lies open, and opens for as long as that very key is there. */
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

/** Bytes of the serial number before what is sealed. */
const serialLength = 4

/** Under the key of the sharing, which is drawn where it does not stand. */
export const sealUnder = (
  { shareKeys, drawn }: Outside,
  room: Room,
  sharing: Sharing,
  bytes: Uint8Array,
): Uint8Array => {
  const name = nameOf(sharing)
  if (!shareKeys.has(name)) room('share key')
  const serial = shareKeys.get(name) ?? (drawn.count += 1)
  shareKeys.set(name, serial)
  const sealed = new Uint8Array(serialLength + bytes.length)
  new DataView(sealed.buffer).setUint32(0, serial)
  sealed.set(bytes, serialLength)
  return sealed
}

const serialOf = (sealed: Uint8Array): number =>
  sealed.length < serialLength ? 0 : new DataView(sealed.buffer, sealed.byteOffset).getUint32(0)

/** Whether the key under which these bytes were sealed stands. */
export const opensUnder = (shareKeys: ReadonlyMap<string, number>, sharing: Sharing, sealed: Uint8Array): boolean =>
  shareKeys.get(nameOf(sharing)) === serialOf(sealed)

export const openUnder = ({ shareKeys }: Outside, sharing: Sharing, sealed: Uint8Array): Uint8Array | undefined =>
  opensUnder(shareKeys, sharing, sealed) ? contentOf(sealed) : undefined

/** What is sealed, whatever became of its key. */
export const contentOf = (sealed: Uint8Array): Uint8Array => sealed.slice(serialLength)

/** The sharing of the share that a step opens. */
export const openedBy = ({ context }: Job): Sharing => ({
  walletId: context.walletId,
  epoch: context.epoch,
  shareId: bytesToHex(context.shareId),
})

/** The outcome with its secrets sealed for their rows: those of a new sharing under the key of that. */
export const sealedOutcome = (outside: Outside, room: Room, job: Job, outcome: StepOutcome): StepOutcome => {
  if (outcome.kind !== 'done') return outcome
  const { context } = job
  const { share, ot } = outcome.made
  const epoch = context.kind === 'refresh' ? context.epoch + 1 : context.epoch
  const sharing =
    share === undefined ? openedBy(job) : { walletId: context.walletId, epoch, shareId: bytesToHex(share.shareId) }
  const made = {
    ...outcome.made,
    ...(share === undefined ? {} : { share: { ...share, sealed: sealUnder(outside, room, sharing, share.sealed) } }),
    ...(ot === undefined ? {} : { ot: { ...ot, sealed: sealUnder(outside, room, sharing, ot.sealed) } }),
  }
  return { ...outcome, made }
}

const epochOf = (name: string): number => sharingOf(name).epoch

/** What adapters/service/vault/ShareKeys.ts does with files. */
export const shareKeysOf = (outside: Outside): ShareKeys['Service'] => {
  const ofWallet = (walletId: string) => [...outside.shareKeys.keys()].filter((name) => name.startsWith(`${walletId}/`))
  const destroy = (names: readonly string[]) => {
    for (const name of names) outside.shareKeys.delete(name)
  }
  return {
    epochOf: (walletId, shareId) =>
      Effect.sync(() => {
        const found = ofWallet(walletId).map(sharingOf)
        return found.find((sharing) => sharing.shareId === shareId)?.epoch
      }),
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
        part === 0 ? [...new Set([...outside.shareKeys.keys()].map((name) => name.split('/')[0] ?? ''))] : [],
      ),
  }
}
