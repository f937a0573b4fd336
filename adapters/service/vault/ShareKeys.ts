/**
 * Share keys: 32 random bytes in a file each, `<2 hex digits>/<wallet id>/<epoch>.<share id>`, shared by all
 * co-signers. What they are for, and why no copy may outlive a refresh: adapters/service/vault/README.md#share-keys.
 */
import { randomFillSync } from 'node:crypto'
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { offHeap, wipe } from '../../../domain/crypto/wipe.ts'
import type { Sharing } from '../../../domain/service/ports/ShareKeys.ts'
import { createFile, destroyKeyFile, syncFolder } from './keyFile.ts'

const keyLength = 32

export type ShareKeyFiles = {
  /** Read from disk each time; the caller wipes it. `undefined` if it was never made or is destroyed. */
  readonly find: (sharing: Sharing) => Uint8Array | undefined
  /** Durable when it returns; the caller wipes it. */
  readonly findOrCreate: (sharing: Sharing) => Uint8Array
  readonly epochOf: (walletId: string, shareId: string) => number | undefined
  readonly destroyOthers: (acknowledged: Sharing) => void
  readonly destroyBefore: (walletId: string, epoch: number) => void
  readonly destroyAll: (walletId: string) => void
  readonly walletsIn: (part: number) => readonly string[]
}

export const shareKeysIn = (folder: string): ShareKeyFiles => {
  const partOf = (digits: string) => join(folder, digits)
  const folderOf = (walletId: string) => {
    if (!/^[0-9a-f-]{36}$/.test(walletId)) throw new RangeError(`'${walletId}' is no wallet id`)
    return join(partOf(walletId.slice(0, 2)), walletId)
  }
  const fileOf = ({ walletId, epoch, shareId }: Sharing) => {
    if (!/^[0-9a-f]{64}$/.test(shareId)) throw new RangeError(`'${shareId}' is no share id`)
    return join(folderOf(walletId), `${epoch}.${shareId}`)
  }
  const keysOf = (walletId: string) =>
    namesIn(folderOf(walletId)).flatMap((name) => {
      const [, epoch, shareId] = /^([0-9]+)\.([0-9a-f]{64})$/.exec(name) ?? []
      return epoch === undefined || shareId === undefined ? [] : [{ walletId, epoch: Number(epoch), shareId }]
    })
  const destroy = (sharings: readonly Sharing[]) => {
    for (const sharing of sharings) destroyKeyFile(fileOf(sharing))
  }
  return {
    find: (sharing) => readKey(fileOf(sharing)),
    findOrCreate: (sharing) => {
      const file = fileOf(sharing)
      const found = readKey(file)
      if (found === undefined) createKey(file)
      // Also if another thread just made it: a power cut must not lose a key under which something is sealed.
      for (let at = dirname(file); at !== dirname(folder); at = dirname(at)) syncFolder(at)
      const key = found ?? readKey(file)
      if (key === undefined) throw new Error(`the share key in ${file} was destroyed as it was made`)
      return key
    },
    epochOf: (walletId, shareId) => keysOf(walletId).find((key) => key.shareId === shareId)?.epoch,
    destroyOthers: ({ walletId, epoch, shareId }) => {
      destroy(keysOf(walletId).filter((key) => key.epoch <= epoch && key.shareId !== shareId))
    },
    destroyBefore: (walletId, epoch) => {
      const keys = keysOf(walletId)
      if (keys.some((key) => key.epoch >= epoch)) destroy(keys.filter((key) => key.epoch < epoch))
    },
    destroyAll: (walletId) => destroy(keysOf(walletId)),
    walletsIn: (part) => namesIn(partOf(part.toString(16).padStart(2, '0'))),
  }
}

/** The bytes are only in the returned array; reading the file as text would leave copies. */
const readKey = (file: string): Uint8Array | undefined => {
  const handle = orNone(() => openSync(file, 'r'))
  if (handle === undefined) return undefined
  const key = offHeap(keyLength + 1)
  try {
    if (readSync(handle, key) !== keyLength) throw new Error(`${file} holds no share key`)
    const exact = offHeap(keyLength)
    exact.set(key.subarray(0, keyLength))
    return exact
  } finally {
    wipe(key)
    closeSync(handle)
  }
}

const createKey = (file: string): void => {
  const key = randomFillSync(offHeap(keyLength))
  try {
    createFile(file, key)
  } finally {
    wipe(key)
  }
}

const namesIn = (folder: string): readonly string[] => orNone(() => readdirSync(folder)) ?? []

const orNone = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw cause
  }
}
