/**
 * The file of a backup: age (https://age-encryption.org/v1) around gzip around lines of text. Its reader notices what was
 * added or cut. The first line is the header, and each other one a part.
 */
import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { createGunzip, createGzip } from 'node:zlib'
import { Decrypter, Encrypter } from 'age-encryption'
import * as Data from 'effect/Data'
import type { Environment } from '../../../domain/model/Environment.ts'
import { syncFolder } from '../vault/keyFile.ts'

export type Header = {
  readonly environment: Environment
  readonly cosignerName: string
  /** Milliseconds since 1970. */
  readonly madeAt: number
  /** The names of the migrations that made its schema. */
  readonly migrations: readonly string[]
}

export type Part =
  /** `json`: an array of rows as PostgreSQL's row_to_json writes them; a parser of JavaScript loses digits of numbers. */
  | { readonly kind: 'rows'; readonly table: string; readonly json: string }
  /**
   * A piece of a file of the co-signers' folder, by its name there: `file` is the first, and each `more` comes after the one
   * before. A version that takes a file for one piece refuses the second.
   */
  | { readonly kind: 'file' | 'more'; readonly path: string; readonly bytes: Buffer }

const form = 'tandem-backup/1'

/** Writes what is not there yet; nothing is left of one that fails. `recipients`: as `age1…`. */
export const writeBackup = async (
  file: string,
  recipients: readonly string[],
  header: Header,
  parts: AsyncIterable<Part>,
): Promise<void> => {
  const encrypter = new Encrypter()
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient)
    } catch {
      throw new BackupRefused({
        message: `'${recipient}' is no recipient: one is \`age1\` and 58 characters, as \`backup-key\` prints it.`,
      })
    }
  }
  const partial = `${file}.part`
  const handle = await open(partial, 'wx', 0o600).catch((cause: unknown) => {
    const isThere = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST'
    const reason = 'a backup that was interrupted left it, or another is under way. Remove it where none is'
    throw new BackupRefused({
      message: isThere ? `${partial} is there: ${reason}.` : `${partial} cannot be made (${reasonOf(cause)}).`,
    })
  })
  try {
    const lines = Readable.from(linesOf(header, parts))
    const zipped = createGzip()
    lines.once('error', (cause) => zipped.destroy(cause))
    const sealed = await encrypter.encrypt(Readable.toWeb(lines.pipe(zipped)) as globalThis.ReadableStream<Uint8Array>)
    // `write` may write a part of the bytes and not fail, as on a disk that is nearly full.
    for await (const chunk of sealed as ReadableStream<Uint8Array>) await handle.appendFile(chunk)
    await handle.sync()
    await handle.close()
    await rename(partial, file)
    syncFolder(dirname(file))
  } catch (cause) {
    await handle.close().catch(() => undefined)
    await rm(partial, { force: true })
    throw cause
  }
}

async function* linesOf(header: Header, parts: AsyncIterable<Part>): AsyncGenerator<string> {
  yield `${form} ${JSON.stringify(header)}\n`
  for await (const part of parts)
    yield part.kind === 'rows'
      ? `rows ${part.table} ${part.json}\n`
      : `${part.kind} ${encodeURIComponent(part.path)} ${part.bytes.toString('base64')}\n`
}

/**
 * `identity`: the text of a file of `tandem backup-key`, or of age-keygen. Refused where it does not open the file. `parts` are
 * read once, while `use` lasts.
 */
export const readBackup = async <A>(
  file: string,
  identity: string,
  use: (header: Header, parts: AsyncIterable<Part>) => Promise<A>,
): Promise<A> => {
  const lines = openedLines(file, identity)
  try {
    const first = await lines.next()
    const [, text = ''] = first.done === true ? [] : (/^tandem-backup\/1 (.*)$/s.exec(first.value) ?? [])
    if (text === '') throw new BackupRefused({ message: `${file} is no backup of this version.` })
    return await use(JSON.parse(text) as Header, partsOf(lines))
  } finally {
    await lines.return(undefined)
  }
}

async function* openedLines(file: string, identity: string): AsyncGenerator<string, undefined> {
  const decrypter = new Decrypter()
  const keys = identity.split('\n').filter((line) => line.startsWith('AGE-SECRET-KEY-'))
  if (keys.length === 0) throw new BackupRefused({ message: 'The file of the key has no line AGE-SECRET-KEY-….' })
  const source = createReadStream(file)
  const plain = createGunzip()
  try {
    for (const key of keys) decrypter.addIdentity(key.trim())
    const sealed = Readable.toWeb(source) as globalThis.ReadableStream<Uint8Array>
    const opened = Readable.fromWeb((await decrypter.decrypt(sealed)) as ReadableStream<Uint8Array>)
    opened.once('error', (cause) => plain.destroy(cause))
    yield* linesIn(opened.pipe(plain).setEncoding('utf8') as AsyncIterable<string>)
  } catch (cause) {
    if (cause instanceof Error && 'syscall' in cause && 'code' in cause) {
      const what = cause.code === 'ENOENT' ? 'does not exist' : `cannot be read (${String(cause.code)})`
      throw new BackupRefused({ message: `${file} ${what}.` })
    }
    throw new BackupRefused({
      message: `${file} cannot be opened with this key, or is not as it was written (${reasonOf(cause)}).`,
    })
  } finally {
    plain.destroy()
    source.destroy()
  }
  return undefined
}

/** Not by `node:readline`, which also ends a line at U+2028 and U+2029: both may stand in a row's text. */
async function* linesIn(text: AsyncIterable<string>): AsyncGenerator<string, undefined> {
  let pieces: string[] = []
  for await (const chunk of text) {
    const [rest = '', ...begun] = chunk.split('\n')
    pieces.push(rest)
    for (const next of begun) {
      yield pieces.join('')
      pieces = [next]
    }
  }
  return undefined
}

async function* partsOf(lines: AsyncIterable<string>): AsyncGenerator<Part> {
  for await (const line of lines) {
    const [, kind, name = '', content = ''] = /^(rows|file|more) (\S+) (.*)$/s.exec(line) ?? []
    if (kind === undefined) throw new BackupRefused({ message: 'A line of the backup is none of this version.' })
    yield kind === 'rows'
      ? { kind, table: name, json: content }
      : { kind: kind === 'more' ? kind : 'file', path: decodeURIComponent(name), bytes: Buffer.from(content, 'base64') }
  }
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : 'no reason')

/** Why nothing was copied, checked or restored, as a sentence. */
export class BackupRefused extends Data.TaggedError('BackupRefused')<{ readonly message: string }> {}
