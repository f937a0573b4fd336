/** Partners as an operator makes and changes them (domain/service/README.md#partners). */
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'
import * as Schema from 'effect/Schema'
import { authMethods } from '../model/Credential.ts'
import type { Environment } from '../model/Environment.ts'
import { defaultCosmosPrefix } from '../model/Limits.ts'
import { walletTypes } from '../model/WalletTypes.ts'
import { recordChange } from './operator.ts'
import { isLocalOrigin, PartnerTheme, type PartnerRecord } from './Partner.ts'
import { keyIdOf, lockedPartner, macOf } from './partnerKeys.ts'
import * as partners from './partners.ts'
import { Deployment } from './ports/Deployment.ts'
import { Partners } from './ports/Partners.ts'
import { Transaction } from './ports/Transaction.ts'

/** What an operator sets. A policy and a freeze have verbs of their own. */
export type PartnerSettings = Omit<PartnerRecord, 'id' | 'hasPolicy' | 'isFrozen'>

const initial: Omit<PartnerSettings, 'displayName' | 'origins'> = {
  portalUrl: null,
  returnUrls: [],
  theme: {},
  supportedAuthMethods: authMethods,
  supportedWalletTypes: walletTypes.map((type) => ({ type })),
  cosmosPrefix: defaultCosmosPrefix,
  strict: false,
  allowsNoOrigin: false,
  allowsUnprovenClients: false,
}

/** With a key of each kind, whose texts are shown only here. Refused with `PartnerRefused`, which names each problem. */
export const createPartner = Effect.fn('partnerChanges.create')(function* (
  given: Pick<PartnerSettings, 'displayName' | 'origins'> & Partial<PartnerSettings>,
  reason: string | undefined,
) {
  const settings = yield* checked({ ...initial, ...given })
  return yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const made = yield* partners.create(settings)
      yield* recordChange({ event: 'partner.created', partnerId: made.partner.id }, reason)
      const publishable = { id: keyIdOf(yield* macOf(made.apiKey)), key: made.apiKey }
      const secret = { id: keyIdOf(yield* macOf(made.secretKey)), key: made.secretKey }
      return { partner: made.partner, publishable, secret }
    }),
  )
})

/** Refused with `NotFound` or `PartnerRefused`. Names what was changed in the audit, and not to what. */
export const changePartner = Effect.fn('partnerChanges.change')(function* (
  id: string,
  changes: Partial<PartnerSettings>,
  reason: string | undefined,
) {
  return yield* change(id, () => changes, reason)
})

/** Beside those that it has. Refused like `changePartner`. */
export const addOrigins = Effect.fn('partnerChanges.addOrigins')(function* (
  id: string,
  origins: readonly string[],
  reason: string | undefined,
) {
  return yield* change(id, (before) => ({ origins: [...before.origins, ...origins] }), reason)
})

const change = Effect.fnUntraced(function* (
  id: string,
  changesOf: (before: PartnerRecord) => Partial<PartnerSettings>,
  reason: string | undefined,
) {
  const port = yield* Partners
  return yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const before = yield* lockedPartner(id)
      const changes = changesOf(before)
      const after = { ...before, ...(yield* checked({ ...before, ...changes })) }
      yield* port.replace(after)
      const changed = Object.keys(changes).toSorted().join(' ')
      yield* recordChange({ event: 'partner.changed', partnerId: id, detail: { changed } }, reason)
      return after
    }),
  )
})

/** Refuses the partner's calls with `PartnerFrozen` until it is unfrozen, and signs nothing for its users. */
export const freezePartner = Effect.fn('partnerChanges.freeze')((id: string, reason: string | undefined) =>
  setFrozen(id, true, reason),
)

export const unfreezePartner = Effect.fn('partnerChanges.unfreeze')((id: string, reason: string | undefined) =>
  setFrozen(id, false, reason),
)

const setFrozen = Effect.fnUntraced(function* (id: string, isFrozen: boolean, reason: string | undefined) {
  const port = yield* Partners
  return yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      yield* lockedPartner(id)
      yield* port.setFrozenAt(id, isFrozen ? yield* Clock.currentTimeMillis : null)
      yield* recordChange({ event: isFrozen ? 'partner.frozen' : 'partner.unfrozen', partnerId: id }, reason)
    }),
  )
})

/** All of them, by name. */
export const listPartners = Effect.flatMap(Partners, ({ list }) => list)

const checked = Effect.fnUntraced(function* (settings: PartnerSettings) {
  const { environment } = yield* Deployment
  const problems = problemsOf(settings, environment)
  if (problems.length > 0) return yield* new PartnerRefused({ problems })
  return { ...settings, origins: [...new Set(settings.origins)].toSorted() }
})

const readTheme = Schema.decodeUnknownResult(PartnerTheme)

const problemsOf = (settings: PartnerSettings, environment: Environment): readonly string[] => {
  const { displayName, portalUrl, origins, returnUrls, theme, cosmosPrefix } = settings
  const { supportedAuthMethods, supportedWalletTypes } = settings
  const themed = readTheme(theme, { onExcessProperty: 'error' })
  return [
    isName(displayName) ? [] : 'The name has to be 1 to 100 characters on one line.',
    portalUrl === null || isPage(portalUrl, environment) ? [] : `The portal's address ${wrongPage(portalUrl)}`,
    origins.map((origin) => problemOfOrigin(origin, environment)),
    returnUrls.map((url) => (isPage(url, environment) ? [] : `The return address ${wrongPage(url)}`)),
    Result.isSuccess(themed) ? [] : 'The theme has a field that is not known, or is no text.',
    supportedAuthMethods.length > 0 ? [] : 'At least one way to authenticate has to be there.',
    supportedWalletTypes.length > 0 ? [] : 'At least one type of wallet has to be there.',
    /^[a-z][a-z0-9]{0,50}$/.test(cosmosPrefix) ? [] : `'${cosmosPrefix}' is no prefix of Cosmos addresses.`,
  ].flat(2)
}

const isName = (name: string): boolean => name.trim() !== '' && name.length <= 100 && !/[\p{Cc}\p{Cs}]/u.test(name)

const wrongPage = (url: string): string => `'${url}' is not an address that begins with https://.`

const host = String.raw`(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[[0-9a-f:]+\])`
const exactOrigin = new RegExp(`^https?://${host}(?::[1-9][0-9]{0,4})?$`)

/** As browsers send it: lower case, without a path, and without the port that its scheme has anyway. */
const problemOfOrigin = (origin: string, environment: Environment): readonly string[] => {
  if (!exactOrigin.test(origin) || /^http:.*:80$|^https:.*:443$/.test(origin))
    return [`'${origin}' is not an origin as browsers send it, like https://shop.example or https://shop.example:8443.`]
  return isSecure(origin, environment) ? [] : [`'${origin}' is not https, and ${environment} asks for it.`]
}

/** Browsers give the cryptography that clients need to pages of https and of this machine alone. */
const isSecure = (address: string, environment: Environment): boolean =>
  environment === 'DEV' || address.startsWith('https://') || isLocalOrigin(address, 'DEV')

const isPage = (url: string, environment: Environment): boolean => {
  const [origin = ''] = /^https?:\/\/[^/?#@\s]+/.exec(url) ?? []
  return problemOfOrigin(origin, environment).length === 0 && !/[\s\p{Cc}\p{Cs}]/u.test(url)
}

/** `problems`: a sentence for each. */
export class PartnerRefused extends Data.TaggedError('PartnerRefused')<{ readonly problems: readonly string[] }> {
  override get message() {
    return this.problems.join(' ')
  }
}
