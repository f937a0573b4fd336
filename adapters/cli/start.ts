/** `tandem start`: as `adapters/service/main.ts`, but a file may have its settings. */
import * as Result from 'effect/Result'
import { readConfigured } from '../service/config.ts'
import { runService } from '../service/runService.ts'
import { StartRefusal } from '../service/StartRefusal.ts'
import { unreachable, wrongConfiguration } from './deployment.ts'
import type { Call, Finding, Problem } from './Verb.ts'

/** Ends when it listens; what listens keeps the process. */
export const start = async ({
  variables: given,
  readVariables,
  options,
}: Call): Promise<Result.Result<Finding, Problem>> => {
  const roles = (options('role') ?? []).map((role) => `--role=${role}`)
  const read = readConfigured(given, roles)
  if (Result.isFailure(read)) return Result.fail(wrongConfiguration(read.failure.message))
  const { variables, configuration } = read.success
  try {
    const addresses = await runService(configuration, { variables, arguments_: roles, readVariables })
    return Result.succeed({ exitCode: 0, text: '', data: { addresses } })
  } catch (cause) {
    if (!(cause instanceof StartRefusal)) throw cause
    const { of, message } = cause
    if (of === 'database') return Result.fail(unreachable(message))
    return Result.fail({ code: of === 'configuration' ? of : 'failed', message, fix: 'tandem doctor' })
  }
}
