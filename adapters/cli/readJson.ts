import * as Result from 'effect/Result'
import type { Problem, ReadFile } from './Verb.ts'

/** The JSON in a file that a verb was given. */
export const readJson = async (readFile: ReadFile, file: string): Promise<Result.Result<unknown, Problem>> => {
  const problem = (message: string) =>
    Result.fail<Problem>({ code: 'failed', message, fix: 'Give the path of a JSON file.' })
  const text = await readFile(file).catch(() => undefined)
  if (text === undefined) return problem(`${file} cannot be read.`)
  try {
    return Result.succeed(JSON.parse(text) as unknown)
  } catch {
    return problem(`${file} is no JSON.`)
  }
}
