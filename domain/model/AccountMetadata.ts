/** A user's OAuth accounts: a map by account name, each entry with the date on which it was linked. */
import type { Method } from './OAuth.ts'

/** Accounts as the wire names them: in lower case, and Twitter by its newer name. */
export const accounts = ['google', 'apple', 'discord', 'facebook', 'farcaster', 'telegram', 'x'] as const
export type Account = (typeof accounts)[number]

export type Entry = { readonly date: Date; readonly metadata?: unknown }
export type AccountMetadata = { readonly [A in Account]?: Entry }

/** The account of a login method. */
export const accountOf = (method: Method): Account => {
  switch (method) {
    case 'GOOGLE':
      return 'google'
    case 'TWITTER':
      return 'x'
    case 'APPLE':
      return 'apple'
    case 'DISCORD':
      return 'discord'
    case 'FACEBOOK':
      return 'facebook'
    case 'FARCASTER':
      return 'farcaster'
    case 'TELEGRAM':
      return 'telegram'
  }
}

/** Reads the wire's map, in which dates are texts. A missing map is an empty one; what cannot be read is left out. */
export const fromWire = (
  map: Readonly<Record<string, { readonly date: string; readonly metadata?: unknown } | undefined>> | null | undefined,
): AccountMetadata =>
  Object.fromEntries(
    accounts.flatMap((account) => {
      const entry = map?.[account]
      if (entry === undefined) return []
      const date = new Date(entry.date)
      return Number.isNaN(date.getTime()) ? [] : [[account, { ...entry, date }]]
    }),
  )
