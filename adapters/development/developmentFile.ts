/** `.tandem/dev.json`: what a development stack made at its first start, for scripts. Only its owner can read it. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as Schema from 'effect/Schema'

const Keys = Schema.Struct({ apiKey: Schema.String, secretKey: Schema.String, partnerId: Schema.String })
export type Keys = typeof Keys.Type

export type DevelopmentFile = Keys & {
  /** By role, with `chain` and `mailbox`. */
  readonly addresses: Readonly<Record<string, string>>
  readonly faucet?: { readonly address: string; readonly privateKey: string }
}

/** The keys of an earlier start; whether they still are any, the database knows. */
export const readKeys = (file: string): Keys | undefined => {
  try {
    return decodeKeys(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

const decodeKeys = Schema.decodeSync(Schema.fromJsonString(Keys))

export const writeDevelopmentFile = (file: string, content: DevelopmentFile): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const next = `${file}.${randomUUID()}`
  writeFileSync(next, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  renameSync(next, file)
}
