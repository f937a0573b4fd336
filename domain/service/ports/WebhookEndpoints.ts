import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'
import type { WebhookEndpoint } from '../Webhook.ts'

/** The addresses of partners' servers. A partner is remembered with whether it has one that is not disabled. */
export class WebhookEndpoints extends Context.Service<
  WebhookEndpoints,
  {
    readonly find: (id: string) => Effect.Effect<Option.Option<WebhookEndpoint>>
    /** Oldest first. */
    readonly ofPartner: (partnerId: string) => Effect.Effect<readonly WebhookEndpoint[]>
    readonly create: (endpoint: WebhookEndpoint) => Effect.Effect<void>
    /** Compare-and-set of the secret's number. */
    readonly rotate: (
      id: string,
      from: number,
      secrets: Pick<WebhookEndpoint, 'sealedSecret' | 'sealedOldSecret' | 'oldSecretUntil'>,
    ) => Effect.Effect<boolean>
    readonly setDisabled: (id: string, disabledAt: number | null) => Effect.Effect<void>
  }
>()('tandem/service/WebhookEndpoints') {}
