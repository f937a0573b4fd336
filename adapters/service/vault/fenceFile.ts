/** The fence beside the database, a file of one line: `<database generation> <done> <intended>`. */
import { readFileSync } from 'node:fs'
import type { FenceFile, FenceMark } from '../database/fence.ts'
import { replaceDurably } from './keyFile.ts'

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
    replaceDurably(file, `${[id, done, intended].filter((part) => part !== undefined).join(' ')}\n`)
  },
})

const parse = (text: string): FenceMark | undefined => {
  const [, id = '', done = '', intended] = /^(\S+) ([0-9]+)(?: ([0-9]+))?\s*$/.exec(text) ?? []
  if (id === '') return undefined
  return { id, done: Number(done), intended: intended === undefined ? undefined : Number(intended) }
}

const notOne = (file: string): never => {
  throw new Error(`${file} holds no database generation`)
}
