/** What flows log goes to the process's log, in its form and by its level. */
import * as Cause from 'effect/Cause'
import * as EffectLogger from 'effect/Logger'
import * as Layer from 'effect/Layer'
import type { LogLevel } from 'effect/LogLevel'
import { MinimumLogLevel } from 'effect/References'
import type { Level, Logger } from 'pino'

/** One line for each message: level, message, and of a failure what `fieldsOf` says. */
export const flowLog = (log: Logger): Layer.Layer<never> =>
  Layer.merge(
    EffectLogger.layer([
      EffectLogger.make<unknown, void>(({ message, logLevel, cause }) => {
        const text = [message].flat().map(String).join(' ')
        const fields = cause.reasons.length === 0 ? {} : fieldsOf(Cause.squash(cause))
        log[levels[logLevel]](fields, text)
      }),
    ]),
    // The log's own level decides, which a reload changes.
    Layer.succeed(MinimumLogLevel, 'All'),
  )

const levels: { readonly [L in LogLevel]: Level } = {
  All: 'trace',
  Trace: 'trace',
  Debug: 'debug',
  Info: 'info',
  Warn: 'warn',
  Error: 'error',
  Fatal: 'fatal',
  None: 'trace',
}

/**
 * What a log says of a failure: its name, where it was, and its cause's message. None of its other fields: those of pg have
 * values of rows.
 */
export const fieldsOf = (failure: unknown) => {
  const { name, stack, cause } = errorOf(failure)
  return { error: name, cause: cause instanceof Error ? cause.message : undefined, stack }
}

export const errorOf = (failure: unknown): Error =>
  failure instanceof Error ? failure : new Error('something was thrown that is no error')
