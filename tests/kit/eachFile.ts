/** Before each file of tests: how properties are tried, and that the next file in this process finds what this one found. */
import fc from 'fast-check'
import { afterAll, vi } from 'vitest'
import { isLong } from './long.ts'

// fast-check says its seed and path with each failure: TANDEM_SEED=-1819918769 TANDEM_PATH=42:1 npm test -- FILE -t NAME
const { TANDEM_SEED: seed, TANDEM_PATH: path } = process.env
fc.configureGlobal({
  ...(isLong ? { numRuns: 1_000 } : {}),
  ...(seed === undefined ? {} : { seed: Number(seed) }),
  ...(path === undefined ? {} : { path }),
})

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
