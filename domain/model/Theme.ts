/** A partner's theme for the portal's pages. */

export const modes = ['light', 'dark'] as const
export type Mode = (typeof modes)[number]

export const borderRadii = ['none', 'xs', 'sm', 'md', 'lg', 'xl', 'full'] as const
export type BorderRadius = (typeof borderRadii)[number]

export type Theme = {
  readonly font?: string | null | undefined
  readonly borderRadius?: string | null | undefined
  readonly mode?: string | null | undefined
  readonly accentColor?: string | null | undefined
  readonly foregroundColor?: string | null | undefined
  readonly backgroundColor?: string | null | undefined
  readonly primaryButtonColor?: string | null | undefined
  readonly textColor?: string | null | undefined
  readonly primaryButtonTextColor?: string | null | undefined
}

/** The app's theme, completed by the partner's settings. */
export const merged = (app: Theme, partner: Theme): Theme => ({
  ...partner,
  ...Object.fromEntries(Object.entries(app).filter(([, value]) => value !== undefined && value !== null)),
})
