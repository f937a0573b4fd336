/** Settings of limits, `RATE_R1=20/1s` and the like: one for each row of `domain/service/rates.ts`. */
import * as Config from 'effect/Config'
import * as Record from 'effect/Record'
import * as Result from 'effect/Result'
import type { Environment } from '../../domain/model/Environment.ts'
import type { Limit } from '../../domain/service/ports/RateLimits.ts'
import { defaultRate, defaultRates, type Rates } from '../../domain/service/rates.ts'
import { optional, setting, type Read } from './settings.ts'

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Rows that were not used for longer are deleted (`upkeep.ts`): a bucket has to be full again by then. */
export const longestRefillMs = 2 * units.d

/** `20/1s`, or with more at once `20/1s burst 100`. */
const readRate: Read<Limit> = (text) => {
  const [, count, time, unit, burst = count] = /^(\d{1,6})\/(\d{1,6})([smhd])(?: burst (\d{1,6}))?$/.exec(text) ?? []
  const known = unit === 's' || unit === 'm' || unit === 'h' || unit === 'd' ? units[unit] : 0
  const limit = { burst: Number(burst), perMs: (Number(time) * known) / Number(count) }
  if (!(limit.burst >= 1 && limit.perMs > 0 && Number.isFinite(limit.perMs)))
    return Result.fail(`is '${text}', which is not a rate like 20/1s or 20/1s burst 100`)
  return limit.burst * limit.perMs > longestRefillMs
    ? Result.fail(`is '${text}', which takes more than two days to be full again`)
    : Result.succeed(limit)
}

/** As a setting has it: `20/1s burst 100`. */
export const rateText = ({ burst, perMs }: Limit): string => {
  const whole = Object.entries(units).find(([, ms]) => Number.isInteger(ms / perMs))
  const often = whole === undefined ? `1/${perMs / units.s}s` : `${whole[1] / perMs}/1${whole[0]}`
  return `${often} burst ${burst}`
}

/** Those that are set. */
export const rateSettings = Config.all(
  Record.map(defaultRates, (_, name) => optional(setting(`RATE_${name}`, readRate))),
)

export const ratesOf = (set: Config.Success<typeof rateSettings>, environment: Environment): Rates =>
  Record.map(set, (limit, name) => limit ?? defaultRate(name, environment))
