/** The messages between the driver and the processes that play schedules. */
import type { Script, Violation } from './Sim.ts'
import type { Swarm } from './swarm.ts'
import type { Family } from './workloads.ts'

/** The environment variable of a process that plays schedules: by how many milliseconds the machine's clock is ahead there. */
export const laterVariable = 'TANDEM_SIMULATION_LATER'

export type Order =
  | {
      readonly kind: 'play'
      readonly seed: number
      readonly only?: Family | undefined
      /** In place of the seed's own. */
      readonly swarm?: Swarm | undefined
      readonly script?: Script | undefined
      readonly keepsTrace?: boolean
      /** Invariants that are not looked at. */
      readonly without?: readonly string[] | undefined
    }
  | {
      readonly kind: 'shrink'
      readonly seed: number
      readonly only?: Family | undefined
      readonly swarm?: Swarm | undefined
      readonly without?: readonly string[] | undefined
    }

export type PlayedSchedule = {
  readonly kind: 'played'
  readonly seed: number
  readonly swarm: Swarm
  readonly violation: Violation | undefined
  readonly hash: string
  readonly steps: number
  /** Only of what failed or was traced. */
  readonly decisions: Script
  readonly trace: readonly string[]
  readonly pairs: readonly (readonly [string, number])[]
  readonly ends: readonly (readonly [string, number])[]
  /** Of the whole process so far. */
  readonly leaks: readonly (readonly [string, number])[]
}

export type ShrunkSchedule = {
  readonly kind: 'shrunk'
  readonly seed: number
  readonly swarm: Swarm
  readonly violation: Violation | undefined
  readonly script: Script
  readonly tries: number
  readonly of: number
  readonly notPlain: number
}

export type Answer = { readonly kind: 'ready' } | PlayedSchedule | ShrunkSchedule
