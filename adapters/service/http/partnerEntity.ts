import type { Success } from '../../../generated/handlers.ts'
import type { Partner } from '../../../domain/service/Partner.ts'

/** A partner as pages may see it: theme and names, none of its settings. */
export const partnerEntity = (partner: Partner): Success<'getPartner'>['partner'] => ({
  id: partner.id,
  displayName: partner.displayName,
  ...(partner.portalUrl === null ? {} : { portalUrl: partner.portalUrl }),
  policiesEnabled: partner.policiesEnabled,
  supportedAuthMethods: [...partner.supportedAuthMethods],
  ...partner.theme,
})
