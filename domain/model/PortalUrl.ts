/**
 * The addresses of the portal's pages: paths, parameters and base. The names of the parameters are the public client's,
 * so that its links open our portal.
 */
import * as Data from 'effect/Data'
import * as Result from 'effect/Result'
import type { CurrentWalletIds } from './CurrentWalletIds.ts'
import type { Hosts } from './Environment.ts'
import { isPresent, toAuthObject, type Identity } from './Identity.ts'
import * as OAuth from './OAuth.ts'
import type { PregenIds } from './Pregen.ts'
import type { Theme } from './Theme.ts'
import * as Url from './Url.ts'
import type { WalletReference } from './WalletReference.ts'
import { toMap, type SupportedWalletTypes } from './WalletTypes.ts'

/** A login page's parameters beside the identity: where the shares go, and what to call the user. */
export type LoginDetails = {
  readonly identity?: Identity | undefined
  readonly sessionId?: string | undefined
  /** The login public key: hex of its PEM. */
  readonly encryptionKey?: string | undefined
  readonly newDeviceSessionLookupId?: string | undefined
  readonly newDeviceEncryptionKey?: string | undefined
  readonly pregenIds?: PregenIds | undefined
  readonly displayName?: string | undefined
  readonly pfpUrl?: string | undefined
}

/** `sessionId` lets the page prove its opener; links of other clients leave it out. */
type CreationDetails = { readonly identity?: Identity | undefined; readonly sessionId?: string | undefined }

export type Page =
  | ({ readonly type: 'create-password'; readonly userId: string; readonly passwordId: string } & CreationDetails)
  | ({ readonly type: 'create-passkey'; readonly userId: string; readonly webAuthId: string } & CreationDetails)
  | ({ readonly type: 'login-password' } & LoginDetails)
  | ({ readonly type: 'login-passkey' } & LoginDetails)
  | {
      readonly type: 'review'
      readonly userId: string
      readonly pendingTransactionId: string
      readonly sessionId?: string | undefined
      readonly email?: string | undefined
      readonly timeoutMs?: number | undefined
    }
  | {
      readonly type: 'on-ramp'
      readonly userId: string
      readonly purchaseId: string
      readonly wallet: WalletReference
      readonly sessionId?: string | undefined
      readonly providerKey?: string | undefined
      readonly currentWalletIds?: CurrentWalletIds | undefined
    }
  | ({ readonly type: 'export'; readonly userId: string; readonly walletId: string } & CreationDetails)

export type PageType = Page['type']

/** The parameters of every page. */
export type Common = {
  readonly apiKey?: string | undefined
  readonly partnerId?: string | undefined
  readonly theme?: Theme | undefined
  readonly isForNewDevice?: boolean | undefined
  readonly supportedWalletTypes?: SupportedWalletTypes | undefined
}

/** The hosts of pages: the environment's, and the partner's own portal if it has one. */
export type Bases = {
  readonly hosts: Pick<Hosts, 'portal' | 'oauth'>
  readonly partnerPortalUrl?: string | null | undefined
}

/** The partner's portal if it has one, else the environment's; an on-ramp's page is always the environment's. */
export const base = ({ hosts, partnerPortalUrl }: Bases, type: PageType): string =>
  type === 'on-ramp' || !isPresent(partnerPortalUrl) ? hosts.portal : partnerPortalUrl

/** The whole address of a page. */
export const build = (bases: Bases, page: Page, common: Common = {}): Result.Result<string, InvalidUrlType> =>
  Result.map(path(page), (path) => {
    const address = Url.join(base(bases, page.type), path)
    return Url.withQuery(address, present({ ...shared(common), ...own(page) }))
  })

/** The path of a page. All but the private key's are the public client's. */
export const path = (page: Page): Result.Result<string, InvalidUrlType> => {
  switch (page.type) {
    case 'create-password':
      return Result.succeed(`/web/users/${Url.encode(page.userId)}/passwords/${Url.encode(page.passwordId)}`)
    case 'create-passkey':
      return Result.succeed(`/web/users/${Url.encode(page.userId)}/biometrics/${Url.encode(page.webAuthId)}`)
    case 'login-password':
      return Result.succeed('/web/passwords/login')
    case 'login-passkey':
      return Result.succeed('/web/biometrics/login')
    case 'review':
      return Result.succeed(
        `/web/users/${Url.encode(page.userId)}/transaction-review/${Url.encode(page.pendingTransactionId)}`,
      )
    case 'on-ramp':
      return Result.succeed(`/web/users/${Url.encode(page.userId)}/on-ramp-transaction/${Url.encode(page.purchaseId)}`)
    case 'export':
      return Result.succeed(`/web/users/${Url.encode(page.userId)}/wallets/${Url.encode(page.walletId)}/private-key`)
    default:
      return unknownType(page)
  }
}

/** Callers without types can ask for a page that does not exist. */
const unknownType = ({ type }: { readonly type: string }): Result.Result<never, InvalidUrlType> =>
  Result.fail(new InvalidUrlType({ type }))

/** The page of a portal address, with its ids and its parameters; falsy values and their texts are dropped. */
export type AddressedPage =
  | { readonly type: 'create-password'; readonly userId: string; readonly passwordId: string }
  | { readonly type: 'create-passkey'; readonly userId: string; readonly webAuthId: string }
  | { readonly type: 'login-password' }
  | { readonly type: 'login-passkey' }
  | { readonly type: 'review'; readonly userId: string; readonly pendingTransactionId: string }
  | { readonly type: 'on-ramp'; readonly userId: string; readonly purchaseId: string }
  | { readonly type: 'export'; readonly userId: string; readonly walletId: string }

