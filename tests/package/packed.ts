/** The SDK's tarball, packed once in a run: files are processes of their own, so the first that asks packs for all. */
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

const root = join(import.meta.dirname, '..', '..')

/** `place` is a folder of the run that does not exist yet, or where another process packs or has packed. */
const pack = async (place: string): Promise<string> => {
  const said = join(place, 'said.json')
  const isFirst = (await mkdir(place, { recursive: true })) !== undefined
  if (isFirst) {
    const verdict = await run(process.execPath, ['react/pack/main.ts', join(place, 'package')], { cwd: root }).then(
      ({ stdout }) => ({ tarball: stdout.trim().split('\n').at(-1) }),
      (cause: unknown) => ({ failure: String(cause) }),
    )
    await writeFile(`${said}.part`, JSON.stringify(verdict))
    await rename(`${said}.part`, said)
  }
  while (!existsSync(said)) await new Promise((resolve) => setTimeout(resolve, 100))
  const { tarball, failure } = JSON.parse(readFileSync(said, 'utf8')) as Verdict
  if (tarball === undefined) throw new Error(`the package is not built: ${failure ?? ''}`)
  return tarball
}

type Verdict = { readonly tarball?: string; readonly failure?: string }

let packing: Promise<string> | undefined

/** The tarball's path. */
export const packed = (): Promise<string> => (packing ??= pack(process.env['TANDEM_PACKED'] ?? ''))
