import * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'

/** Device tokens by password record, kept in the portal's origin (domain/client/README.md#login-by-password). */
export type DeviceTokens = {
  readonly find: (passwordId: string) => Effect.Effect<string | undefined>
  readonly keep: (passwordId: string, deviceToken: string) => Effect.Effect<void>
}

/** A page that keeps none counts as unknown at each login. */
export const DeviceTokens = Context.Reference<DeviceTokens>('tandem/client/DeviceTokens', {
  defaultValue: () => ({ find: () => Effect.undefined, keep: () => Effect.void }),
})
