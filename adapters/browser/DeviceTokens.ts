/** In local storage of the portal's origin. A login goes on where there is no storage, or no room in it. */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { DeviceTokens } from '../../domain/client/ports/DeviceTokens.ts'
import { Storage } from '../../domain/client/ports/Storage.ts'
import { deviceToken } from '../../domain/model/StorageKeys.ts'

export const DeviceTokensStored = Layer.effect(
  DeviceTokens,
  Effect.map(Storage, ({ local }) => ({
    find: (passwordId: string) => Effect.catchCause(local.get(deviceToken(passwordId)), () => Effect.undefined),
    keep: (passwordId: string, token: string) => Effect.ignoreCause(local.set(deviceToken(passwordId), token)),
  })),
)
