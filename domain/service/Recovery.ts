/**
 * The way back of a user who lost every credential (domain/service/README.md#recovery): the mailbox begins it, the
 * recovery secret carries it, and a new credential with a root key of its own ends it. Until it is FINISHED nothing
 * that the user has is changed.
 */
import * as Schema from 'effect/Schema'
import { isOver, type Status } from '../model/Recovery.ts'
import type { CredentialStatus } from './Credential.ts'

/**
 * The credential that the portal made for it: complete, but not usable before the end. `rootPublicKey`: hex(32), a new
 * one.
 */
export const RecoveryCredential = Schema.Struct({
  kind: Schema.Literals(['PASSWORD', 'BIOMETRICS']),
  id: Schema.String,
  rootPublicKey: Schema.String,
})
export type RecoveryCredential = typeof RecoveryCredential.Type

/** One of a session. INITIATED while its code is valid, READY for as long as it may be used. */
export type RecoveryRecord = {
  readonly sessionId: string
  readonly userId: string
  readonly state: Status
  readonly credential: RecoveryCredential | null
  /** The wallets that had a key when it became READY. At its end each is recovered or left behind. */
  readonly walletIds: readonly string[]
  /** Those of them whose end was asked for; once FINISHED, those that are recovered. */
  readonly finishedIds: readonly string[]
  readonly createdAt: number
  readonly expiresAt: number
}

/** Milliseconds. */
export const recoveryLimits = {
  /** While READY. */
  life: 15 * 60_000,
  /** The row is kept for this long after it expires. */
  kept: 24 * 60 * 60_000,
} as const

/** Outside of a recovery a COMPLETE record; in a recovery only the one that it made. */
export const isUsableIn = (
  recovery: RecoveryRecord | undefined,
  { id, status }: { readonly id: string; readonly status: CredentialStatus },
): boolean => (recovery === undefined ? status === 'COMPLETE' : status === 'STAGED' && recovery.credential?.id === id)

/** It may still do something. */
export const isReady = ({ state, expiresAt }: RecoveryRecord, now: number): boolean =>
  state === 'READY' && now <= expiresAt

/** Its answer may be asked for again, because the last one may have been lost. */
export const isFinished = ({ state, expiresAt }: RecoveryRecord, now: number): boolean =>
  state === 'FINISHED' && now <= expiresAt

/** Neither over nor out of time. */
export const isGoingOn = ({ state, expiresAt }: RecoveryRecord, now: number): boolean =>
  !isOver(state) && now <= expiresAt
