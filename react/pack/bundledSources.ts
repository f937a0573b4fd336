/** Of what a bundle is made: react/build.ts builds it again when one of these has changed. */
import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Plugin } from 'vite'

const root = join(import.meta.dirname, '..', '..')

/** Records every file of ours that a bundle is made from. The lockfile stands for the packages. */
export const collecting = (sources: Set<string>): Plugin => ({
  name: 'tandem:sources',
  buildEnd() {
    for (const id of this.getModuleIds()) {
      const file = id.split('?')[0] ?? ''
      const path = pathFrom(root, file)
      if (!/^(\.\.|node_modules|dist)\//.test(path) && existsSync(file)) sources.add(path)
    }
  },
})

/** As manifests and addresses have it. */
export const pathFrom = (folder: string, file: string): string => relative(folder, file).split(sep).join('/')
