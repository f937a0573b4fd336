/**
 * For many runs around the arithmetic: a process that imports this before anything else has signatures of
 * P-256 and Ed25519 without curves, and each share text is checked once. What is accepted and what is refused stays
 * the same.
 */
import { registerHooks } from 'node:module'

const here = new URL('.', import.meta.url).href
const there = (path: string) => new URL(path, import.meta.url).href

const curves = new Map([
  ['@noble/curves/nist.js', there('nist.ts')],
  ['@noble/curves/ed25519.js', there('ed25519.ts')],
])
const modules = new Map([
  [there('../../../domain/mpc/ShareText.ts'), there('ShareText.ts')],
  [there('../../../adapters/service/node/Signatures.ts'), there('Signatures.ts')],
])

registerHooks({
  resolve: (specifier, context, next) => {
    if (context.parentURL?.startsWith(here) === true) return next(specifier, context)
    const curve = curves.get(specifier)
    if (curve !== undefined) return { url: curve, shortCircuit: true }
    const found = next(specifier, context)
    return { ...found, url: modules.get(found.url) ?? found.url }
  },
})

// Each traced call takes the stack of its caller.
Error.stackTraceLimit = 0
