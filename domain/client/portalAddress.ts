import * as Effect from 'effect/Effect'
import * as Partner from '../model/Partner.ts'
import * as PortalUrl from '../model/PortalUrl.ts'
import * as Theme from '../model/Theme.ts'
import { originOf } from '../model/Url.ts'
import { Api } from './ports/Api.ts'
import { Settings } from './ports/Settings.ts'
import { currentSession } from './touch.ts'

/** The address of a portal page for this partner, and the only origin that its messages may come from. */
export const portalAddress = Effect.fn('partners.portalAddress')(function* (page: PortalUrl.Page) {
  const { hosts, apiKey, theme, supportedWalletTypes } = yield* Settings
  const { partnerId } = yield* currentSession
  const { partner } = yield* (yield* Api).call('getPartner', { path: { partnerId: partnerId ?? '' } })
  const bases = { hosts, partnerPortalUrl: partner.portalUrl }
  const common = {
    apiKey,
    partnerId: partner.id,
    theme: Theme.merged(theme, Partner.theme(partner)),
    supportedWalletTypes,
  }
  const url = yield* Effect.fromResult(PortalUrl.build(bases, page, common))
  return { url, origin: originOf(PortalUrl.base(bases, page.type)) }
})
