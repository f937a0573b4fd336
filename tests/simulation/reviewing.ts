/** A person in front of the page of a review: mostly they accept what it shows, at once or after a while. */
import * as Effect from 'effect/Effect'
import type { PortalSession } from '../../domain/client/portal/portalSession.ts'
import { denyReview, loadReview } from '../../domain/client/portal/review.ts'
import { acceptWith } from '../kit/portalPlayer.ts'
import type { Decision } from './permissions.ts'
import type { Sim } from './Sim.ts'

/** In ms; the last is longer than most clients wait. */
const thinking = [0, 1_000, 8_000, 60_000]

export const reviewing =
  (sim: Sim, accepted: (decision: Decision) => void) => (portalSession: PortalSession, password: string) =>
    Effect.gen(function* () {
      const review = yield* loadReview(portalSession)
      if (typeof review === 'string') return
      yield* Effect.sleep(thinking[sim.choose(thinking.length, 'how long the person thinks')] ?? 0)
      const choice = sim.choose(5, 'what the person says')
      // They turn away, and the page stays open.
      if (choice === 4) return
      if (choice === 3) {
        yield* denyReview(portalSession, review)
        return
      }
      const { pendingTransactionId: id, contentHash, stepUp } = review
      accepted({ id, contentHash, by: 'user', withPassword: stepUp })
      yield* acceptWith(portalSession, review, password)
    })
