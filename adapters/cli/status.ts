/** `tandem status`: whether the process at the admin listener is ready, with each part that it has, and the co-signer's key. */
import * as Result from 'effect/Result'
import type { KeyStatus } from '../../domain/service/cosignerKeys.ts'
import { addressOf } from '../service/addressOf.ts'
import { readConfiguration } from '../service/config.ts'
import { cosignerKeysPath } from '../service/http/admin.ts'
import { wrongConfiguration } from './deployment.ts'
import { problemsFound } from './problemsFound.ts'
import type { Call, Ended } from './Verb.ts'

/** The listener tries one part after the other, each for five seconds at most. */
const answerWithinMs = 20_000

export const status = async ({ variables }: Call): Ended => {
  const configuration = readConfiguration(variables)
  if (Result.isFailure(configuration)) return Result.fail(wrongConfiguration(configuration.failure.message))
  const address = addressOf(configuration.success.listeners.admin)
  const parts = await partsAt(`${address}/health/ready`)
  if (parts === 'late')
    return Result.fail({
      code: 'unreachable',
      message: `${address} did not answer within ${answerWithinMs / 1_000} s.`,
      fix: 'See the log of the process, and whether it or its database is overloaded.',
    })
  if (parts === undefined)
    return Result.fail({
      code: 'unreachable',
      message: `Nothing of this version answers at ${address}.`,
      fix: 'Start the service with the role admin, or set ADMIN_LISTEN as it has it.',
    })
  const failing = parts.filter(([, isReady]) => !isReady).map(([name]) => `not ready: ${name}`)
  if (failing.length > 0) return Result.succeed(problemsFound(failing))
  const ready = `Ready: ${parts.map(([name]) => name).join(', ')}.`
  const keys = await keysAt(`${address}${cosignerKeysPath}`)
  const cosignerKey = keys && {
    signing: keys.find(({ state }) => state === 'SIGNING')?.id ?? null,
    published: keys.find(({ state }) => state === 'PUBLISHED')?.id ?? null,
    retirable: keys.flatMap(({ id, isRetirable }) => (isRetirable ? [id] : [])),
  }
  const text = [ready, sentenceOf(cosignerKey)].join('\n')
  return Result.succeed({ exitCode: 0, text, data: { ...Object.fromEntries(parts), cosignerKey: cosignerKey ?? null } })
}

type CosignerKey = {
  readonly signing: string | null
  /** Signs soon. */
  readonly published: string | null
  readonly retirable: readonly string[]
}

const sentenceOf = (key: CosignerKey | undefined): string => {
  if (key === undefined) return 'The process does not say which key signs the co-signer’s answers.'
  if (key.signing === null) return 'No co-signer of this name has started on this database.'
  const parts = [
    `Key ${key.signing} signs the co-signer’s answers`,
    ...(key.published === null ? [] : [`${key.published} is published and takes over`]),
    ...key.retirable.map((id) => `${id} can be retired`),
  ]
  return `${parts.join('; ')}.`
}

type Key = Pick<KeyStatus, 'id' | 'state' | 'isRetirable'>

/** Undefined from a process that does not answer it, as one of the version before. */
const keysAt = async (url: string): Promise<readonly Key[] | undefined> => {
  try {
    const answer: unknown = await (await fetch(url, { signal: AbortSignal.timeout(answerWithinMs) })).json()
    return Array.isArray(answer) ? (answer as readonly Key[]) : undefined
  } catch {
    return undefined
  }
}

type Part = readonly [name: string, isReady: boolean]

/** What the listener names, and whether each is ready. Undefined where it is none of this service. */
const partsAt = async (url: string): Promise<readonly Part[] | 'late' | undefined> => {
  try {
    const answer: unknown = await (await fetch(url, { signal: AbortSignal.timeout(answerWithinMs) })).json()
    if (typeof answer !== 'object' || answer === null) return undefined
    const parts = Object.entries(answer).filter((part): part is [string, boolean] => typeof part[1] === 'boolean')
    return parts.length === 0 ? undefined : parts
  } catch (cause) {
    return cause instanceof Error && cause.name === 'TimeoutError' ? 'late' : undefined
  }
}
