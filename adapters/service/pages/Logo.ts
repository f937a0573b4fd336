/** The operator's logo, which the pages of portal and connect show beside the name. */
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import * as Result from 'effect/Result'

export type Logo = { readonly type: string; readonly bytes: Uint8Array }

/** Where the pages' listeners serve it. */
export const logoPath = '/operator-logo'

const types: Readonly<Record<string, string>> = { '.svg': 'image/svg+xml', '.png': 'image/png', '.webp': 'image/webp' }

const maximumBytes = 100 * 1024

/** The failure is the rest of a sentence that begins with the setting's name. */
export const readLogo = (file: string): Result.Result<Logo, string> => {
  const type = types[extname(file).toLowerCase()]
  if (type === undefined) return Result.fail(`is '${file}', which is none of ${Object.keys(types).join(', ')}`)
  const bytes = Result.try({ try: () => readFileSync(file), catch: () => `is '${file}', which cannot be read` })
  return Result.flatMap(bytes, (found) =>
    found.length > maximumBytes
      ? Result.fail(`is '${file}', which has more than 100 KiB`)
      : Result.succeed({ type, bytes: found }),
  )
}
