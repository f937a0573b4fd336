/**
 * The way back of a user who lost every credential (flows 10): the mailbox opens it, the recovery secret carries it, and a
 * new credential with a root key of its own ends it. Until it is FINISHED nothing of the user's has changed.
 */
import { isOver, type Status } from '../model/Recovery.ts'
import type { CredentialStatus } from './Credential.ts'

/** What the portal made for it, stored whole and good for nothing before the end. `rootPublicKey`: hex(32), a new one. */
export type RecoveryCredential = {
  readonly kind: 'PASSWORD' | 'BIOMETRICS'
  readonly id: string
  readonly rootPublicKey: string
}

/** One of a session. It is INITIATED while its code is on the way, and READY for as long as it may be used. */
export type Recovery = {
  readonly sessionId: string
  readonly userId: string
  readonly state: Status
  readonly credential: RecoveryCredential | null
  /** The wallets that had a key when it became READY: all of them are recovered, or none is. */
  readonly walletIds: readonly string[]
  /** Those of them whose end was asked for. */
  readonly finishedIds: readonly string[]
  readonly createdAt: number
  readonly expiresAt: number
}

export const limits = {
  /** Flows 10.2. */
  life: 15 * 60_000,
  /** What became of one can be asked for so long. */
  kept: 24 * 60 * 60_000,
} as const

/** A record that is there for everybody; in a recovery, only the one that it made. */
export const isUsableIn = (
  recovery: Recovery | undefined,
  { id, status }: { readonly id: string; readonly status: CredentialStatus },
): boolean => (recovery === undefined ? status === 'COMPLETE' : status === 'STAGED' && recovery.credential?.id === id)

/** It may still do something. */
export const isReady = ({ state, expiresAt }: Recovery, now: number): boolean => state === 'READY' && now <= expiresAt

/** Its end may be asked for again: the answer of the last time can have been lost. */
export const isFinished = ({ state, expiresAt }: Recovery, now: number): boolean =>
  state === 'FINISHED' && now <= expiresAt

/** Neither over nor out of time. */
export const isGoingOn = ({ state, expiresAt }: Recovery, now: number): boolean => !isOver(state) && now <= expiresAt
