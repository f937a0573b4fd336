/** The operator's logo, which the pages of portal and connect show beside the name. */
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { StartRefusal } from '../StartRefusal.ts'

export type Logo = { readonly type: string; readonly bytes: Uint8Array }

/** Where the pages' listeners serve it. */
export const logoPath = '/operator-logo'

const types: Readonly<Record<string, string>> = { '.svg': 'image/svg+xml', '.png': 'image/png', '.webp': 'image/webp' }

const maximumBytes = 100 * 1024

/** Throws a `StartRefusal` where the file is no image that pages show. */
export const readLogo = (file: string): Logo => {
  const refuse = (what: string) =>
    new StartRefusal({ message: `OPERATOR_LOGO_FILE is '${file}', which ${what}.`, of: 'configuration' })
  const type = types[extname(file).toLowerCase()]
  if (type === undefined) throw refuse(`is none of ${Object.keys(types).join(', ')}`)
  const bytes = bytesOf(file)
  if (bytes === undefined) throw refuse('cannot be read')
  if (bytes.length > maximumBytes) throw refuse('has more than 100 KiB')
  return { type, bytes }
}

const bytesOf = (file: string): Uint8Array | undefined => {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}
