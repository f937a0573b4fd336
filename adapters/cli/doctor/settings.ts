/** D01 to D03: what is set. */
import * as Result from 'effect/Result'
import { settingNames, warningsOf, type readConfiguration } from '../../service/config.ts'
import { secretNames } from '../../service/settingsReference.ts'
import type { Variables } from '../../service/settings.ts'
import type { Fault } from './Check.ts'

/** Of names that no setting has and that are nearly one's, and of the configuration that they make. */
export const checkSettings = (
  variables: Variables,
  configuration: ReturnType<typeof readConfiguration>,
): readonly Fault[] => {
  const names = settingNames()
  const known = [...names, ...secretNames.map((name) => `${name}_FILE`)]
  const unknown = Object.keys(variables).flatMap((name): readonly Fault[] => {
    const near = known.includes(name) ? undefined : known.find((one) => isNear(name, one))
    if (near === undefined) return []
    return [{ code: 'D01', sentence: `${name} is set, and no setting has this name.`, fix: `Did you mean ${near}?` }]
  })
  if (Result.isFailure(configuration)) {
    const fix = 'tandem config docs says what it may be.'
    return [...unknown, { code: 'D02', sentence: configuration.failure.message, fix }]
  }
  const warnings = warningsOf(configuration.success).map((sentence): Fault => ({
    code: 'D03',
    sentence,
    fix: 'TRUSTED_PROXIES=10.0.0.1, with the addresses of the proxies.',
  }))
  return [...unknown, ...warnings]
}

/** Names of a few letters are near to many. */
const shortest = 6

/** One or two letters differ, are missing or too many. */
const isNear = (name: string, other: string): boolean =>
  name.length >= shortest && Math.abs(name.length - other.length) <= 2 && distance(name, other) <= 2

/** Levenshtein's: row by row of the table. */
const distance = (one: string, other: string): number => {
  let above = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...one].entries()) {
    const row = [index + 1]
    for (const [column, otherLetter] of [...other].entries()) {
      const replaced = (above[column] ?? 0) + (letter === otherLetter ? 0 : 1)
      row.push(Math.min(replaced, (above[column + 1] ?? 0) + 1, (row[column] ?? 0) + 1))
    }
    above = row
  }
  return above[other.length] ?? 0
}
