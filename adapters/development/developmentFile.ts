/** `.tandem/dev.json`: what a development stack made at its first start, for scripts. Only its owner can read it. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export type DevelopmentFile = {
  readonly apiKey: string
  readonly secretKey: string
  readonly partnerId: string
  /** By role, with `chain` and `mailbox`. */
  readonly addresses: Readonly<Record<string, string>>
  readonly faucet?: { readonly address: string; readonly privateKey: string }
}

export type Keys = Pick<DevelopmentFile, 'apiKey' | 'secretKey' | 'partnerId'>

/** The keys of an earlier start; whether they still are any, the database knows. */
export const readKeys = (file: string): Keys | undefined => {
  try {
    const found: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isKeys(found) ? found : undefined
  } catch {
    return undefined
  }
}

export const writeDevelopmentFile = (file: string, content: DevelopmentFile): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const next = `${file}.${randomUUID()}`
  writeFileSync(next, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  renameSync(next, file)
}

const isKeys = (value: unknown): value is Keys =>
  typeof value === 'object' &&
  value !== null &&
  (['apiKey', 'secretKey', 'partnerId'] as const).every(
    (name) => name in value && typeof value[name as never] === 'string',
  )
