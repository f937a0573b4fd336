/**
 * A partner: the application whose users these are (domain/service/README.md#partners). Users and credentials are
 * global; wallets and sessions belong to a partner.
 */
import * as Schema from 'effect/Schema'
import { authMethods } from '../model/Credential.ts'
import type { Environment } from '../model/Environment.ts'
import { walletTypes } from '../model/WalletTypes.ts'
import type { Deployment } from './ports/Deployment.ts'

const text = Schema.optionalKey(Schema.String)

/** How the portal looks for its users. */
export const PartnerTheme = Schema.Struct({
  font: text,
  borderRadius: text,
  themeMode: text,
  accentColor: text,
  foregroundColor: text,
  backgroundColor: text,
  logoUrl: text,
  iconUrl: text,
  portalHeaderLogoUrl: text,
})

const SupportedWalletType = Schema.Struct({
  type: Schema.Literals(walletTypes),
  optional: Schema.optionalKey(Schema.Boolean),
  prefix: text,
})

/** The fields that no constraint or lookup needs, which are stored together. */
export const PartnerSettings = Schema.Struct({
  /**
   * Where a redirect may end, exact addresses; without one the origin of the session and `/`. An open redirect of the
   * partner could otherwise leak the result.
   */
  returnUrls: Schema.Array(Schema.String),
  theme: PartnerTheme,
  supportedAuthMethods: Schema.Array(Schema.Literals(authMethods)),
  supportedWalletTypes: Schema.Array(SupportedWalletType),
  cosmosPrefix: Schema.String,
  /** Hides who has an account. */
  strict: Schema.Boolean,
  /** Accepts requests without an `Origin` outside DEV and SANDBOX. */
  allowsNoOrigin: Schema.Boolean,
  /** Accepts clients that cannot prove their page (variant `ask`) outside DEV and SANDBOX. */
  allowsUnprovenClients: Schema.Boolean,
  /** Whether its users may export private keys; yes, unless it is set to false. */
  exports: Schema.optionalKey(Schema.Boolean),
  /** Whether its users' devices may hand sessions to servers; yes, unless it is set to false. */
  delegations: Schema.optionalKey(Schema.Boolean),
})

export type PartnerRecord = typeof PartnerSettings.Type & {
  readonly id: string
  readonly displayName: string
  /** A portal host of the partner's own. Passkeys made there work only there. */
  readonly portalUrl: string | null
  /** The exact origins of its pages. */
  readonly origins: readonly string[]
  /** Whether the database has a policy of the partner. Which one counts, and whether one should be there, the mark says. */
  readonly hasPolicy?: boolean
  /** Whether its server is told of events: it has a webhook endpoint that is not disabled. */
  readonly hasWebhooks?: boolean
  /** Whether an operator froze it: its calls are refused. */
  readonly isFrozen?: boolean
}

/** A publishable key stands in the partner's pages; a secret key is its server's. */
export type PartnerKeyKind = 'publishable' | 'secret'

/**
 * Whether a page of this origin may begin a session; 'null' never may. Calls without an origin come from servers and
 * tests.
 */
export const allowsOrigin = (partner: PartnerRecord, origin: string | undefined, environment: Environment): boolean => {
  if (origin === undefined) return allowsNoOrigin(partner, environment)
  return isLocalOrigin(origin, environment) || (partner.origins.includes(origin) && origin !== 'null')
}

/** In DEV every page of this machine is one of every partner, on whatever port its development server listens. */
export const isLocalOrigin = (origin: string, environment: Environment): boolean =>
  environment === 'DEV' && localOrigin.test(origin)

const localOrigin = /^https?:\/\/(?:localhost|127\.0\.0\.1|(?:[a-z0-9-]+\.)+localhost)(?::[0-9]{1,5})?$/

export const allowsNoOrigin = (partner: PartnerRecord, environment: Environment): boolean =>
  isLenient(environment) || partner.allowsNoOrigin

/** Whether a client without a device key may do what takes a device signature or a proven opener. */
export const allowsUnprovenClients = (partner: PartnerRecord, environment: Environment): boolean =>
  isLenient(environment) || partner.allowsUnprovenClients

const isLenient = (environment: Environment): boolean => environment === 'DEV' || environment === 'SANDBOX'

export const allowsDelegations = ({ delegations }: PartnerRecord): boolean => delegations !== false

export const allowsExports = ({ exports }: PartnerRecord): boolean => exports !== false

/** The one address at which a redirect may end for a page of `origin`. */
export const returnUrl = (partner: PartnerRecord, origin: string): string =>
  partner.returnUrls.find((url) => url.startsWith(`${origin}/`)) ?? `${origin}/`

/** The origins of the pages that may act as this partner's portal. */
export const portalOrigins = (partner: PartnerRecord, portalOrigin: string): readonly string[] => {
  const own = partner.portalUrl === null ? undefined : originOf(partner.portalUrl)
  return own === undefined ? [portalOrigin] : [own, portalOrigin]
}

/** Whether a page of this origin may read what the service answers to a key of the partner: its own, or one of ours. */
export const isPageOf = (partner: PartnerRecord, origin: string, deployment: Deployment['Service']): boolean =>
  isOurPageFor(partner, origin, deployment) || allowsOrigin(partner, origin, deployment.environment)

/** Whether it is a portal of the partner, or our own page for recoveries. */
export const isOurPageFor = (
  partner: PartnerRecord,
  origin: string,
  { portalOrigin, connectOrigin }: Deployment['Service'],
): boolean => origin === connectOrigin || portalOrigins(partner, portalOrigin).includes(origin)

/** The origin of an address, in lower case; a port is kept as it stands there. */
export const originOf = (url: string): string | undefined => /^https?:\/\/[^/?#@]+/.exec(url.toLowerCase())?.[0]
