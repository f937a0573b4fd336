/** The portal in a browser: the page of this window's address, with everything behind it. */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as References from 'effect/References'
import * as Result from 'effect/Result'
import { Navigation } from '../../../domain/client/ports/Navigation.ts'
import { Settings } from '../../../domain/client/ports/Settings.ts'
import { SessionStateMemory } from '../../../domain/client/SessionState.ts'
import * as PortalUrl from '../../../domain/model/PortalUrl.ts'
import { ApiHttp } from '../Api.ts'
import { watchAttention } from '../attention.ts'
import { readDeployment } from '../deployment.ts'
import { DeviceKeysWebCrypto } from '../DeviceKeys.ts'
import { DeviceTokensStored } from '../DeviceTokens.ts'
import { loadedAddress, showAddress } from '../historyAddress.ts'
import { NavigationWindow } from '../Navigation.ts'
import { OpenerWindow } from '../Opener.ts'
import { PasskeysWebAuthn } from '../Passkeys.ts'
import { PasswordHashWorker } from '../PasswordHashWorker.ts'
import { makePortal, type Portal } from '../portal.ts'
import { RandomWebCrypto } from '../Random.ts'
import { RsaWebCrypto } from '../Rsa.ts'
import { SeededRsaForge } from '../SeededRsa.ts'
import { StorageMemory, StorageWeb } from '../Storage.ts'

export const portalInWindow = (): Portal => {
  // Address and opener are read once: a hostile opener can change the fragment, or navigate itself, at any time.
  const url = loadedAddress()
  const navigation = NavigationOf(url).pipe(Layer.provide(NavigationWindow))
  const windows = Effect.runSync(Effect.scoped(Layer.build(Layer.mergeAll(OpenerWindow, navigation))))
  const base = Layer.mergeAll(Layer.succeedContext(windows), StorageMemory, SessionStateMemory)
  const api = ApiHttp().pipe(
    Layer.provide(DeviceKeysWebCrypto),
    Layer.provideMerge(SettingsFromOrigin.pipe(Layer.provideMerge(base))),
  )
  const services = Layer.mergeAll(
    api,
    RsaWebCrypto,
    RandomWebCrypto,
    PasswordHashWorker,
    PasskeysOfOperator,
    Layer.provide(DeviceTokensStored, StorageWeb()),
    SeededRsaForge({ worker: '/static/js/prime.worker.min.js' }),
    Layer.succeed(References.MinimumLogLevel, 'Warn'),
  )
  // The code of the verbs is loaded before a press: a page that is offline by then can still show its error.
  void Promise.allSettled([import('../argon2id.ts'), import('../rsaKeys.ts')])
  return makePortal({ url, services, attention: watchAttention() })
}

const PasskeysOfOperator = Layer.unwrap(Effect.map(readDeployment, ({ operator }) => PasskeysWebAuthn(operator.name)))

/** Strips the parameters from the address bar and the browser's history: they hold keys and identities. */
const NavigationOf = (url: string) =>
  Layer.effect(
    Navigation,
    Effect.map(Navigation, (navigation) => ({
      ...navigation,
      url: Effect.succeed(url),
      replace: (to: string) => Effect.sync(() => showAddress(to, url)),
    })),
  )

/** The deployment comes from the page's own origin; the app's key from its address. */
export const SettingsFromOrigin = Layer.effect(
  Settings,
  Effect.gen(function* () {
    const { environment, hosts } = yield* readDeployment
    const url = yield* (yield* Navigation).url
    const parameters = Result.getOrUndefined(PortalUrl.read(url))?.parameters
    return {
      environment,
      hosts,
      apiKey: parameters?.['apiKey'],
      origin: window.location.origin,
      theme: {},
      mailLook: {},
      supportedWalletTypes: undefined,
    }
  }),
)
