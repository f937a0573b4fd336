/**
 * The model of refresh against the real code: as many sequences as MODEL_SEQUENCES says, a fiftieth of them with the real
 * arithmetic. A sequence that goes wrong ends it with the shortest that does.
 */
import { runSequences } from '../kit/refreshModel.ts'
import { startModelWorld, type Arithmetic } from '../kit/refreshScene.ts'
import type { Figures } from './rows.ts'

const wanted = Number(process.env['MODEL_SEQUENCES'] ?? 200)

export const model = async (): Promise<readonly Figures[]> => [
  await figuresOf('toy', wanted),
  await figuresOf('real', Math.ceil(wanted / 50)),
]

/** Times are those of one sequence, on the mean. */
const figuresOf = async (arithmetic: Arithmetic, count: number): Promise<Figures> => {
  const world = await startModelWorld(arithmetic)
  const before = process.cpuUsage()
  const at = performance.now()
  try {
    const { sequences } = await runSequences(world, { count, arithmetic })
    const { user, system } = process.cpuUsage(before)
    return {
      suite: 'model',
      case: `refresh.${arithmetic}`,
      runs: sequences,
      cpuMs: (user + system) / 1000 / sequences,
      wallMs: (performance.now() - at) / sequences,
    }
  } finally {
    await world.stop()
  }
}
