import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'
import type { AuthMethod } from '../../model/Credential.ts'
import type { CurrentWalletIds } from '../../model/CurrentWalletIds.ts'
import type { Identity } from '../../model/Identity.ts'
import type { WalletType } from '../../model/WalletTypes.ts'
import type { SealedPortalSessionResult, SessionRecord } from '../Session.ts'

export type NewSessionRecord = Pick<
  SessionRecord,
  'id' | 'lookupId' | 'partnerId' | 'origin' | 'state' | 'userId' | 'userProven' | 'identity'
> & { readonly now: number }

export type RegisteredKeys = {
  readonly loginPublicKey: string | null
  readonly loginKeyThumbprint: string | null
  readonly devicePublicKey: string
  readonly deviceKeyThumb: string
  readonly deviceSignsRequests: boolean
  readonly recoveryPublicKey: string | null
}

/** What a commit gives to a session. */
export type Authentication = {
  readonly userId: string
  readonly authMethod: AuthMethod
  /** When the credential was shown, in milliseconds since 1970. A commit that waits for a redirect is later. */
  readonly authenticatedAt: number
  readonly currentWalletIds: CurrentWalletIds
  readonly needsWallet: boolean
  readonly deviceCertificate: string | null
  readonly openingResult: SealedPortalSessionResult | null
}

/** Sessions and their tokens. A token is known by its MAC alone. */
export class Sessions extends Context.Service<
  Sessions,
  {
    readonly create: (session: NewSessionRecord, tokenMac: string) => Effect.Effect<void>
    /** `retiresAt` is the earlier of the session's and the token's. */
    readonly findByToken: (tokenMac: string) => Effect.Effect<Option.Option<SessionRecord>>
    readonly find: (id: string) => Effect.Effect<Option.Option<SessionRecord>>
    readonly findByLookupId: (lookupId: string) => Effect.Effect<Option.Option<SessionRecord>>
    /** Reads it, and keeps other transactions from changing it until this one ends. */
    readonly lock: (id: string) => Effect.Effect<Option.Option<SessionRecord>>
    readonly use: (id: string, now: number) => Effect.Effect<void>
    /** Before authentication: the record lives until then and begins nothing. */
    readonly supersede: (id: string, retiresAt: number) => Effect.Effect<void>
    /** A new token of the same session. The old one lives until `retiresAt`. */
    readonly replaceToken: (replacement: {
      readonly sessionId: string
      readonly oldTokenMac: string
      readonly tokenMac: string
      readonly retiresAt: number
      readonly now: number
    }) => Effect.Effect<void>
    /** -> IDENTIFIED, as a user who has proven nothing yet. */
    readonly setUser: (id: string, userId: string, identity: Identity) => Effect.Effect<void>
    /** IDENTIFIED -> VERIFIED, once. */
    readonly verify: (id: string, userId: string) => Effect.Effect<boolean>
    /** Compare-and-set: only if there is no device key, or this one. */
    readonly registerKeys: (id: string, keys: RegisteredKeys) => Effect.Effect<boolean>
    /** Compare-and-set of the login key in the address of the page (variant `ask`). */
    readonly bindLoginKey: (id: string, publicKey: string, thumbprint: string) => Effect.Effect<boolean>
    /** -> AUTHENTICATED from any state but CLOSED; never over another proven user. */
    readonly authenticate: (id: string, authentication: Authentication, now: number) => Effect.Effect<boolean>
    /** Compare-and-set: only if there is no certificate, or this one. */
    readonly certify: (id: string, deviceCertificate: string) => Effect.Effect<boolean>
    /** What a recovery's page left for the host. It certifies the device and authenticates no user. */
    readonly setCertificate: (
      id: string,
      by: Pick<Authentication, 'deviceCertificate' | 'openingResult'>,
    ) => Effect.Effect<boolean>
    /** Those of the user that are not CLOSED, in the order in which they are locked: delegated ones after the others. */
    readonly idsOfUser: (userId: string) => Effect.Effect<readonly string[]>
    /** The wallets of this session, chosen by the user or just made. */
    readonly setWallets: (
      id: string,
      wallets: Pick<SessionRecord, 'currentWalletIds' | 'needsWallet'>,
    ) => Effect.Effect<void>
    /** Adds a wallet to the ids of its type. The session needs none from then on. */
    readonly addWallet: (id: string, type: WalletType, walletId: string) => Effect.Effect<void>
    /** -> CLOSED. Its keys, certificate and result are erased. */
    readonly close: (id: string, now: number) => Effect.Effect<void>
    /** Deletes sessions that ended, with their codes, challenges and portal sessions. */
    readonly sweep: (now: number) => Effect.Effect<void>
  }
>()('tandem/service/Sessions') {}
