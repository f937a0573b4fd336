/** The page of a short link as its React component sees it: a state that changes, and one verb. */
import * as Cause from 'effect/Cause'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import { openShortLink, readShortLink } from '../../../domain/client/portal/openShortLink.ts'
import { hostOf, originOf } from '../../../domain/model/Url.ts'
import type { Api } from '../../../domain/client/ports/Api.ts'
import type { Navigation } from '../../../domain/client/ports/Navigation.ts'
import { SessionStateMemory } from '../../../domain/client/SessionState.ts'
import type { ApiError } from '../../../domain/model/ApiError.ts'
import { ApiHttp } from '../Api.ts'
import { watchAttention } from '../attention.ts'
import { DeviceKeysWebCrypto } from '../DeviceKeys.ts'
import { NavigationWindow } from '../Navigation.ts'
import { StorageMemory } from '../Storage.ts'
import { makeStore, type Readable } from '../store.ts'
import { SettingsFromOrigin } from './inWindow.ts'

/**
 * `gone`: already fetched, or too old. `refused`: not an address of the portal. `unreachable`: it may still be valid.
 */
export type ShortLinkStatus = 'ready' | 'opening' | 'leaving' | 'gone' | 'refused' | 'unreachable'

export type ShortLinkPage = Readable<ShortLinkStatus> & {
  readonly host: string
  /** Whether the deciding button may be pressed (attention.ts). */
  readonly attention: Readable<boolean>
  readonly open: () => Promise<void>
}

export type ShortLinkParts = {
  readonly url: string
  readonly services: Layer.Layer<Api | Navigation, ApiError>
  readonly attention: Readable<boolean>
}

/** Undefined where the address is no short link. */
export const makeShortLink = ({ url, services, attention }: ShortLinkParts): ShortLinkPage | undefined => {
  const link = readShortLink(url)
  if (link === undefined) return undefined
  const store = makeStore<ShortLinkStatus>(link.secret === undefined ? 'refused' : 'ready')
  const open = async () => {
    const status = store.get()
    if ((status !== 'ready' && status !== 'unreachable') || !attention.get()) return
    store.set('opening')
    const exit = await Effect.runPromiseExit(Effect.provide(openShortLink(url), services))
    store.set(Exit.isSuccess(exit) ? 'leaving' : statusOf(Option.getOrUndefined(Cause.findErrorOption(exit.cause))))
  }
  return { subscribe: store.subscribe, get: store.get, host: hostOf(originOf(url)), attention, open }
}

const statusOf = (failure: Failure | undefined): ShortLinkStatus => {
  if (failure?._tag !== 'ApiError') return 'refused'
  if (failure.status === 404) return 'gone'
  return failure.status !== undefined && failure.status < 429 ? 'refused' : 'unreachable'
}

type Failure = Effect.Error<ReturnType<typeof openShortLink>> | ApiError

/** Of this window's address. */
export const shortLinkInWindow = (): ShortLinkPage | undefined => {
  const base = Layer.mergeAll(NavigationWindow, StorageMemory, SessionStateMemory)
  const services = ApiHttp().pipe(
    Layer.provide(DeviceKeysWebCrypto),
    Layer.provideMerge(SettingsFromOrigin.pipe(Layer.provideMerge(base))),
  )
  return makeShortLink({ url: window.location.href, services, attention: watchAttention() })
}
