/**
 * The one key-encryption key of deployments before there were rings: 32 bytes in a file, as 64 hex digits, in DEV with a
 * mark that other environments refuse. It is read until the rings are made, and by what makes them.
 */
import type { Environment } from '../../../domain/model/Environment.ts'
import { fromHex } from '../../../domain/crypto/Hex.ts'
import { isPrivate, readKeyFile } from './keyFile.ts'
import { KeyFileRefused } from './KeyFileRefused.ts'

export const notPrivate = 'can be read by others than its owner; its mode has to be 0600 or 0400'

const developmentMark = 'development '

/** `undefined` if there is no file. Throws `KeyFileRefused` if it holds no key for this environment. */
export const readKeyEncryptionKey = (file: string, environment: Environment): Uint8Array | undefined => {
  const refuse = (what: string) => new KeyFileRefused('KEY_ENCRYPTION_KEY_FILE', file, what)
  const text = readKeyFile(file)?.trim()
  if (text === undefined) return undefined
  const isDevelopment = text.startsWith(developmentMark)
  if (isDevelopment && environment !== 'DEV')
    throw refuse(`holds a development key, which ${environment} does not accept`)
  const key = fromHex(isDevelopment ? text.slice(developmentMark.length) : text, 32)
  if (key === undefined) throw refuse('does not hold 64 hex digits')
  if (environment !== 'DEV' && !isPrivate(file)) throw refuse(notPrivate)
  return key
}
