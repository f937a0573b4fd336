/**
 * A lock on the data folder: PGlite opens a folder twice without an error and corrupts it. The lock names its process;
 * the lock of a dead process is taken over.
 */
import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { StartRefusal } from '../StartRefusal.ts'

/** Takes the lock or throws a `StartRefusal`; returns the function that releases it. */
export const lockFolder = (folder: string): (() => void) => {
  const lock = `${folder}.lock`
  const mine = `${lock}.${randomUUID()}`
  const text = `${process.pid} ${startOf(process.pid)}\n`
  writeFileSync(mine, text, { mode: 0o600 })
  try {
    for (;;) {
      if (link(mine, lock)) return () => releaseLock(lock, text)
      const holder = read(lock)
      if (holder === undefined) continue
      if (isAlive(holder)) {
        const [pid = ''] = holder.split(' ')
        throw new StartRefusal({ message: `The data folder ${folder} is in use by process ${pid}.`, of: 'database' })
      }
      takeAway(lock, holder)
    }
  } finally {
    rmSync(mine, { force: true })
  }
}

/**
 * Renames before removing, so that of two processes that find the same dead lock neither removes the other's new one.
 */
const takeAway = (lock: string, dead: string): void => {
  const aside = `${lock}.${randomUUID()}`
  try {
    renameSync(lock, aside)
  } catch {
    return
  }
  if (read(aside) !== dead) link(aside, lock)
  rmSync(aside, { force: true })
}

const releaseLock = (lock: string, text: string): void => {
  if (read(lock) === text) rmSync(lock, { force: true })
}

const link = (from: string, to: string): boolean => {
  try {
    linkSync(from, to)
    return true
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return false
    throw cause
  }
}

const read = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

const isAlive = (holder: string): boolean => {
  const [pidText = '', start = ''] = holder.trim().split(' ')
  const pid = Number(pidText)
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM'
  }
  return startOf(pid) === start
}

/** When a process started, if the system tells it: tells a reused process id apart. */
const startOf = (pid: number): string => {
  const status = read(`/proc/${pid}/stat`)
  return status?.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
