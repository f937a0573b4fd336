/** Why an operator's flow on a partner was not done. */
import type { NotFound } from '../../domain/service/NotFound.ts'
import type { PartnerRefused } from '../../domain/service/partnerChanges.ts'
import type { Problem } from './Verb.ts'

/** `message`: the sentence for what does not exist. */
export const missing =
  (message: string) =>
  (refusal: NotFound | PartnerRefused): Problem =>
    refusal._tag === 'NotFound'
      ? { code: 'failed', message, fix: 'tandem partner list' }
      : { code: 'failed', message: refusal.problems.join('\n'), fix: 'Correct what is named.' }

export const noPartner = (partnerId: string): string => `There is no partner ${partnerId}.`
