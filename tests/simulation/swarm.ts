import type { PolicyName } from './policies.ts'
import type { OtherType } from './verbs.ts'

/**
 * The faults of a schedule. Each fault is on or off for the whole of a schedule, so that each also meets what happens
 * without the others. "One in" is how rarely it strikes where it could; 0 is never.
 */
export type Swarm = {
  /** Requests and answers lost, or much later; requests that arrive twice: one in. */
  readonly losses: number
  readonly doubles: number
  readonly lates: number
  /** A process dies at a failpoint, or before a statement or a commit: one in. */
  readonly kills: number
  readonly statementKills: number
  /** At a failpoint outside of rounds, where that is another chance: one in. */
  readonly rareKills?: number
  /** COMMIT's answer does not arrive, whatever became of it: one in. */
  readonly lostCommits: number
  /** What a statement has found reaches its process later, when others have gone on: one in. */
  readonly lateReads: number
  /** A thread is lost over its order: one in. */
  readonly lostThreads: number
  readonly threads: number
  readonly queue: number
  readonly replicas: 1 | 2
  /** Pages are closed, and a device's storage is cleared, once, between any two events. */
  readonly pageKills: number
  readonly evictions: boolean
  /** A replica, also where there is one alone, or a device has a clock of another time, by so many ms, which may step. */
  readonly skew: number
  readonly upkeep: boolean
  /** Mail waits in the outbox for its worker. */
  readonly postsMail?: boolean
  /** The chain's node does not answer, whether it takes the transaction or not: one in. */
  readonly silentNode?: number
  /** The disk of the co-signers' folder has no room for a mark, a claim or a share key: one in. */
  readonly fullDisk?: number
  /** Rows that a statement puts in no order come in any. */
  readonly shuffles: boolean
  readonly restores: Restores | undefined
  /** The number of verbs of honest devices. */
  readonly verbs: number
  readonly kinds: readonly Verb[]
  /** The number of a cheater's guesses, with a valid device. */
  readonly guesses: number
  /** One guess after the run of the one before is over. */
  readonly guessesApart: boolean
  readonly forks: boolean
  /** What the cheater sent is sent again later, as it was and with other bytes. */
  readonly replays: boolean
  readonly setupGuesses: number
  /** Some of the cheater's signatures name the transfers of another device. */
  readonly foreign: boolean
  /** Setups that the cheater begins and leaves. */
  readonly abandoned: number
  /** Another session logs in with the device key of the laptop. */
  readonly twin: boolean
  /** The database is written past the service: a password's or a recovery key is replaced by one that the root key never signed. */
  readonly writes: boolean
  /** The product's protocols on its kernel, in place of toys. */
  readonly onKernel: boolean
  /** Another wallet of the user's, from the beginning on. */
  readonly second?: OtherType | undefined
  /** The other wallet has no backup that a recovery secret opens, until it is refreshed. */
  readonly lacksBackup?: boolean
  /** The partner has a policy, and the user another wallet of the first type. */
  readonly policy: PolicySwarm | undefined
}

export type PolicySwarm = {
  /** The first counts from the beginning; the others are applied while it goes on. */
  readonly names: readonly PolicyName[]
  /** Somebody who is not the approver sends decisions about what is held. */
  readonly forges: boolean
  /** The rows of the policy and of reviews are written past the service. */
  readonly writes: boolean
  /** Some payments are asked for when acceptances of the first ones are over. */
  readonly late: boolean
}

/**
 * An older copy of the database is brought up, with the processes restarted or not. With a restart the co-signers' folder may be
 * set back with it, or alone.
 */
export type Restores = {
  readonly restarts: boolean
  readonly setsFolderBack: boolean
  /** The folder alone is older. */
  readonly keepsDatabase?: boolean
  /** The marks are set back with the folder: of bans that both have forgotten nothing can tell (SECURITY.md). */
  readonly setsMarksBack?: boolean
  /** All of the folder is lost but the marks, which a backup has. */
  readonly losesFolder?: boolean
  /** As outside of DEV: no process goes on with an older folder before an operator brings it back as it was, or accepts the loss. */
  readonly refuses?: boolean
}

export const verbs = [
  'sign',
  'refresh',
  'resume',
  'attach',
  'login',
  'logout',
  'keygen',
  'signUp',
  'recover',
  'export',
] as const
/** `pay`: a payment that a policy may deny, hold or count, with either of two wallets. */
export type Verb = (typeof verbs)[number] | 'pay'

/** By how much a clock may be wrong: the first is within what the rules about clocks allow (`clocksApart`). */
export const skewsMs = [400_000, 3_600_000, 86_400_000] as const

/** No faults, and no verbs. */
export const calm: Swarm = {
  losses: 0,
  doubles: 0,
  lates: 0,
  kills: 0,
  statementKills: 0,
  rareKills: 0,
  lostCommits: 0,
  lateReads: 0,
  lostThreads: 0,
  threads: 2,
  queue: 64,
  replicas: 1,
  pageKills: 0,
  evictions: false,
  skew: 0,
  upkeep: false,
  silentNode: 0,
  fullDisk: 0,
  shuffles: false,
  restores: undefined,
  verbs: 0,
  kinds: [],
  guesses: 0,
  guessesApart: false,
  forks: false,
  replays: false,
  setupGuesses: 0,
  foreign: false,
  abandoned: 0,
  twin: false,
  writes: false,
  onKernel: false,
  second: undefined,
  policy: undefined,
}
