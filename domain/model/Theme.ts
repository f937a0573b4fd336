/** How a partner dresses the portal's pages (spec §2, query parameters: theme). */

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

/** The look that the app gives its SDK, and what the partner's settings say where the app is silent. */
export const merged = (app: Theme, partner: Theme): Theme => ({
  ...partner,
  ...Object.fromEntries(Object.entries(app).filter(([, value]) => value !== undefined && value !== null)),
})