/** Reads the address of a page of the portal; parameters are decoded. */
export const read = (
  url: string,
): Result.Result<{ readonly addressedPage: AddressedPage; readonly parameters: Url.Parameters }, InvalidUrlType> => {
  const { segments, query } = Url.read(url) ?? { segments: [], query: {} }
  const addressedPage = addressedPageOf(segments)
  return addressedPage === undefined
    ? Result.fail(new InvalidUrlType({ type: segments.join('/') }))
    : Result.succeed({ addressedPage, parameters: present(query) })
}

const addressedPageOf = (segments: readonly string[]): AddressedPage | undefined => {
  const [area, segment = '', userId = '', record = '', id = '', detail = ''] = segments
  if (area !== 'web') return undefined
  if (segments.length === 3 && userId === 'login') {
    if (segment === 'passwords') return { type: 'login-password' }
    if (segment === 'biometrics') return { type: 'login-passkey' }
  }
  const isPrivateKey = segments.length === 6 && record === 'wallets' && detail === 'private-key'
  if (segment === 'users' && isPrivateKey) return { type: 'export', userId, walletId: id }
  if (segments.length !== 5 || segment !== 'users') return undefined
  switch (record) {
    case 'passwords':
      return { type: 'create-password', userId, passwordId: id }
    case 'biometrics':
      return { type: 'create-passkey', userId, webAuthId: id }
    case 'transaction-review':
      return { type: 'review', userId, pendingTransactionId: id }
    case 'on-ramp-transaction':
      return { type: 'on-ramp', userId, purchaseId: id }
    default:
      return undefined
  }
}

/**
 * Where an OAuth login starts: on the API's host, for Telegram on the portal's.
 * @notBuilt
 */
export const oauthStart = (
  { hosts }: Bases,
  method: OAuth.Method,
  parameters: {
    readonly apiKey?: string | undefined
    readonly sessionLookupId?: string | undefined
    readonly deeplinkUrl?: string | undefined
  },
): string =>
  Url.withQuery(
    Url.join(method === 'TELEGRAM' ? hosts.portal : hosts.oauth, `/auth/${OAuth.inPath(method)}`),
    present({
      apiKey: parameters.apiKey,
      sessionLookupId: parameters.sessionLookupId,
      deeplinkUrl: parameters.deeplinkUrl,
    }),
  )

const shared = ({ apiKey, partnerId, theme = {}, isForNewDevice, supportedWalletTypes }: Common) => ({
  apiKey,
  partnerId,
  portalFont: theme.font,
  portalBorderRadius: theme.borderRadius,
  portalThemeMode: theme.mode,
  portalAccentColor: theme.accentColor,
  portalForegroundColor: theme.foregroundColor,
  portalBackgroundColor: theme.backgroundColor,
  portalPrimaryButtonColor: theme.primaryButtonColor,
  portalTextColor: theme.textColor,
  portalPrimaryButtonTextColor: theme.primaryButtonTextColor,
  isForNewDevice: isForNewDevice ? 'true' : undefined,
  supportedWalletTypes: supportedWalletTypes && JSON.stringify(toMap(supportedWalletTypes)),
})

/** The theme that a page's parameters name. */
export const theme = (parameters: Url.Parameters): Theme => ({
  font: parameters['portalFont'],
  borderRadius: parameters['portalBorderRadius'],
  mode: parameters['portalThemeMode'],
  accentColor: parameters['portalAccentColor'],
  foregroundColor: parameters['portalForegroundColor'],
  backgroundColor: parameters['portalBackgroundColor'],
  primaryButtonColor: parameters['portalPrimaryButtonColor'],
  textColor: parameters['portalTextColor'],
  primaryButtonTextColor: parameters['portalPrimaryButtonTextColor'],
})

type Values = { readonly [name: string]: string | null | undefined }

const own = (page: Page): Values => {
  switch (page.type) {
    case 'create-password':
    case 'create-passkey':
    case 'export':
      return { ...identityOf(page), sessionId: page.sessionId }
    case 'login-password':
    case 'login-passkey':
      return {
        ...identityOf(page),
        sessionId: page.sessionId,
        encryptionKey: page.encryptionKey,
        newDeviceSessionLookupId: page.newDeviceSessionLookupId,
        newDeviceEncryptionKey: page.newDeviceEncryptionKey,
        pregenIds: JSON.stringify(page.pregenIds ?? {}),
        displayName: page.displayName,
        pfpUrl: page.pfpUrl,
      }
    case 'review':
      return {
        sessionId: page.sessionId,
        email: page.email,
        timeoutMs: page.timeoutMs ? `${page.timeoutMs}` : undefined,
      }
    case 'on-ramp':
      return {
        sessionId: page.sessionId,
        ...page.wallet,
        providerKey: page.providerKey,
        currentWalletIds: page.currentWalletIds && JSON.stringify(page.currentWalletIds),
      }
  }
}

/** A user id is in the path already; it is no parameter of these pages. */
const identityOf = ({ identity }: CreationDetails): Values =>
  identity === undefined || identity.kind === 'userId' ? {} : toAuthObject(identity)

/** Drops falsy values and the texts `undefined` and `null`, as the public client does. */
const present = (values: Values): Url.Parameters =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (isPresent(value) ? [[name, value]] : [])))

export class InvalidUrlType extends Data.TaggedError('InvalidUrlType')<{ readonly type: string }> {
  override readonly message = `invalid URL type ${this.type}`
}

/** The pages that exist; a purchase has an address, and no page yet. */
export const pages = [
  'create-password',
  'create-passkey',
  'login-password',
  'login-passkey',
  'export',
  'review',
] as const
export type PortalPage = (typeof pages)[number]
