/**
 * A user's identity: exactly one of six kinds. On the wire it is an auth object, a set of optional fields; here it is a
 * union, so that two kinds at once cannot be expressed.
 */
import * as Data from 'effect/Data'
import * as Result from 'effect/Result'

export type Identity =
  | { readonly kind: 'email'; readonly email: string }
  | { readonly kind: 'phone'; readonly phone: string; readonly countryCode: string }
  | { readonly kind: 'farcasterUsername'; readonly farcasterUsername: string }
  | { readonly kind: 'telegramUserId'; readonly telegramUserId: string }
  | { readonly kind: 'externalWalletAddress'; readonly externalWalletAddress: string }
  | { readonly kind: 'userId'; readonly userId: string }

export type Kind = Identity['kind']

/** The fields of an auth object, as they come from callers, queries and storage. */
export type AuthObject = {
  readonly email?: string | null | undefined
  readonly phone?: string | null | undefined
  readonly countryCode?: string | null | undefined
  readonly farcasterUsername?: string | null | undefined
  readonly telegramUserId?: string | null | undefined
  readonly externalWalletAddress?: string | null | undefined
  readonly userId?: string | null | undefined
}

/** The texts 'null' and 'undefined' and the empty text count as absent: the public client sends them. */
export const isPresent = (value: string | null | undefined): value is string =>
  value !== undefined && value !== null && value !== '' && value !== 'null' && value !== 'undefined'

/**
 * The one identity of an auth object, or `undefined` when there is none, more than one, or a phone without its country
 * code. A user id is none: see `fromAuthObjectOrUserId`.
 */
export const fromAuthObject = (auth: AuthObject): Identity | undefined => {
  const identity = fromAuthObjectOrUserId(auth)
  return identity?.kind === 'userId' ? undefined : identity
}

/** The same for calls in which a user id is allowed as well. */
export const fromAuthObjectOrUserId = (auth: AuthObject): Identity | undefined => {
  const [only, ...others] = candidates(auth)
  return only !== undefined && others.length === 0 ? only.identity : undefined
}

/** Fails when there is no identity. */
export const required = (identity: Identity | undefined): Result.Result<Identity, InvalidAuthObject> =>
  identity === undefined ? Result.fail(new InvalidAuthObject()) : Result.succeed(identity)

/** The auth object of an identity: its fields and nothing else. */
export const toAuthObject = ({ kind: _, ...fields }: Identity): AuthObject => fields

/** The identity's value. A phone is its country code joined to the number. */
export const value = (identity: Identity): string => {
  switch (identity.kind) {
    case 'email':
      return identity.email
    case 'phone':
      return `${identity.countryCode}${identity.phone}`
    case 'farcasterUsername':
      return identity.farcasterUsername
    case 'telegramUserId':
      return identity.telegramUserId
    case 'externalWalletAddress':
      return identity.externalWalletAddress
    case 'userId':
      return identity.userId
  }
}

const keySuffix: { readonly [K in Kind]: string } = {
  email: '',
  phone: '',
  farcasterUsername: '-farcaster',
  telegramUserId: '-telegram',
  externalWalletAddress: '-external-wallet',
  userId: '',
}

/** The identity's key: the value itself, or the value with its kind's suffix. */
export const key = (identity: Identity): string => value(identity) + keySuffix[identity.kind]

/** Kinds of identifiers that are compared: the three of pregenerated wallets and those that only other clients send. */
export type IdentifierKind = 'EMAIL' | 'PHONE' | 'TELEGRAM' | 'CUSTOM_ID' | 'DISCORD' | 'TWITTER'

/**
 * Whether two identifiers of a kind name the same person. An identifier whose normal form is empty matches none.
 */
export const matches = (kind: IdentifierKind, a: string, b: string): boolean =>
  normalForm(kind, a) !== '' && normalForm(kind, a) === normalForm(kind, b)

/**
 * What identifiers of a kind are compared by: e-mail without case, phone as international digits, custom id as it is,
 * any other kind (such as a handle) without case and without one leading @.
 */
export const normalForm = (kind: IdentifierKind, identifier: string): string => {
  switch (kind) {
    case 'EMAIL':
      return identifier.toLowerCase()
    case 'PHONE':
      return internationalDigits(identifier)
    case 'CUSTOM_ID':
      return identifier
    default:
      return identifier.replace(/^@/, '').toLowerCase()
  }
}

/**
 * The identity in the form in which it is stored and looked up. Addresses keep their case unless they are hexadecimal,
 * since base58 tells cases apart.
 */
export const normalized = (identity: Identity): Identity => {
  switch (identity.kind) {
    case 'email':
      return { kind: 'email', email: normalForm('EMAIL', identity.email) }
    case 'phone':
      return {
        kind: 'phone',
        countryCode: `+${internationalDigits(identity.countryCode)}`,
        phone: digits(identity.phone),
      }
    case 'farcasterUsername':
      return { kind: 'farcasterUsername', farcasterUsername: normalForm('TWITTER', identity.farcasterUsername) }
    case 'telegramUserId':
      return { kind: 'telegramUserId', telegramUserId: normalForm('TELEGRAM', identity.telegramUserId) }
    case 'externalWalletAddress':
      return {
        kind: 'externalWalletAddress',
        externalWalletAddress: /^0x/i.test(identity.externalWalletAddress)
          ? identity.externalWalletAddress.toLowerCase()
          : identity.externalWalletAddress,
      }
    case 'userId':
      return identity
  }
}

/** Whether two identities are the same person's: same kind, same normal form. */
export const same = (a: Identity, b: Identity): boolean =>
  a.kind === b.kind && value(normalized(a)) === value(normalized(b))

/** `identity` is missing when the kind is present but incomplete: it still excludes the other kinds. */
type Candidate = { readonly identity: Identity | undefined }

const candidates = (auth: AuthObject): readonly Candidate[] => {
  const { email, phone, countryCode, farcasterUsername, telegramUserId, externalWalletAddress, userId } = auth
  const found: Candidate[] = []
  if (isPresent(email)) found.push({ identity: { kind: 'email', email } })
  if (isPresent(phone) || isPresent(countryCode)) {
    const whole = isPresent(phone) && isPresent(countryCode)
    found.push({ identity: whole ? { kind: 'phone', phone, countryCode } : undefined })
  }
  if (isPresent(farcasterUsername)) found.push({ identity: { kind: 'farcasterUsername', farcasterUsername } })
  if (isPresent(telegramUserId)) found.push({ identity: { kind: 'telegramUserId', telegramUserId } })
  if (isPresent(externalWalletAddress)) {
    found.push({ identity: { kind: 'externalWalletAddress', externalWalletAddress } })
  }
  if (isPresent(userId)) found.push({ identity: { kind: 'userId', userId } })
  return found
}

/** Compatibility forms (full width) become ASCII first; then only digits stay. */
const digits = (text: string): string => text.normalize('NFKC').replace(/[^0-9]/g, '')

/** No country's calling code begins with 0, so a leading 00 is the prefix for dialling abroad. */
const internationalDigits = (text: string): string => digits(text).replace(/^00/, '')

export class InvalidAuthObject extends Data.TaggedError('InvalidAuthObject') {
  override readonly message = 'invalid auth object'
}
