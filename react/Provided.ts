/** Makes what a provider holds. It is made once; the SDK in it is made with its first use. */
import { createElement } from 'react'
import { Para, type EventDetail, type ParaOptions } from '../adapters/browser/sdk.ts'
import * as ConnectUrl from '../domain/model/ConnectUrl.ts'
import * as Environment from '../domain/model/Environment.ts'
import { accountSetup } from '../domain/model/Events.ts'
import type { Client } from './Client.ts'
import type { Provided } from './context.ts'
import { makeModalStore } from './ModalStore.ts'
import { hasReturned } from './returning.ts'

export type WalletSettings = {
  /** DEV, SANDBOX, BETA or PROD, or one of their other names. */
  readonly environment: string
  /** The publishable key that the operator gave. */
  readonly apiKey: string
  /**
   * Hosts of your own deployment, as origins without a path. DEV has the local ports as defaults; elsewhere all but
   * `oauth` are needed, else calls fail with `EnvNotSupported`.
   */
  readonly hosts?: Partial<Environment.Hosts> | undefined
  /** Further options of the SDK; its theme is the modal's too. */
  readonly options?: Omit<ParaOptions, 'hosts'> | undefined
  /** The app's name in the modal; its host by default. */
  readonly appName?: string | undefined
  /** Instead of the SDK, for tests of an app. */
  readonly client?: Client | undefined
}

export const provide = (settings: WalletSettings): Provided => {
  const modal = makeModalStore(async () => {
    const { Modal } = await import('./modal/Modal.tsx')
    return () => createElement(Modal)
  })
  const { environment, apiKey, hosts } = settings
  const { portal = '', connect = '' } = Environment.named(environment, hosts)
  let made: Client | undefined
  let holds = 0
  let showingSecret = 0

  const client = () => (made ??= settings.client ?? makeClient(settings))
  const onSecret = ({ data: { recoverySecret } }: EventDetail<typeof accountSetup>) => {
    if (recoverySecret !== null && showingSecret === 0) modal.show(recoverySecret)
  }

  return {
    client,
    modal,
    withSecretShown: async (verb) => {
      showingSecret += 1
      try {
        return await verb()
      } finally {
        showingSecret -= 1
      }
    },
    hold: () => {
      holds += 1
      if (hasReturned()) modal.open()
      const stops = [client().on(accountSetup, onSecret), client().session.subscribe(nothing)]
      return () => {
        for (const stop of stops) stop()
        holds -= 1
        queueMicrotask(() => {
          if (holds === 0) void client().dispose()
        })
      }
    },
    appName: settings.appName,
    portalHost: portal.replace(/^\w+:\/\//, ''),
    recoverUrl: (email) => ConnectUrl.recover(connect, { apiKey, email }),
    theme: settings.options?.theme ?? {},
  }
}

const makeClient = ({ environment, apiKey, hosts, options }: WalletSettings): Client =>
  new Para(environment, apiKey, { ...options, ...(hosts === undefined ? {} : { hosts }) })

const nothing = () => undefined
