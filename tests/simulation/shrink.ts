/** Delta debugging over decisions: ever smaller spans are made plain, which is 0, as long as the schedule still fails. */
import type { Script } from './Sim.ts'

export type Shrunk = { readonly script: Script; readonly tries: number }

export const shrink = async (decisions: Script, fails: (script: Script) => Promise<boolean>): Promise<Shrunk> => {
  let script = [...decisions]
  let tries = 0
  const accept = async (candidate: number[]): Promise<void> => {
    tries += 1
    if (await fails(candidate)) script = candidate
  }
  for (let size = script.length; size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < script.length; from += size) {
      if (script.slice(from, from + size).every((one) => one === 0)) continue
      await accept(script.map((one, at) => (at >= from && at < from + size ? 0 : one)))
    }
  }
  // What follows the last decision that is not plain is plain anyway.
  while (script.at(-1) === 0) script.pop()
  return { script, tries }
}

export const notPlain = (script: Script): number => script.filter((one) => one !== 0).length
