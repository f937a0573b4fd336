import type { Plugin } from 'vite'

/** The curves, and what computes on them. */
const needsAll = (importer: string): boolean => /\/node_modules\/|\/domain\/mpc\/(?:dkls|ed25519)\//.test(importer)

/**
 * Builds the sources with a copy of SHA-2 of their own. A bundler keeps of a module what any chunk uses of it: the curves use SHA-512, which
 * is 2 kB that each page had without need. The other copy comes with the curves.
 */
export const ownHashes: Plugin = {
  name: 'tandem:own-hashes',
  enforce: 'pre',
  async resolveId(id, importer, options) {
    if (id !== '@noble/hashes/sha2.js' || importer === undefined || needsAll(importer)) return undefined
    const found = await this.resolve(id, importer, { ...options, skipSelf: true })
    return found === null ? null : `${found.id}?own`
  },
}
