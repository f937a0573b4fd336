/** Popups: kinds, sizes, and where they open (spec §2, popups). */
import * as Data from 'effect/Data'

/** The kinds, as the popup events of spec §9 call them. */
export const kinds = [
  'SIGN_TRANSACTION_REVIEW',
  'SIGN_MESSAGE_REVIEW',
  'LOGIN_PASSKEY',
  'CREATE_PASSKEY',
  'OAUTH',
  'ON_RAMP_TRANSACTION',
] as const
export type Kind = (typeof kinds)[number]

export type Size = { readonly width: number; readonly height: number }
export type Rectangle = Size & { readonly left: number; readonly top: number }

const width = 550
const defaultHeight = 768

const heights: { readonly [K in Kind]?: number } = {
  LOGIN_PASSKEY: 798,
  CREATE_PASSKEY: 464,
  SIGN_MESSAGE_REVIEW: 585,
  SIGN_TRANSACTION_REVIEW: 750,
}

const untypedSize: Size = { width: 400, height: 500 }

export const size = (kind: Kind | undefined): Size =>
  kind === undefined ? untypedSize : { width, height: heights[kind] ?? defaultHeight }

/** The popup's place: centred over its opener, wherever on which screen that is. */
export const placed = (kind: Kind | undefined, opener: Rectangle): Rectangle => {
  const { width, height } = size(kind)
  return {
    width,
    height,
    left: Math.round(opener.left + (opener.width - width) / 2),
    top: Math.round(opener.top + (opener.height - height) / 2),
  }
}

/** The features text of `window.open`. */
export const features = (kind: Kind | undefined, opener: Rectangle): string => {
  const { width, height, left, top } = placed(kind, opener)
  return `popup=yes,width=${width},height=${height},left=${left},top=${top}`
}

/**
 * The window's name: its kind, and something random, since another tab of the same origin would otherwise take over a
 * popup of the same name (flows 1).
 */
export const windowName = (kind: Kind | undefined, random: string): string => `${kind ?? 'POPUP'}-${random}`

/** Where the address opens when the popup is blocked: a new tab (spec §2). */
export const blockedTarget = '_blank'

/** Closed before its purpose was reached: the login, the creation or the OAuth fails (spec §4 and §8). */
export class PopupClosed extends Data.TaggedError('PopupClosed')<{ readonly kind: Kind }> {
  override readonly message = 'popup was closed before it was done'
}
