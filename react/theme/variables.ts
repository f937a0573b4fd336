/**
 * A partner's theme as custom properties. A link can contain any theme, so colours are adjusted until every text is
 * readable (WCAG 2.2 AA: 4.5 for text, 3 for the borders of controls). No theme can hide the requester.
 */
import { borderRadii, modes, type BorderRadius, type Mode, type Theme } from '../../domain/model/Theme.ts'
import * as Color from './Color.ts'

export type Look = {
  /** The system's by default. */
  readonly mode: Mode | undefined
  readonly variables: { readonly [name: `--tandem-${string}`]: string }
}

export const textRatio = 4.5
export const controlRatio = 3

/** The defaults of tokens.css. */
const plain = {
  light: {
    surface: '#ffffff',
    text: '#12151c',
    accent: '#2450d6',
    danger: '#b3261e',
    success: '#0b6b43',
    warning: '#855300',
  },
  dark: {
    surface: '#16191f',
    text: '#f1f3f6',
    accent: '#8ea8ff',
    danger: '#ff9c93',
    success: '#72dba7',
    warning: '#f3c26b',
  },
} as const

const radii: { readonly [R in BorderRadius]: readonly [control: string, card: string] } = {
  none: ['0px', '0px'],
  xs: ['2px', '4px'],
  sm: ['4px', '8px'],
  md: ['8px', '12px'],
  lg: ['12px', '18px'],
  xl: ['18px', '24px'],
  full: ['999px', '28px'],
}

/** A partner's background decides between light and dark, in place of the system. */
export const look = (theme: Theme): Look => {
  const background = colorOf(theme.backgroundColor)
  const mode = background === undefined ? modes.find((mode) => mode === theme.mode) : modeOn(background)
  const isColoured = [theme.accentColor, theme.foregroundColor, theme.backgroundColor, theme.primaryButtonColor]
    .concat(theme.textColor, theme.primaryButtonTextColor)
    .some((text) => colorOf(text) !== undefined)
  const schemes = isColoured ? (mode === undefined ? modes : [mode]) : []
  const radius = borderRadii.find((name) => name === theme.borderRadius)
  return {
    mode,
    variables: {
      ...Object.fromEntries(schemes.flatMap((scheme) => colorVariables(theme, scheme))),
      ...(radius === undefined ? {} : radiusVariables(radius)),
      ...fontVariable(theme.font),
    },
  }
}

/** The colours of one scheme, by the names of tokens.css. */
export const colors = (theme: Theme, scheme: Mode): { readonly [name: string]: Color.Color } => {
  const base = plain[scheme]
  const surface = colorOf(theme.backgroundColor) ?? known(base.surface)
  const ink = Color.inkOn(surface)
  const raised = Color.besides(surface, textRatio)
  const text = Color.readable(
    colorOf(theme.textColor) ?? colorOf(theme.foregroundColor) ?? known(base.text),
    textRatio,
    surface,
    raised,
  )
  const accent = colorOf(theme.accentColor) ?? known(base.accent)
  const primary = colorOf(theme.primaryButtonColor) ?? accent
  const wanted = colorOf(theme.primaryButtonTextColor) ?? Color.inkOn(primary)
  const status = (color: string) => Color.readable(known(color), textRatio, surface, raised)
  return {
    page: Color.mix(surface, ink, scheme === 'light' ? 0.035 : 0.02),
    surface,
    raised,
    line: Color.mix(surface, ink, 0.13),
    control: Color.readable(Color.mix(surface, ink, 0.4), controlRatio, surface, raised),
    text,
    muted: Color.readable(Color.mix(text, surface, 0.35), textRatio, surface, raised),
    accent: Color.readable(accent, textRatio, surface, raised),
    primary,
    'primary-text': Color.readable(wanted, textRatio, primary),
    danger: status(base.danger),
    success: status(base.success),
    warning: status(base.warning),
  }
}

const colorVariables = (theme: Theme, scheme: Mode) =>
  Object.entries(colors(theme, scheme)).map(
    ([name, color]) => [`--tandem-${scheme}-${name}`, Color.toText(color)] as const,
  )

const radiusVariables = (radius: BorderRadius) => {
  const [control, card] = radii[radius]
  return { '--tandem-radius': control, '--tandem-radius-card': card }
}

/** The name of a font. It is used if the system has it; no font is loaded. */
const fontVariable = (font: string | null | undefined) => {
  const name = font?.replace(/["']/g, '').split(',')[0]?.trim() ?? ''
  return /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,60}$/u.test(name) ? { '--tandem-font-chosen': `'${name}'` } : {}
}

const modeOn = (background: Color.Color): Mode => (Color.isDark(background) ? 'dark' : 'light')

const colorOf = (text: string | null | undefined): Color.Color | undefined =>
  text === null || text === undefined ? undefined : Color.parse(text)

const known = (text: string): Color.Color => Color.parse(text) ?? Color.black
