/** What a provider holds for the components beneath it. It is made once, and the SDK in it with its first use. */
import { createElement } from 'react'
import { Para, type ParaOptions } from '../adapters/browser/sdk.ts'
import * as ConnectUrl from '../domain/model/ConnectUrl.ts'
import * as Environment from '../domain/model/Environment.ts'
import { accountSetup } from '../domain/model/Events.ts'
import type { Theme } from '../domain/model/Theme.ts'
import type { Client } from './Client.ts'
import { makeModalStore, type ModalStore } from './ModalStore.ts'
import { hasReturned } from './returning.ts'

export type WalletSettings = {
  /** DEV, SANDBOX, BETA or PROD, or one of their other names. */
  readonly environment: string
  /** The publishable key that the operator gave. */
  readonly apiKey: string
  /** Hosts of an own deployment; DEV has the local ports as defaults. */
  readonly hosts?: Partial<Environment.Hosts> | undefined
  /** What else the SDK may be told; its theme is the modal's too. */
  readonly options?: Omit<ParaOptions, 'hosts'> | undefined
  /** What the modal calls the app; without it, by its host. */
  readonly appName?: string | undefined
  /** Instead of the SDK, for tests of an app. */
  readonly client?: Client | undefined
}

export type Provided = {
  readonly client: () => Client
  readonly modal: ModalStore
  /** Runs a verb whose caller shows the recovery secret itself. */
  readonly sayingSecret: <A>(verb: () => Promise<A>) => Promise<A>
  /** For as long as the provider is there. A provider that comes back at once, as under StrictMode, never was away. */
  readonly hold: () => () => void
  readonly appName: string | undefined
  readonly portalHost: string
  /** Where wallets come back to who has lost the passkey or password. */
  readonly recoverUrl: (email: string) => string
  readonly theme: Theme
}

export const provide = (settings: WalletSettings): Provided => {
  const modal = makeModalStore(async () => {
    const { Modal } = await import('./modal/Modal.tsx')
    return () => createElement(Modal)
  })
  let made: Client | undefined
  let holds = 0
  let tellers = 0

  const client = () => (made ??= settings.client ?? makeClient(settings))
  const heard = ({ data }: { readonly data: unknown }) => {
    const secret = secretIn(data)
    if (secret !== undefined && tellers === 0) modal.show(secret)
  }

  return {
    client,
    modal,
    sayingSecret: async (verb) => {
      tellers += 1
      try {
        return await verb()
      } finally {
        tellers -= 1
      }
    },
    hold: () => {
      holds += 1
      if (hasReturned()) modal.open()
      const stops = [client().on(accountSetup, heard), client().session.subscribe(nothing)]
      return () => {
        for (const stop of stops) stop()
        holds -= 1
        queueMicrotask(() => {
          if (holds === 0) void client().dispose()
        })
      }
    },
    appName: settings.appName,
    portalHost: portalHostOf(settings),
    recoverUrl: (email) => recoverUrlOf(settings, email),
    theme: settings.options?.theme ?? {},
  }
}

const makeClient = ({ environment, apiKey, hosts, options }: WalletSettings): Client =>
  new Para(environment, apiKey, { ...options, ...(hosts === undefined ? {} : { hosts }) })

const portalHostOf = ({ hosts }: WalletSettings): string =>
  (hosts?.portal ?? Environment.developmentHosts.portal).replace(/^\w+:\/\//, '')

const recoverUrlOf = ({ hosts, apiKey }: WalletSettings, email: string): string =>
  ConnectUrl.recover(hosts?.connect ?? Environment.developmentHosts.connect, { apiKey, email })

const secretIn = (data: unknown): string | undefined =>
  typeof data === 'object' && data !== null && 'recoverySecret' in data && typeof data.recoverySecret === 'string'
    ? data.recoverySecret
    : undefined

const nothing = () => undefined
