/**
 * A partner: the application whose users these are (domain/service/README.md#partners). Users and credentials are
 * global; wallets and sessions belong to a partner.
 */
import type { AuthMethod } from '../model/Credential.ts'
import type { Environment } from '../model/Environment.ts'
import type { SupportedWalletTypes } from '../model/WalletTypes.ts'

/** How the portal looks for its users. */
export type PartnerTheme = {
  readonly font?: string
  readonly borderRadius?: string
  readonly themeMode?: string
  readonly accentColor?: string
  readonly foregroundColor?: string
  readonly backgroundColor?: string
  readonly logoUrl?: string
  readonly iconUrl?: string
  readonly portalHeaderLogoUrl?: string
}

export type Partner = {
  readonly id: string
  readonly displayName: string
  /** A portal host of the partner's own. Passkeys made there work only there. */
  readonly portalUrl: string | null
  /** The exact origins of its pages. */
  readonly origins: readonly string[]
  /**
   * Where a redirect may end, exact addresses; without one the origin of the session and `/`. An open redirect of the
   * partner could otherwise leak the result.
   */
  readonly returnUrls: readonly string[]
  readonly theme: PartnerTheme
  readonly supportedAuthMethods: readonly AuthMethod[]
  readonly supportedWalletTypes: SupportedWalletTypes
  readonly cosmosPrefix: string
  readonly policiesEnabled: boolean
  /** Hides who has an account. */
  readonly strict: boolean
  /** Accepts requests without an `Origin` outside DEV and SANDBOX. */
  readonly allowsNoOrigin: boolean
  /** Accepts clients that cannot prove their page in PROD (variant `ask`). */
  readonly allowsUnprovenClients: boolean
  /** Whether its users may export private keys; yes, unless it is set to false. */
  readonly exports?: boolean
}

/** A publishable key stands in the partner's pages; a secret key is its server's. */
export type PartnerKeyKind = 'publishable' | 'secret'

/**
 * Whether a page of this origin may begin a session; 'null' never may. Calls without an origin come from servers and
 * tests.
 */
export const allowsOrigin = (partner: Partner, origin: string | undefined, environment: Environment): boolean =>
  origin === undefined ? allowsNoOrigin(partner, environment) : partner.origins.includes(origin) && origin !== 'null'

export const allowsNoOrigin = (partner: Partner, environment: Environment): boolean =>
  environment === 'DEV' || environment === 'SANDBOX' || partner.allowsNoOrigin

/** Whether a client without a device key may do what takes a device signature or a proven opener. */
export const allowsUnprovenClients = (partner: Partner, environment: Environment): boolean =>
  environment !== 'PROD' || partner.allowsUnprovenClients

export const allowsExports = ({ exports }: Partner): boolean => exports !== false

/** The one address at which a redirect may end for a page of `origin`. */
export const returnUrl = (partner: Partner, origin: string): string =>
  partner.returnUrls.find((url) => url.startsWith(`${origin}/`)) ?? `${origin}/`

/** The origins of the pages that may act as this partner's portal. */
export const portalOrigins = (partner: Partner, portalOrigin: string): readonly string[] => {
  const own = partner.portalUrl === null ? undefined : originOf(partner.portalUrl)
  return own === undefined ? [portalOrigin] : [own, portalOrigin]
}

/** The relying party of passkeys made on a portal origin: its host without the port. */
export const rpIdOf = (portalOrigin: string): string => hostOf(portalOrigin).replace(/:[0-9]+$/, '')

/** The host of an origin, with its port where it has one. */
export const hostOf = (origin: string): string => origin.replace(/^[a-z]+:\/\//, '')

const originOf = (url: string): string | undefined => /^https?:\/\/[^/?#@]+/.exec(url.toLowerCase())?.[0]
