/** `tandem status`: whether the processes of this deployment are ready, as the admin listener says. */
import * as Result from 'effect/Result'
import { addressOf } from '../service/addressOf.ts'
import { readConfiguration } from '../service/config.ts'
import { wrongConfiguration } from './deployment.ts'
import { problemsFound } from './problemsFound.ts'
import type { Call, Ended } from './Verb.ts'

const answerWithinMs = 10_000

export const status = async ({ variables }: Call): Ended => {
  const configuration = readConfiguration(variables)
  if (Result.isFailure(configuration)) return Result.fail(wrongConfiguration(configuration.failure.message))
  const address = addressOf(configuration.success.listeners.admin)
  const parts = await partsAt(`${address}/health/ready`)
  if (parts === undefined)
    return Result.fail({
      code: 'unreachable',
      message: `Nothing of this version answers at ${address}.`,
      fix: 'Start the service with the role admin, or set ADMIN_LISTEN as it has it.',
    })
  const failing = parts.filter(([, isReady]) => !isReady).map(([name]) => `not ready: ${name}`)
  if (failing.length > 0) return Result.succeed(problemsFound(failing))
  const text = `Ready: ${parts.map(([name]) => name).join(', ')}.`
  return Result.succeed({ exitCode: 0, text, data: Object.fromEntries(parts) })
}

/** What the listener names, and whether each is ready. Undefined where it is none of this service. */
const partsAt = async (url: string): Promise<readonly (readonly [string, boolean])[] | undefined> => {
  try {
    const answer: unknown = await (await fetch(url, { signal: AbortSignal.timeout(answerWithinMs) })).json()
    if (typeof answer !== 'object' || answer === null) return undefined
    const parts = Object.entries(answer).filter((part): part is [string, boolean] => typeof part[1] === 'boolean')
    return parts.length === 0 ? undefined : parts
  } catch {
    return undefined
  }
}
