/**
 * The key-encryption key: 32 bytes in a file, as 64 hex digits. In DEV the first start makes one with a mark that other
 * environments refuse; elsewhere the operator makes it, readable by the service's user alone.
 */
import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import * as Redacted from 'effect/Redacted'
import type { Environment } from '../../../domain/model/Environment.ts'
import { fromHex } from '../../../domain/crypto/Hex.ts'
import { StartRefusal } from '../StartRefusal.ts'
import { createKeyFile, readKeyFile } from './keyFile.ts'

/** What protects the key, for the log of a start. */
export const protectionOf = (file: string, environment: Environment): string =>
  environment === 'DEV'
    ? `a key made for development in ${file}`
    : `the file ${file}, which only the user of this process can read`

const developmentMark = 'development '

export const loadKeyEncryptionKey = (file: string, environment: Environment): Redacted.Redacted<Uint8Array> => {
  const refuse = (what: string) => new StartRefusal({ message: `KEY_ENCRYPTION_KEY_FILE: ${file} ${what}.` })
  const found = readKeyFile(file)
  if (found === undefined && environment !== 'DEV') throw refuse('does not exist')
  const text = (found ?? createKeyFile(file, `${developmentMark}${randomBytes(32).toString('hex')}\n`)).trim()
  const isDevelopment = text.startsWith(developmentMark)
  if (isDevelopment && environment !== 'DEV')
    throw refuse(`holds a development key, which ${environment} does not accept`)
  const key = fromHex(isDevelopment ? text.slice(developmentMark.length) : text, 32)
  if (key === undefined) throw refuse('does not hold 64 hex digits')
  if (environment !== 'DEV' && process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
    throw refuse('can be read by others than its owner; its mode has to be 0600 or 0400')
  }
  return Redacted.make(key, { label: 'KEY_ENCRYPTION_KEY_FILE' })
}
