/**
 * The model of refresh against the real code: as many sequences as MODEL_SEQUENCES says, a fiftieth of them with the
 * real arithmetic. A sequence that goes wrong ends it with the shortest that does.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Arithmetic } from '../kit/refreshScene.ts'
import type { Figures } from './rows.ts'

const wanted = Number(process.env['MODEL_SEQUENCES'] ?? 200)

export const model = async (): Promise<readonly Figures[]> => [
  await figuresOf('toy', wanted),
  await figuresOf('real', Math.ceil(wanted / 50)),
]

/** Times are those of one sequence, on the mean, without what the database takes. */
const figuresOf = async (arithmetic: Arithmetic, count: number): Promise<Figures> => {
  const script = join(import.meta.dirname, 'sequences.ts')
  const run = promisify(execFile)(process.execPath, [script, arithmetic, String(count)])
  run.child.stderr?.pipe(process.stderr)
  const { sequences, cpuMs, wallMs } = JSON.parse((await run).stdout) as Readonly<Record<string, number>>
  return { suite: 'model', case: `refresh.${arithmetic}`, runs: sequences ?? 0, cpuMs: cpuMs ?? 0, wallMs: wallMs ?? 0 }
}
