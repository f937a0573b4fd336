/**
 * A partner: the application whose users these are. Users and credentials are global; wallets, sessions and policies
 * belong to a partner (design 8.11).
 */
import type { AuthMethod } from '../model/Credential.ts'
import type { Environment } from '../model/Environment.ts'
import type { SupportedWalletTypes } from '../model/WalletTypes.ts'

/** How the portal looks for its users (spec §3, partner). */
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
  /** A portal host of the partner's own; passkeys made there work only there (flows 4.6). */
  readonly portalUrl: string | null
  /** The exact origins its pages have (flows 1.1). */
  readonly origins: readonly string[]
  /** Where the redirect variant may end, exact addresses; without one it is the session's origin and `/` (flows A7). */
  readonly returnUrls: readonly string[]
  readonly theme: PartnerTheme
  readonly supportedAuthMethods: readonly AuthMethod[]
  readonly supportedWalletTypes: SupportedWalletTypes
  readonly cosmosPrefix: string
  readonly policiesEnabled: boolean
  /** Says nothing about who has an account (security 1.2 E, strict mode). */
  readonly strict: boolean
  /** Accepts requests without an `Origin` outside DEV and SANDBOX (design 8.10). */
  readonly allowsNoOrigin: boolean
  /** Accepts clients that cannot prove their page in PROD (flows 2, ask). */
  readonly allowsUnprovenClients: boolean
  /** Whether its users may export private keys; yes, unless it is set to false. */
  readonly exports?: boolean
}

/** A publishable key names the partner; a secret key is its server's (flows, notation K and SK). */
export type PartnerKeyKind = 'publishable' | 'secret'

/**
 * Whether a page of this origin may begin a session. 'null' never; none comes from a server or a test (design 8.10).
 */
export const allowsOrigin = (partner: Partner, origin: string | undefined, environment: Environment): boolean =>
  origin === undefined ? allowsNoOrigin(partner, environment) : partner.origins.includes(origin) && origin !== 'null'

export const allowsNoOrigin = (partner: Partner, environment: Environment): boolean =>
  environment === 'DEV' || environment === 'SANDBOX' || partner.allowsNoOrigin

/** Whether a client without device key may have what ours prove (flows 2, ask; flows 16.15). */
export const allowsUnprovenClients = (partner: Partner, environment: Environment): boolean =>
  environment !== 'PROD' || partner.allowsUnprovenClients

export const allowsExports = ({ exports }: Partner): boolean => exports !== false

/** The one address at which a redirect may end for a page of `origin` (flows A7). */
export const returnUrl = (partner: Partner, origin: string): string =>
  partner.returnUrls.find((url) => url.startsWith(`${origin}/`)) ?? `${origin}/`

/** The origins of the pages that may act as this partner's portal. */
export const portalOrigins = (partner: Partner, portalOrigin: string): readonly string[] => {
  const own = partner.portalUrl === null ? undefined : originOf(partner.portalUrl)
  return own === undefined ? [portalOrigin] : [own, portalOrigin]
}

/** The relying party of passkeys made on a portal origin: its host without the port (facts 2.2). */
export const rpIdOf = (portalOrigin: string): string => hostOf(portalOrigin).replace(/:[0-9]+$/, '')

/** The host of an origin, with its port where it has one. */
export const hostOf = (origin: string): string => origin.replace(/^[a-z]+:\/\//, '')

const originOf = (url: string): string | undefined => /^https?:\/\/[^/?#@]+/.exec(url.toLowerCase())?.[0]
