/** The recovery page in a browser: of this window's address, with everything behind it. */
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import { hostOf, originOf } from '../../../domain/model/Url.ts'
import { readRecover, recoverPath } from '../../../domain/model/ConnectUrl.ts'
import { makeRecovery, type Recovery } from '../connect.ts'
import { readDeployment, type Deployment } from '../deployment.ts'
import type { Services } from '../flows.ts'
import { loadedAddress, showAddress } from '../historyAddress.ts'
import { Listeners } from '../Listeners.ts'
import { PopupWindow } from '../Popup.ts'
import { openPortalWindow } from '../portalWindow.ts'
import { makeRuntime, settingsOf } from '../runtime.ts'

/** Undefined where the address is another page's. */
export const recoveryInWindow = (): Recovery | undefined => {
  const address = loadedAddress()
  const asked = readRecover(address)
  if (asked === undefined) return undefined
  // The address bar and the browser's history must not show the person's e-mail address.
  showAddress(recoverPath, address)
  const { apiKey, email } = asked
  let deployment: Deployment | undefined
  let runtime: ReturnType<typeof makeRuntime> | undefined

  const obtain = Effect.gen(function* () {
    deployment ??= yield* readDeployment
    const { environment, hosts } = deployment
    runtime ??= makeRuntime(settingsOf(environment, apiKey, { hosts }), {}, new Listeners(), PopupWindow)
    return runtime
  })
  return makeRecovery({
    host: window.location.host,
    email,
    portalHost: () => hostOf(originOf(deployment?.hosts.portal ?? '')),
    run: async <A, E>(flow: Effect.Effect<A, E, Services>, signal?: AbortSignal) => {
      const obtained = await Effect.runPromiseExit(obtain)
      if (Exit.isFailure(obtained)) return Exit.failCause(obtained.cause)
      return obtained.value.runPromiseExit(flow, signal === undefined ? {} : { signal })
    },
    openWindow: () => openPortalWindow('CREATE_PASSKEY'),
  })
}
