/** Popups: kinds, sizes, and where they open. */
import * as Data from 'effect/Data'

/** The kinds, named as in the public client's popup events. */
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

/** The size of a popup of this kind in CSS pixels; of one without a kind a default. */
export const size = (kind: Kind | undefined): Size =>
  kind === undefined ? untypedSize : { width, height: heights[kind] ?? defaultHeight }

/** The popup's position: centred over its opener, on the opener's screen. */
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
 * The window's name: its kind and a random part. With the name of an open popup `window.open` reuses that popup, also
 * when another tab of the origin opened it.
 */
export const windowName = (kind: Kind | undefined, random: string): string => `${kind ?? 'POPUP'}-${random}`

/** The target when the popup is blocked: a new tab. */
export const blockedTarget = '_blank'

/** The popup was closed before the login, the creation or the OAuth login was finished. */
export class PopupClosed extends Data.TaggedError('PopupClosed')<{ readonly kind: Kind }> {
  override readonly message = 'popup was closed before it was done'
}
