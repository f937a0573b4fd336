/** Workers of the outboxes. Every process with the role of the API has them. */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { channels, type Channel } from '../../domain/service/UserMessage.ts'
import { Outbox } from '../../domain/service/ports/Outbox.ts'
import { UserMessages } from '../../domain/service/ports/UserMessages.ts'
import * as userMessages from '../../domain/service/userMessages.ts'
import * as webhooks from '../../domain/service/webhooks.ts'

/** How often a worker looks for what other processes have added, or what is due again. */
const look = '2 seconds'
/** After a failure of its own, such as a lost database. */
const pause = '30 seconds'

/** `deliver`: one round, which answers how much it took. A failure is logged; what was leased is due again later. */
const worker = <R1, R2>(
  what: string,
  deliver: Effect.Effect<number, never, R1>,
  added: Effect.Effect<void, never, R2>,
) => {
  const once = Effect.flatMap(deliver, (taken) => (taken === 0 ? Effect.timeoutOption(added, look) : Effect.void))
  const round = Effect.catchCause(once, (cause) =>
    Effect.andThen(Effect.logWarning(`${what} are not delivered`, cause), Effect.sleep(pause)),
  )
  return Layer.effectDiscard(Effect.forkScoped(Effect.forever(round)))
}

export const webhookDelivery = worker(
  'webhooks',
  webhooks.deliverDue(),
  Effect.flatMap(Outbox, ({ added }) => added),
)

/** One for each channel, so that a provider that hangs holds up the other's messages not at all. */
const channelDelivery = (channel: Channel) =>
  worker(
    `messages by ${channel}`,
    userMessages.deliverDue(channel),
    Effect.flatMap(UserMessages, ({ added }) => added(channel)),
  )

export const messageDelivery = Layer.mergeAll(channelDelivery(channels[0]), ...channels.slice(1).map(channelDelivery))
