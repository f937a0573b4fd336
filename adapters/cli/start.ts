/** `tandem start`: the same as `adapters/service/main.ts`. */
import * as Result from 'effect/Result'
import { readConfiguration } from '../service/config.ts'
import { runService } from '../service/runService.ts'
import { StartRefusal } from '../service/StartRefusal.ts'
import { wrongConfiguration } from './deployment.ts'
import type { Call, Finding, Problem } from './Verb.ts'

/** Ends when it listens; what listens keeps the process. */
export const start = async ({ variables, readVariables, options }: Call): Promise<Result.Result<Finding, Problem>> => {
  const roles = (options('role') ?? []).map((role) => `--role=${role}`)
  const configuration = readConfiguration(variables, roles)
  if (Result.isFailure(configuration)) return Result.fail(wrongConfiguration(configuration.failure.message))
  try {
    const addresses = await runService(configuration.success, { variables, arguments_: roles, readVariables })
    return Result.succeed({ exitCode: 0, text: '', data: { addresses } })
  } catch (cause) {
    if (!(cause instanceof StartRefusal)) throw cause
    return Result.fail({ code: 'failed', message: cause.message, fix: 'tandem doctor' })
  }
}
