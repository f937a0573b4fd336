/** Files with one key each: readable by this user alone, written atomically. */
import { randomBytes, randomUUID } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

export const readKeyFile = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw cause
  }
}

/** Whether only its owner can read the file; Windows does not say. */
export const isPrivate = (file: string): boolean => process.platform === 'win32' || (statSync(file).mode & 0o077) === 0

/** Writes the file unless it exists, and returns its content: concurrent callers all get the same key. */
export const createKeyFile = (file: string, text: string): string => {
  createFile(file, text)
  return readFileSync(file, 'utf8')
}

/** Writes the file unless it exists. Does not sync its folder. */
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
 * Overwrites the file before removing it, unless another process did so first. File systems that copy on write keep the
 * old content (adapters/service/vault/README.md#share-keys).
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

/** In the place of the file that is there, if one is. When it returns, the new one is durable under its name. */
export const replaceDurably = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const next = `${file}.${randomUUID()}`
  try {
    writeDurably(next, text)
    renameSync(next, file)
    syncFolder(dirname(file))
  } finally {
    rmSync(next, { force: true })
  }
}

/** Makes a new name in the folder durable. Windows has no such call and needs none. */
export const syncFolder = (folder: string): void => {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/**
 * A folder that was moved away and copied back, or another in its place: what is appended to the file that is open would be read by
 * no other process, and be gone with this one.
 */
export const requireSameFile = (handle: number, file: string): void => {
  const [open, there] = [fstatSync(handle), statSync(file, { throwIfNoEntry: false })]
  if (there?.ino === open.ino && there.dev === open.dev) return
  throw new Error(`${file} is not the file that this process has open: bring it back, and start the process again`)
}

/**
 * Of a file that only grows: begins a flush where something is not flushed, also what another process appended and died, and gives what
 * is to be called once it is done. A system that failed to write a page tries it no more, and the next flush succeeds
 * without it, so after one that failed there is none.
 */
export const flushOf = (handle: number, what: string): (() => (() => void) | undefined) => {
  let flushedTo = 0
  let hasFailed = false
  return () => {
    const { size } = fstatSync(handle)
    if (size === flushedTo) return undefined
    if (hasFailed) throw new Error(`${what} could not be flushed before: start the process again on a sound disk`)
    // Until it is done.
    hasFailed = true
    return () => {
      hasFailed = false
      flushedTo = size
    }
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
