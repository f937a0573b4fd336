/**
 * How often what may be asked for (domain/service/README.md#rate-limits). The contract says the class of each operation
 * (`x-rate`). The flows take what counts by user or identity, `admit` what counts by caller alone.
 */
import * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import { operations, type Operation, type OperationId } from '../../generated/operations.ts'
import type { Environment } from '../model/Environment.ts'
import { Caller } from './Caller.ts'
import { ProcessLimits } from './ports/ProcessLimits.ts'
import { RateLimits, type Limit } from './ports/RateLimits.ts'

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]

export const defaultRates = {
  /** Reads of one session. */
  R1: { burst: 100, perMs: second / 20 },
  /** Polls of one session, of each operation by itself. */
  R2: { burst: 60, perMs: second / 5 },
  /** Writes of one session. */
  R3: { burst: 60, perMs: second / 5 },
  /** Short links made in one network. */
  R3_LINKS: { burst: 30, perMs: minute },
  /** Runs of one user at a partner, of each kind by itself: keys made, refreshed, enrolled or brought back. */
  R4: { burst: 30, perMs: minute / 30 },
  /**
   * Signatures of one user at a partner, and apart from them the transactions of theirs that are passed on, and the frames of no run (ACK, RECONCILE):
   * above what polls and retries of a client need.
   */
  R4_SIGN: { burst: 600, perMs: minute / 600 },
  /** Wallets asked for by one user at a partner. */
  R4_WALLETS: { burst: 60, perMs: second },
  /** Proofs that one session or page shows: codes, passwords, passkeys. */
  R5: { burst: 5, perMs: minute / 5 },
  /** The same in one network. */
  R5_NETWORK: { burst: 20, perMs: minute / 20 },
  /** Passwords tried at one record by one known device, or by all unknown ones of a network. */
  R5_DEVICE: { burst: 5, perMs: 3 * minute },
  /** Passwords tried at one record by all unknown devices: at most 97 within a day. NIST SP 800-63B allows 100 failures. */
  R5_UNKNOWN: { burst: 50, perMs: 30 * minute },
  /** Codes to one address. All three have to allow one. */
  R6_COOLDOWN: { burst: 1, perMs: minute },
  R6_HOUR: { burst: 5, perMs: hour / 5 },
  /** At most 20 within a day: with 5 tries each, a guess succeeds with a chance of at most 1 in 10,000. */
  R6_DAY: { burst: 10, perMs: day / 10 },
  /** Codes and sign-ups that one network may ask for, for any identity. */
  R6_NETWORK: { burst: 30, perMs: hour / 30 },
  /** Mails with codes of one partner, those of sign-ups and of recoveries apart: what its key can cost the operator in mails. */
  R6_PARTNER: { burst: 10_000, perMs: day / 10_000 },
  /** Exports of one user. */
  R7: { burst: 3, perMs: day / 3 },
  /** Questions about who has an account, from one network. */
  R8: { burst: 60, perMs: minute / 10 },
  /** Reports of failures from one network. */
  R9: { burst: 30, perMs: minute / 30 },
  /** Questions to chains, from one network. */
  R10: { burst: 60, perMs: minute / 60 },
} as const satisfies Readonly<Record<string, Limit>>

export type RateName = keyof typeof defaultRates

export type Rates = { readonly [Name in RateName]: Limit }

export const Rates = Context.Reference<Rates>('tandem/service/Rates', { defaultValue: () => defaultRates })

/** Those that a development stack would reach: all its callers share a network, and sign up often. */
const wideInDevelopment: readonly RateName[] = [
  'R1',
  'R2',
  'R3',
  'R5',
  'R5_NETWORK',
  'R6_COOLDOWN',
  'R6_HOUR',
  'R6_DAY',
  'R6_NETWORK',
  'R8',
  'R10',
]

export const defaultRate = (name: RateName, environment: Environment): Limit =>
  environment === 'DEV' && wideInDevelopment.includes(name) ? times(defaultRates[name], 100) : defaultRates[name]

const times = ({ burst, perMs }: Limit, factor: number): Limit => ({ burst: burst * factor, perMs: perMs / factor })

/**
 * The key of what counts by user. A user signs in at many partners, and a page or server of one must not use up what the user has at
 * another.
 */
export const userAt = (partnerId: string, userId: string): string => `${partnerId} ${userId}`

/** Counts the request, before anything else is asked of it. */
export const admit = Effect.fnUntraced(function* (id: OperationId) {
  const { session, portal, recovery, network } = yield* Caller
  const rates = yield* Rates
  const { rate }: Operation = operations[id]
  const own = session?.id ?? portal?.openingId ?? recovery?.sessionId
  switch (rate) {
    case 'R1':
    case 'R2':
    case 'R3': {
      const bucket = rate === 'R2' ? id : rate
      // Callers without a token are as many as share the network.
      const [key, limit] = own === undefined ? [network, times(rates[rate], 10)] : [own, rates[rate]]
      return yield* (yield* ProcessLimits).take(bucket, key, limit)
    }
    case 'R5':
      yield* (yield* RateLimits).take('proofs', own ?? network, rates.R5)
      return yield* (yield* RateLimits).take('proofs of network', network, rates.R5_NETWORK)
    case 'R10':
      return yield* (yield* ProcessLimits).take(rate, network, rates.R10)
    default:
  }
})
