/** Partners' colours, and their contrast (WCAG 2.2, relative luminance and contrast ratio). */

/** Red, green and blue, each from 0 to 255. */
export type Color = readonly [number, number, number]

export const black: Color = [0, 0, 0]
export const white: Color = [255, 255, 255]

/** Reads 3 or 6 hexadecimal digits, or `rgb(…)` with three whole numbers; anything else is `undefined`. */
export const parse = (text: string): Color | undefined => {
  const value = text.trim().toLowerCase()
  if (value === 'black') return black
  if (value === 'white') return white
  const [, short] = /^#([0-9a-f]{3})$/.exec(value) ?? []
  const [, long = short?.replace(/./g, '$&$&')] = /^#([0-9a-f]{6})$/.exec(value) ?? []
  const parts =
    long === undefined
      ? (/^rgb\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*\)$/.exec(value) ?? []).slice(1).map(Number)
      : [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16))
  const [red, green, blue] = parts
  if (red === undefined || green === undefined || blue === undefined) return undefined
  return parts.every((part) => part <= 255) ? [red, green, blue] : undefined
}

export const toText = (color: Color): string => `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`

/** The contrast ratio, from 1 (equal) to 21 (black on white). */
export const contrast = (one: Color, other: Color): number => {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

export const isDark = (color: Color): boolean => contrast(color, white) > contrast(color, black)

/** The part of `one` that is left is 1 - `share`. */
export const mix = ([red, green, blue]: Color, other: Color, share: number): Color => [
  Math.round(red + (other[0] - red) * share),
  Math.round(green + (other[1] - green) * share),
  Math.round(blue + (other[2] - blue) * share),
]

/** Black or white, by the higher contrast. */
export const inkOn = (background: Color): Color => (isDark(background) ? white : black)

/** A shade beside this one on which its ink can still be read. */
export const besides = (background: Color, ratio: number): Color => {
  const ink = inkOn(background)
  const nearer = mix(background, ink, 0.045)
  return contrast(ink, nearer) >= ratio ? nearer : mix(background, ink === white ? black : white, 0.045)
}

/** The nearest colour on the way to black or white that reaches the ratio on every one of these backgrounds. */
export const readable = (color: Color, ratio: number, ...backgrounds: readonly [Color, ...Color[]]): Color => {
  const ink = inkOn(backgrounds[0])
  const steps = 20
  for (let step = 0; step < steps; step += 1) {
    const candidate = mix(color, ink, step / steps)
    if (backgrounds.every((background) => contrast(candidate, background) >= ratio)) return candidate
  }
  return ink
}

const luminance = ([red, green, blue]: Color): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)

const linear = (part: number): number => {
  const value = part / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}
