import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'
import type { CurrentWalletIds } from '../../model/CurrentWalletIds.ts'
import type { Identity } from '../../model/Identity.ts'
import type { WalletType } from '../../model/WalletTypes.ts'
import type { OpeningResult, Session } from '../Session.ts'

export type NewSession = Pick<
  Session,
  'id' | 'lookupId' | 'partnerId' | 'origin' | 'state' | 'userId' | 'userProven' | 'identity'
> & { readonly now: number }

export type SessionKeys = {
  readonly loginPublicKey: string | null
  readonly loginKeyThumbprint: string | null
  readonly devicePublicKey: string
  readonly deviceKeyThumb: string
  readonly deviceSignsRequests: boolean
  readonly recoveryPublicKey: string | null
}

/** What a commit gives to a session (flows 3.8, 4.8, 6.9, redeem). */
export type Authentication = {
  readonly userId: string
  readonly currentWalletIds: CurrentWalletIds
  readonly needsWallet: boolean
  readonly deviceCertificate: string | null
  readonly openingResult: OpeningResult | null
}

/** Sessions and their tokens. A token is known by its MAC alone. */
export class Sessions extends Context.Service<
  Sessions,
  {
    readonly create: (session: NewSession, tokenMac: string) => Effect.Effect<void>
    /** `retiresAt` is the earlier one of session and token. */
    readonly findByToken: (tokenMac: string) => Effect.Effect<Option.Option<Session>>
    readonly find: (id: string) => Effect.Effect<Option.Option<Session>>
    readonly findByLookupId: (lookupId: string) => Effect.Effect<Option.Option<Session>>
    /** Reads it and keeps everybody else from changing it until the transaction ends. */
    readonly lock: (id: string) => Effect.Effect<Option.Option<Session>>
    readonly use: (id: string, now: number) => Effect.Effect<void>
    /** Before authentication: the record lives on until then and starts nothing (flows 1r). */
    readonly supersede: (id: string, retiresAt: number) => Effect.Effect<void>
    /** A new token of the same session; the old one retires (flows 1r). */
    readonly replaceToken: (replacement: {
      readonly sessionId: string
      readonly oldTokenMac: string
      readonly tokenMac: string
      readonly retiresAt: number
      readonly now: number
    }) => Effect.Effect<void>
    /** Binds the session to a user who has proven nothing yet. */
    readonly identify: (id: string, userId: string, identity: Identity) => Effect.Effect<void>
    /** IDENTIFIED -> VERIFIED, once. */
    readonly verify: (id: string, userId: string) => Effect.Effect<boolean>
    /** Compare-and-set: only where there is no device key, or this one (flows 1.3). */
    readonly registerKeys: (id: string, keys: SessionKeys) => Effect.Effect<boolean>
    /** Compare-and-set of the login key that the address of the page named (flows 2, ask). */
    readonly bindLoginKey: (id: string, publicKey: string, thumbprint: string) => Effect.Effect<boolean>
    /** From any state before it, or again for the same user; never over another proven user (flows 6.9). */
    readonly authenticate: (id: string, authentication: Authentication, now: number) => Effect.Effect<boolean>
    /** Compare-and-set: only where there is no certificate, or this one. */
    readonly certify: (id: string, deviceCertificate: string) => Effect.Effect<boolean>
    /** What a recovery's page left for the host: it certifies the device and authenticates nobody (flows 10.5). */
    readonly equip: (
      id: string,
      by: Pick<Authentication, 'deviceCertificate' | 'openingResult'>,
    ) => Effect.Effect<boolean>
    /** Those that are not CLOSED, in the order in which they are locked. */
    readonly idsOfUser: (userId: string) => Effect.Effect<readonly string[]>
    /** The wallets of this session, chosen by the user or made just now. */
    readonly setWallets: (id: string, wallets: Pick<Session, 'currentWalletIds' | 'needsWallet'>) => Effect.Effect<void>
    /** Adds a wallet to the ids of its type; the session needs none from then on (flows 5.5). */
    readonly addWallet: (id: string, type: WalletType, walletId: string) => Effect.Effect<void>
    /** Its keys, certificate and result are forgotten with it (flows 12). */
    readonly close: (id: string, now: number) => Effect.Effect<void>
    /** Deletes sessions that ended, with their codes, challenges and openings. */
    readonly sweep: (now: number) => Effect.Effect<void>
  }
>()('tandem/service/Sessions') {}
