/** Whether a setting has a name, and which setting a mistyped name is nearest to. */
import { settingNames } from '../service/config.ts'
import { secretNames } from '../service/settingsReference.ts'

export const isSetting = (name: string): boolean => known().includes(name)

/** The setting whose name is this one but for one or two letters. */
export const nearestSetting = (name: string): string | undefined => known().find((one) => isNear(name, one))

const known = () => [...settingNames(), ...secretNames.map((name) => `${name}_FILE`)]

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
