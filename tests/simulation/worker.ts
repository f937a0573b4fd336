/** A process that plays schedules, one after another. The guard stands before everything else. */
import { chance, leaks } from './guard.ts'
import '../kit/quick/hooks.ts'
import './mutation.ts'
import type { Answer, Order } from './messages.ts'
import type { Script } from './Sim.ts'
import type { Swarm } from './swarm.ts'

const { Sim } = await import('./Sim.ts')
const { calm } = await import('./swarm.ts')
const { makeBase } = await import('./world.ts')
const { play, playBothGuesses } = await import('./schedule.ts')
const { notPlain, shrink } = await import('./shrink.ts')
const { swarmOf } = await import('./workloads.ts')

/** Without faults: each process makes the same ones. */
const makeBaseOf = ({ onKernel, policy, second }: Swarm) => {
  const sim = new Sim({ seed: 0, script: {} })
  chance.bytes = sim.bytesOf('process')
  return makeBase(sim, { ...calm, onKernel, policy, second })
}
const base = await makeBaseOf(calm)
chance.isGuarded = true

/** Where other schedules begin, each made for the first of them. */
const others = new Map<string, typeof base>()
const baseOf = async (swarm: Swarm) => {
  const { onKernel, policy, second } = swarm
  const name = `${String(onKernel)} ${String(policy !== undefined)} ${String(second)}`
  if (!onKernel && policy === undefined && second === undefined) return base
  const made = others.get(name) ?? (await makeBaseOf(swarm))
  others.set(name, made)
  return made
}

/** How many seeds there are for one that is played with both guesses: these take twice the time. */
const bothGuessesOneIn = 8

const playerOf = (seed: number, script: Script | undefined) =>
  script !== undefined || seed % bothGuessesOneIn === 0 ? playBothGuesses : play

const answer = (message: Answer) => void process.send?.(message)

const work = async (order: Order): Promise<void> => {
  switch (order.kind) {
    case 'play': {
      const { seed, only, swarm = swarmOf(seed, only), script, keepsTrace, without } = order
      const { violation, hash, steps, decisions, trace, pairs, ends } = await playerOf(seed, script)(
        await baseOf(swarm),
        {
          seed,
          swarm,
          script,
          keepsTrace,
          without,
        },
      )
      answer({
        kind: 'played',
        seed,
        swarm,
        violation,
        hash: hash.toString(16).padStart(8, '0'),
        steps,
        decisions: violation === undefined && keepsTrace !== true ? {} : decisions,
        trace,
        pairs: [...pairs],
        ends: [...ends],
        leaks: [...leaks],
      })
      return
    }
    case 'shrink': {
      const { seed, only, swarm = swarmOf(seed, only), without } = order
      const { violation, decisions } = await playerOf(seed, undefined)(await baseOf(swarm), { seed, swarm, without })
      const fails = async (script: Script) =>
        (await playerOf(seed, script)(await baseOf(swarm), { seed, swarm, script, without })).violation?.invariant ===
        violation?.invariant
      const { script, tries } = violation === undefined ? { script: {}, tries: 0 } : await shrink(decisions, fails)
      answer({
        kind: 'shrunk',
        seed,
        swarm,
        violation,
        script,
        tries,
        of: notPlain(decisions),
        notPlain: notPlain(script),
      })
    }
  }
}

process.on('message', (order: Order) => void work(order))
process.on('disconnect', () => process.exit())
// A terminal sends it to all processes of the command: the driver ends this one when its schedule is over.
process.on('SIGINT', () => undefined)
answer({ kind: 'ready' })
