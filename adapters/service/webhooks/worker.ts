/** The delivery of messages to partners' servers. Every process with the role of the API does it. */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { Outbox } from '../../../domain/service/ports/Outbox.ts'
import { deliverDue } from '../../../domain/service/webhooks.ts'

/** How often it looks for what other processes have added, or what is due again. */
const look = '2 seconds'
/** After a failure of its own, such as a lost database. */
const pause = '30 seconds'

const once = Effect.gen(function* () {
  const delivered = yield* deliverDue()
  if (delivered === 0) yield* Effect.timeoutOption((yield* Outbox).added, look)
})

/** A failure is logged; what it had leased is due again when the lease is over. */
const round = Effect.catchCause(once, (cause) =>
  Effect.andThen(Effect.logWarning('webhooks are not delivered', cause), Effect.sleep(pause)),
)

export const webhookDelivery = Layer.effectDiscard(Effect.forkScoped(Effect.forever(round)))
