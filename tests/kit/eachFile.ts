/** Before each file of tests: how properties are tried, and that the next file in this process finds what this one found. */
import fc from 'fast-check'
import * as Redacted from 'effect/Redacted'
import { afterAll, expect, vi } from 'vitest'
import { compiledFolder } from './child.ts'
import { isLong } from './long.ts'

// What this process starts, co-signer's threads and whole services, compiles what others have compiled no second time. The
// process itself read its variables before: it would keep each module of vitest as well, and end slowly.
process.env['NODE_COMPILE_CACHE'] ??= compiledFolder

// fast-check says its seed and path with each failure: TANDEM_SEED=-1819918769 TANDEM_PATH=42:1 npm test -- FILE -t NAME
const { TANDEM_SEED: seed, TANDEM_PATH: path } = process.env
fc.configureGlobal({
  ...(isLong ? { numRuns: 1_000 } : {}),
  ...(seed === undefined ? {} : { seed: Number(seed) }),
  ...(path === undefined ? {} : { path }),
})

// Two secrets are equal where their values are: the objects themselves have nothing to compare.
expect.addEqualityTesters([
  function (one: unknown, other: unknown) {
    const areSecrets = Redacted.isRedacted(one) && Redacted.isRedacted(other)
    return areSecrets ? this.equals(Redacted.value(one), Redacted.value(other)) : undefined
  },
])

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
