/** What a page of the portal does for the app, and what is continued after it. */
import * as Effect from 'effect/Effect'
import * as AccountEntry from '../../../domain/client/accountEntry.ts'
import { exportPrivateKey } from '../../../domain/client/exportPrivateKey.ts'
import { passkeySetup, passwordSetup, setUpCredential } from '../../../domain/client/setUpCredential.ts'
import type { Flows } from '../flows.ts'
import { takeReturned } from '../returned.ts'
import { emailOf } from './emailOf.ts'

export { awaitPortalSession } from '../../../domain/client/accountEntry.ts'

export const flows = {
  setUpPassword: () => Effect.andThen(setUpCredential(passwordSetup), AccountEntry.finishSetup()),
  setUpPasskey: () => Effect.andThen(setUpCredential(passkeySetup), AccountEntry.finishSetup()),
  finishSetup: () => AccountEntry.finishSetup(),
  login: ({ email, ...login }) => AccountEntry.enter(emailOf({ email }), login),
  resume: () =>
    Effect.suspend(() => {
      const address = takeReturned()
      return address === undefined
        ? AccountEntry.resume()
        : Effect.andThen(AccountEntry.receive(address), AccountEntry.resume())
    }),
  exportPrivateKey: (wallet) => exportPrivateKey(wallet?.walletId),
} satisfies Partial<Flows>

/** A redirect's result is handled once: by the page's start or by the first call. */
export const resumeFromRedirect = () =>
  Effect.suspend(() => {
    const address = takeReturned()
    return address === undefined ? Effect.void : AccountEntry.resumeFromRedirect(address)
  })
