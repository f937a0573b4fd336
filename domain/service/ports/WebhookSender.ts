import * as Context from 'effect/Context'
import * as Data from 'effect/Data'
import type * as Effect from 'effect/Effect'

/**
 * Sends to the servers of partners. Outside DEV it speaks https alone, and connects to public addresses alone, and to the
 * ones that it has looked up and checked.
 */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /** Why nothing can be sent to this address, as far as the address itself says. */
    readonly refusalOf: (url: string) => string | undefined
    /** The status of the answer, whose body is not read. A redirect is an answer, too. */
    readonly post: (
      url: string,
      headers: Readonly<Record<string, string>>,
      body: string,
    ) => Effect.Effect<number, WebhookNotSent>
  }
>()('tandem/service/WebhookSender') {}

/** The address is refused, or no answer came. */
export class WebhookNotSent extends Data.TaggedError('WebhookNotSent')<{ readonly reason: string }> {
  override readonly message = this.reason
}
