/** Files that hold one key: readable by this user alone, and there whole or not at all. */
import { randomBytes, randomUUID } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

export const readKeyFile = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw cause
  }
}

/** Writes the file unless it is there; of several at once all get the one that stands. */
export const createKeyFile = (file: string, text: string): string => {
  createFile(file, text)
  return readFileSync(file, 'utf8')
}

/** Writes the file unless it is there. Its folder is not synced. */
export const createFile = (file: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const mine = `${file}.${randomUUID()}`
  writeDurably(mine, content)
  try {
    linkSync(mine, file)
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause
  } finally {
    rmSync(mine, { force: true })
  }
}

/**
 * Overwrites what the file holds before it removes it, unless another copy of the service did first. A file system that
 * copies on write keeps more than we can reach.
 */
export const destroyKeyFile = (file: string): void => {
  try {
    const handle = openSync(file, 'r+')
    try {
      writeSync(handle, randomBytes(fstatSync(handle).size))
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) throw cause
  } finally {
    rmSync(file, { force: true })
  }
}

export const writeDurably = (file: string, content: string | Uint8Array): void => {
  const handle = openSync(file, 'wx', 0o600)
  try {
    if (typeof content === 'string') writeSync(handle, content)
    else writeSync(handle, content)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
