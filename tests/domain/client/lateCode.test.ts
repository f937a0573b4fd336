import * as Effect from 'effect/Effect'
import { expect, it, vi } from 'vitest'
import { withCode } from '../../../adapters/browser/SdkError.ts'
import { following, mending, otherRequests, reviewing } from '../../../domain/client/lateCode.ts'

const missing = vi.hoisted(() => () => {
  throw new TypeError('Failed to fetch dynamically imported module')
})
vi.mock('../../../domain/client/refreshKeys.ts', missing)
vi.mock('../../../domain/client/review.ts', missing)
vi.mock('../../../domain/client/otherRequests.ts', missing)
vi.mock('../../../domain/client/cosignerChain.ts', missing)

it.each([
  ['mends a wallet', mending(() => Effect.void)],
  ['waits for a review', reviewing(() => Effect.void)],
  ['reads other requests', otherRequests(() => Effect.void)],
  ['follows the co-signer', following(() => Effect.void)],
])('code that %s and cannot be fetched counts as no answer', async (_, flow) => {
  const error = await Effect.runPromise(Effect.flip(flow))

  expect(withCode(error)).toMatchObject({ _tag: 'ApiError', code: 'ConnectionError' })
})
