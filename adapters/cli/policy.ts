/** `tandem policy`: documents are checked and tried out on this machine; nothing is sent anywhere. */
import * as Result from 'effect/Result'
import { readCases, runCases, type Report } from '../../domain/service/policy/cases.ts'
import { check, notesOn } from '../../domain/service/policy/check.ts'
import { read } from '../../domain/service/policy/Policy.ts'
import { counted } from '../service/counted.ts'
import { problemsFound } from './problemsFound.ts'
import type { Finding } from './Verb.ts'

export const checkPolicy = (policy: unknown): Finding => {
  const problems = check(policy)
  if (problems.length > 0) {
    const found = problemsFound(problems)
    // What rules mean is looked at once they can be read.
    return Result.isSuccess(read(policy)) ? found : { ...found, text: `${found.text} ${onlyFirst}` }
  }
  const notes = notesOn(policy)
  return { exitCode: 0, text: [...notes, 'No problems found.'].join('\n'), data: { problems, notes } }
}

const onlyFirst = 'These are the first: more is checked once they are mended.'

export const testPolicy = (policy: unknown, cases: unknown): Finding => {
  const report = Result.gen(function* () {
    const [rules, all] = [yield* read(policy), yield* readCases(cases)]
    return yield* runCases(rules, all)
  })
  if (Result.isFailure(report)) return problemsFound(report.failure.problems)
  const { results, unreached } = report.success
  const isOk = results.every((result) => result.isOk)
  return { exitCode: isOk ? 0 : 6, text: written(report.success), data: { results, unreached } }
}

const written = ({ results, unreached }: Report): string => {
  const longest = Math.max(...results.map(({ name }) => name.length))
  const lines = results.map(({ name, isOk, expected, judgement }) => {
    const { effect, rules, limited } = judgement
    const by = rules.map((rule) => (limited.includes(rule) ? `${rule} (limit)` : rule)).join(', ') || 'default'
    return isOk
      ? `ok   ${name.padEnd(longest)}  ${effect.padEnd(6)}  ${by}`
      : `FAIL ${name.padEnd(longest)}  expected ${expected}, got ${effect}: ${by}`
  })
  const passed = results.filter(({ isOk }) => isOk).length
  const missed = unreached.map((rule) => ` No case reaches rule \`${rule}\`.`).join('')
  return [...lines, `${passed} of ${counted(results.length, 'case')} passed.${missed}`].join('\n')
}
