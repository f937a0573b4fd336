import type { Plugin } from 'vite'

const copy = '?own'

const isLibrary = (id: string): boolean => id.includes('/node_modules/@noble/hashes/')

/** The curves and ciphers, with what computes on them. */
const needsAll = (id: string): boolean =>
  /\/node_modules\/@noble\/(?!hashes\/)|\/domain\/mpc\/(?:dkls|ed25519)\//.test(id) ||
  (isLibrary(id) && !id.endsWith(copy))

/**
 * Builds the sources with a copy of @noble/hashes of their own. A bundler keeps of a module what any chunk uses of it: the curves use
 * SHA-512 and more, which is 2.5 kB that each page had without need. The other copy comes with the curves.
 */
export const ownHashes: Plugin = {
  name: 'tandem:own-hashes',
  enforce: 'pre',
  async resolveId(id, importer, options) {
    if (importer === undefined || needsAll(importer)) return undefined
    if (!id.startsWith('@noble/hashes/') && !importer.endsWith(copy)) return undefined
    const from = importer.endsWith(copy) ? importer.slice(0, -copy.length) : importer
    const found = await this.resolve(id, from, { ...options, skipSelf: true })
    return found !== null && isLibrary(found.id) ? `${found.id}${copy}` : found
  },
}
