/** Delta debugging over the decisions that are not plain: ever smaller spans are left out, as long as the schedule still fails. */
import type { Script } from './Sim.ts'

export type Shrunk = { readonly script: Script; readonly tries: number }

export const shrink = async (decisions: Script, fails: (script: Script) => Promise<boolean>): Promise<Shrunk> => {
  let left = Object.entries(decisions)
  let tries = 0
  for (let size = left.length; size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < left.length;) {
      const fewer = left.toSpliced(from, size)
      tries += 1
      if (await fails(Object.fromEntries(fewer))) left = fewer
      else from += size
    }
  }
  return { script: Object.fromEntries(left), tries }
}

export const notPlain = (script: Script): number => Object.keys(script).length
