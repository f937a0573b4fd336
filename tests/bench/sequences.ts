/**
 * Sequences of the model of refresh in a process of their own: `sequences.ts toy 10000 [seed]`, or `real`. Toys run
 * without curves and on a database that costs little, real ones on what the service runs on. Says on stderr how far it
 * is, each hundred under a seed of its own, and in the end on stdout what it took, as JSON. Whatever goes wrong ends
 * it with its seed and the shortest sequence.
 */
import type { Arithmetic } from '../kit/refreshScene.ts'

const [, , name = 'toy', wanted = '100', first = String(Math.trunc(Math.random() * 1e6))] = process.argv
const arithmetic: Arithmetic = name === 'real' ? 'real' : 'toy'
if (arithmetic === 'toy') await import('../kit/quick/hooks.ts')

const { startPostgres } = await import('../kit/postgres.ts')
const { quickDatabase } = await import('../kit/quick/database.ts')
const { runSequences } = await import('../kit/refreshModel.ts')
const { startModelWorld } = await import('../kit/refreshScene.ts')

const hundred = 100
const count = Number(wanted)
const chunks = Array.from({ length: Math.ceil(count / hundred) }, (_, index) => ({
  seed: Number(first) + index,
  size: Math.min(hundred, count - hundred * index),
}))

const server = await startPostgres()
const world = await startModelWorld(arithmetic, quickDatabase(await server.createDatabase()))
const before = process.cpuUsage()
const at = performance.now()
let [done, steps] = [0, 0]

const figures = () => {
  const { user, system } = process.cpuUsage(before)
  const wallMs = (performance.now() - at) / done
  return { sequences: done, steps, cpuMs: (user + system) / 1000 / done, wallMs }
}

/** Two at once: while one waits for the database the other goes on. */
const lane = async () => {
  for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift()) {
    const { seed, size } = chunk
    const ran = await runSequences(world, { count: size, arithmetic, seed }).catch((cause: unknown) => {
      throw new Error(`seed ${seed}`, { cause })
    })
    done += ran.sequences
    steps += ran.steps
    console.error(`${new Date().toISOString()} ${arithmetic} seed ${seed}:`, figures())
  }
}

await Promise.all([lane(), lane()])
console.log(JSON.stringify(figures()))
await world.stop()
await server.stop()
