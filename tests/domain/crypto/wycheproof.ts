/**
 * Test vectors of C2SP/wycheproof, which are not part of this repository: `WYCHEPROOF` names a folder with copies of
 * its `testvectors_v1`. Without one their tests are skipped, and say why; with one each file has to be there.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { it } from 'vitest'

export type Group = Readonly<Record<string, unknown>> & { readonly tests: readonly Vector[] }

/** Bytes are hex. */
export type Vector = Readonly<Record<string, string | number>> & {
  readonly tcId: number
  readonly result: 'valid' | 'invalid' | 'acceptable'
}

const named = process.env['WYCHEPROOF']
const folder = named ?? fileURLToPath(new URL('../../../../shared/vectors', import.meta.url))

/** A test of vectors. */
export const itWithVectors = (name: string, test: () => void | Promise<void>): void => {
  if (named === undefined && !existsSync(folder)) it.skip(`${name} (no vectors: WYCHEPROOF names no folder)`, test)
  else it(name, test)
}

type File = { readonly numberOfTests: number; readonly testGroups: readonly Group[] }

/** The groups of one file, whole. */
export const wycheproof = (name: string): readonly Group[] => {
  const { numberOfTests, testGroups } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as File
  const found = testGroups.flatMap(({ tests }) => tests).length
  if (found === 0 || found !== numberOfTests) throw new Error(`${name} has ${found} of ${numberOfTests} vectors`)
  return testGroups
}

export const bytesOf = (vector: Vector, name: string): Buffer => Buffer.from(String(vector[name]), 'hex')
