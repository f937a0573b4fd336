/**
 * The layer of an app's page: an adapter for every port, chosen by the platform and the app's options.
 */
import * as Layer from 'effect/Layer'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import * as References from 'effect/References'
import * as Result from 'effect/Result'
import type { Popup } from '../../domain/client/ports/Popup.ts'
import { Settings, type MailLook } from '../../domain/client/ports/Settings.ts'
import { SessionStateMemory } from '../../domain/client/SessionState.ts'
import { WalletStateMemory } from '../../domain/client/WalletState.ts'
import * as Environment from '../../domain/model/Environment.ts'
import { kernelSource, type Loading } from '../../domain/model/MpcWorker.ts'
import type { Theme } from '../../domain/model/Theme.ts'
import * as WalletTypes from '../../domain/model/WalletTypes.ts'
import { ApiHttp } from './Api.ts'
import { CosignerHttp } from './Cosigner.ts'
import { DeviceKeysWebCrypto } from './DeviceKeys.ts'
import { EventsOf } from './Events.ts'
import { MpcLate } from './lateMpc.ts'
import type { Listeners } from './Listeners.ts'
import { LocksWeb } from './Locks.ts'
import { NavigationHost } from './Navigation.ts'
import { RandomWebCrypto } from './Random.ts'
import { RsaWebCrypto } from './Rsa.ts'
import { ShareStoreSealed, ShareStoreText } from './ShareStore.ts'
import { StorageWeb, type StorageOverride } from './Storage.ts'
import { TabsWeb } from './Tabs.ts'

/** What an app may choose. */
export type ParaOptions = Loading & {
  /**
   * Hosts of your own deployment, as origins without a path. DEV has the local ports as defaults; elsewhere all but
   * `oauth` are needed, by https unless they are of this machine, else calls fail with `EnvNotSupported`.
   */
  readonly hosts?: Partial<Environment.Hosts>
  /** For example `{ EVM: true, SOLANA: { optional: true } }`; without it, the partner's setting counts. */
  readonly supportedWalletTypes?: WalletTypes.WalletTypesMap
  readonly theme?: Theme
  readonly mailLook?: MailLook
  /**
   * Storage instead of the browser's, for example on a server. It holds secrets as text. A read has to see the last
   * write, also when several pages share the storage.
   */
  readonly storage?: StorageOverride
  /** On a server: the origin of the app for which it speaks. A page's own origin cannot be changed. */
  readonly origin?: string
  /** The protocols are computed on the page's own thread. */
  readonly disableWorkers?: boolean
  /**
   * The least that is logged to the console; warnings by default. Two lines are written at every level: that the service
   * refuses the page's origin, with the command that adds it, and why the session of a page cannot be looked up.
   */
  readonly logLevel?: 'Debug' | 'Info' | 'Warn' | 'Error' | 'None'
}

export const settingsOf = (name: string, apiKey: string | undefined, options: ParaOptions): Settings['Service'] => {
  const environment = Result.getOrThrow(Environment.parse(name))
  // An invalid setting throws at once. A kernel that cannot be fetched is replaced by JavaScript.
  if (options.useLocalFiles === true) Result.getOrThrow(kernelSource(options, environment))
  return {
    environment,
    hosts: Environment.ofName(name, wholeHosts(name, options)),
    apiKey,
    origin: typeof window === 'undefined' ? (options.origin ?? '') : window.location.origin,
    theme: options.theme ?? {},
    mailLook: options.mailLook ?? {},
    supportedWalletTypes:
      options.supportedWalletTypes === undefined
        ? undefined
        : Result.getOrThrow(WalletTypes.fromMap(options.supportedWalletTypes)),
  }
}

/** `oauth` may be missing: the SDK reads it nowhere. */
const wholeHosts = (name: string, { hosts }: ParaOptions): Environment.Hosts => {
  const whole = { oauth: '', ...Environment.named(name, hosts) }
  for (const host of ['api', 'cosigner', 'portal', 'connect'] as const) {
    const given = `${whole[host]}`
    if (/^https?:\/\/[^\s/?#@]+$/.test(given) && (name === 'DEV' || isSafe.test(given))) continue
    throw new Environment.EnvNotSupported({ env: name, why: `: hosts.${host} is ${given}, not https://host` })
  }
  return whole as Environment.Hosts
}

/** By https, or this machine. */
const isSafe = /^https|[/.](localhost|127\.0\.0\.1|\[::1])(:|$)/

export const makeRuntime = (
  settings: Settings['Service'],
  options: ParaOptions,
  listeners: Listeners,
  popups: Layer.Layer<Popup>,
) => {
  const base = Layer.mergeAll(
    Layer.succeed(Settings, settings),
    StorageWeb(options.storage),
    SessionStateMemory,
    WalletStateMemory,
    RandomWebCrypto,
    RsaWebCrypto,
    LocksWeb(options.storage),
    TabsWeb,
    NavigationHost,
    EventsOf(listeners),
    popups,
  )
  const hasDatabase = options.storage === undefined && typeof indexedDB !== 'undefined'
  const hasWorkers = options.disableWorkers !== true && typeof window !== 'undefined' && typeof Worker !== 'undefined'
  const stores = Layer.mergeAll(
    DeviceKeysWebCrypto,
    hasDatabase ? ShareStoreSealed : ShareStoreText,
    MpcLate(({ MpcWorker, MpcInline }) => (hasWorkers ? MpcWorker(options) : MpcInline)),
  ).pipe(Layer.provideMerge(base))
  const remote = Layer.mergeAll(ApiHttp(), CosignerHttp()).pipe(Layer.provideMerge(stores))
  // Below all adapters: the worker's lines are written under what its adapter was built with.
  const logLevel = Layer.succeed(References.MinimumLogLevel, options.logLevel ?? 'Warn')
  return ManagedRuntime.make(Layer.provideMerge(remote, logLevel))
}
