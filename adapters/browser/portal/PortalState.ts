/** The state of a page of the portal. It holds no key, no token and no password. */
import type { Review, ReviewEnd } from '../../../domain/client/portal/review.ts'
import type { AuthMethod } from '../../../domain/model/Credential.ts'
import * as Identity from '../../../domain/model/Identity.ts'
import type { PortalPage } from '../../../domain/model/PortalUrl.ts'
import type { Failure } from './failure.ts'
import type { WorkStep } from './work.ts'

/** The app that asks: its name and origin are the service's records, never the address's parameters. */
export type Requester = { readonly app: string; readonly origin: string }

export type Known = {
  readonly page: PortalPage
  readonly requester: Requester
  /** The account: an e-mail address, a phone number, a name. */
  readonly account: string | undefined
}

type Ready = Known & {
  readonly passkeys: boolean
  /** On login pages: the recovery page, for a person who has lost the credential. */
  readonly recoverUrl?: string | undefined
  /** On the export page: the wallet, and the credentials that the user has. */
  readonly exporting?: { readonly address: string; readonly methods: readonly AuthMethod[] } | undefined
  /** On the review page: what is to be decided, and the credentials for a step-up. */
  readonly reviewing?: { readonly review: Review; readonly methods: readonly AuthMethod[] } | undefined
}

export type PortalState =
  /** Finding out who opened the page. The requester is known before the opener is proven. */
  | { readonly status: 'starting'; readonly page: PortalPage; readonly requester: Requester | undefined }
  /**
   * The person decides whether this app is meant. `ask`: its client cannot prove itself. `redirect`: its window cannot
   * be reached, and the result returns to the address that the app registered; a review returns to no address. `named`:
   * the source of the account; a link's is not verified.
   */
  | (Known & { readonly status: 'asking'; readonly named: 'service' | 'link'; readonly why: 'ask' | 'redirect' })
  /** The person's turn. `failure`: what went wrong with the last try; another may follow. */
  | (Ready & { readonly status: 'ready'; readonly failure: Failure | undefined })
  | (Ready & { readonly status: 'working'; readonly steps: readonly WorkStep[] })
  /** The result is on its way; `missing` counts wallets whose backup this credential does not open. */
  | (Known & { readonly status: 'done'; readonly ends: 'closes' | 'returns'; readonly missing: number })
  /**
   * The private key of the wallet of this address is in the page's memory until it is wiped. `privateKey` of the portal
   * gives the text to show.
   */
  | (Known & { readonly status: 'exported'; readonly address: string; readonly key: 'hidden' | 'shown' | 'gone' })
  /** A review is over. `expired`: its time passed on this page, and the service had no acceptance. */
  | (Known & {
      readonly status: 'reviewed'
      readonly end: ReviewEnd | 'expired'
      readonly by: Review['by'] | undefined
    })
  | {
      readonly status: 'failed'
      readonly page: PortalPage | undefined
      readonly requester: Requester | undefined
      readonly failure: Failure
    }
  /** The person cancelled, and the browser kept the window. `isCertain`: no try before it ended without an answer. */
  | { readonly status: 'left'; readonly requester: Requester | undefined; readonly isCertain: boolean }
  | { readonly status: 'unknown' }

/** The longest e-mail address (RFC 5321 4.5.3.1.3). */
const longest = 254

/**
 * The account as the page shows it within our sentences, although a link can contain any text: `undefined` if it is too
 * long, or has spaces, invisible characters or ones that change the writing direction.
 */
export const shownAccount = (auth: Identity.AuthObject): string | undefined => {
  const identity = Identity.fromAuthObject(auth)
  const text = identity === undefined ? '' : Identity.value(identity)
  return text === '' || text.length > longest || /[\p{C}\p{Z}]/u.test(text) ? undefined : text
}
