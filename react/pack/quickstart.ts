/** The pages of react/docs as a developer follows them: blocks of code that name a file, and the packages of `npm install`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageName } from './manifest.ts'

const folder = join(import.meta.dirname, '..', 'docs')

export type QuickstartName = 'vite' | 'next' | 'script' | 'node' | 'wagmi' | 'viem' | 'guide'

export type Quickstart = {
  /** Contents by paths. */
  readonly files: Readonly<Record<string, string>>
  /** Without the SDK itself. */
  readonly dependencies: readonly string[]
  readonly devDependencies: readonly string[]
}

export const quickstart = (name: QuickstartName): Quickstart => {
  const page = readFileSync(join(folder, `${name}.md`), 'utf8').replaceAll('${name}', packageName)
  const files = [...page.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm)].map(
    ([, path = '', text = '']) => [path, text] as const,
  )
  const installs = [...page.matchAll(/^npm install (--save-dev )?(.*)$/gm)].map(
    ([, isDev, named = '']) => [isDev !== undefined, named] as const,
  )
  const named = (areDev: boolean) =>
    installs
      .flatMap(([isDev, names]) => (isDev === areDev ? names.split(' ') : []))
      .filter((one) => !one.includes('${tarball}'))
  return { files: Object.fromEntries(files), dependencies: named(false), devDependencies: named(true) }
}
