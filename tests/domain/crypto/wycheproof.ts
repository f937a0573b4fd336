/**
 * Test vectors of C2SP/wycheproof, which are not part of this repository: `WYCHEPROOF` names a folder with copies of
 * its `testvectors_v1`. Without one a suite says so in one line and checks nothing.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Group = Readonly<Record<string, unknown>> & { readonly tests: readonly Vector[] }

/** Bytes are hex. */
export type Vector = Readonly<Record<string, string | number>> & {
  readonly tcId: number
  readonly result: 'valid' | 'invalid' | 'acceptable'
}

const folder = process.env['WYCHEPROOF'] ?? fileURLToPath(new URL('../../../../shared/vectors', import.meta.url))

/** The groups of one file, or none when there is no such file. */
export const wycheproof = (name: string): readonly Group[] => {
  const path = join(folder, `${name}.json`)
  if (!existsSync(path)) {
    process.stdout.write(`wycheproof ${name}: no vectors (WYCHEPROOF is not set), nothing checked\n`)
    return []
  }
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly testGroups: readonly Group[] }).testGroups
}

export const bytesOf = (vector: Vector, name: string): Buffer => Buffer.from(String(vector[name]), 'hex')
