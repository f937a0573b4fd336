/** A person on the recovery page, which runs as it does in a browser, against a real service and over HTTP. */
import * as Exit from 'effect/Exit'
import * as Layer from 'effect/Layer'
import { expect, vi } from 'vitest'
import { makeRecovery, type Recovery, type RecoveryState } from '../../adapters/browser/connect.ts'
import { Listeners } from '../../adapters/browser/Listeners.ts'
import { makeRuntime, settingsOf } from '../../adapters/browser/runtime.ts'
import { developmentHosts } from '../../domain/model/Environment.ts'
import { hostsOf, mailedCode, makeStorage, type BrowserStorage, type Person, type Place } from '../service/people.ts'
import { PasswordHashOnce } from './passwordHash.ts'
import { portalPlayer } from './portalPlayer.ts'

/** The configuration's own origin of the recovery page. */
export const connect = developmentHosts.connect

export type Recoverer = Recovery & {
  readonly storage: BrowserStorage
  /** The backups that a secret opened, for as long as anything references them. */
  readonly opened: readonly WeakRef<object>[]
  /** Waits until the page shows this. */
  readonly until: <S extends RecoveryState['status']>(
    status: S,
  ) => Promise<Extract<RecoveryState, { readonly status: S }>>
  readonly close: () => Promise<void>
}

export type RecovererOptions = {
  readonly password: string
  readonly email?: string
  /** The storage of a browser in which the page was open before. */
  readonly storage?: BrowserStorage
}

/** Opens the page. Its windows of the portal make a password. */
export const openRecovery = (
  { addresses, partner }: Pick<Place, 'addresses' | 'partner'>,
  { password, email, storage = makeStorage() }: RecovererOptions,
): Recoverer => {
  const hosts = { ...hostsOf(addresses), connect }
  const settings = settingsOf('DEV', partner.apiKey, { hosts, origin: connect })
  const player = { environment: 'DEV', hosts, hostOrigin: connect, password, passwordHash: PasswordHashOnce } as const
  const runtime = makeRuntime(
    settings,
    { storage: storage.override, logLevel: 'None' },
    new Listeners(),
    Layer.fresh(portalPlayer(player)),
  )
  const opened: WeakRef<object>[] = []
  const recovery = makeRecovery({
    host: 'localhost:3008',
    portalHost: () => 'localhost:3003',
    email,
    run: async (flow, signal) => {
      const exit = await runtime.runPromiseExit(flow, signal === undefined ? {} : { signal })
      const value: unknown = Exit.isSuccess(exit) ? exit.value : undefined
      if (typeof value === 'object' && value !== null && 'isSigned' in value) opened.push(new WeakRef(value))
      return exit
    },
    openWindow: () => undefined,
  })
  const until = async <S extends RecoveryState['status']>(status: S) => {
    await vi.waitFor(() => expect(recovery.get().status).toBe(status), { timeout: 60_000, interval: 10 })
    return recovery.get() as Extract<RecoveryState, { readonly status: S }>
  }
  return { ...recovery, storage, opened, until, close: () => runtime.dispose() }
}

/** A recovery with a new password, up to the new secret. */
export const recover = async (
  place: Place,
  { email, recoverySecret, password }: Pick<Person, 'email' | 'recoverySecret' | 'password'>,
): Promise<Recoverer> => {
  const page = openRecovery(place, { email, password })
  await page.until('email')
  await page.submitEmail(email)
  await page.until('code')
  await page.submitCode(await mailedCode(place, email))
  await page.until('secret')
  await page.submitSecret(recoverySecret ?? '')
  await page.until('credential')
  void page.setUp('PASSWORD')
  await page.until('secret-made')
  return page
}
