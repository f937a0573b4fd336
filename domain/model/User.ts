/** What a client stores of its user. */
import { isPresent } from './Identity.ts'

export type User = {
  readonly userId?: string | null | undefined
  readonly email?: string | null | undefined
  readonly phone?: string | null | undefined
  readonly countryCode?: string | null | undefined
  readonly telegramUserId?: string | null | undefined
  readonly farcasterUsername?: string | null | undefined
}

/** The user's phone as one text, country code first, or `undefined` without either part. */
export const phoneOf = ({ phone, countryCode }: User): string | undefined =>
  isPresent(phone) && isPresent(countryCode) ? `${countryCode}${phone}` : undefined
