/** The fence beside the database, a file of one line: `<database generation> <done> <intended>`. */
import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { FenceFile, FenceMark } from '../database/fence.ts'
import { writeDurably } from './keyFile.ts'

export const fenceFileAt = (file: string): FenceFile => ({
  read: () => {
    try {
      return parse(readFileSync(file, 'utf8')) ?? notOne(file)
    } catch (cause) {
      if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
      throw cause
    }
  },
  write: ({ id, done, intended }) => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const next = `${file}.${randomUUID()}`
    try {
      writeDurably(next, `${[id, done, intended].filter((part) => part !== undefined).join(' ')}\n`)
      renameSync(next, file)
      syncFolder(dirname(file))
    } finally {
      rmSync(next, { force: true })
    }
  },
})

const parse = (text: string): FenceMark | undefined => {
  const [, id = '', done = '', intended] = /^(\S+) ([0-9]+)(?: ([0-9]+))?\s*$/.exec(text) ?? []
  if (id === '') return undefined
  return { id, done: Number(done), intended: intended === undefined ? undefined : Number(intended) }
}

const notOne = (file: string): never => {
  throw new Error(`${file} holds no incarnation`)
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
