/** Processes that play schedules, one a core. */
import { fork, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { laterVariable, type Answer, type Order } from './messages.ts'
import { mutantVariable } from './mutants.ts'

const script = join(import.meta.dirname, 'worker.ts')

/** A schedule takes milliseconds; one that takes this long hangs in a loop. */
const patienceMs = 120_000

export type Setting = {
  /** The check that the product lacks there, by its name. */
  readonly mutant?: string | undefined
  /** By how much the machine's clock is ahead there. */
  readonly laterMs?: number
}

export class Player {
  readonly #process: ChildProcess
  #heard: ((answer: Answer) => void) | undefined
  #lost: ((cause: Error) => void) | undefined

  private constructor(process: ChildProcess) {
    this.#process = process
    process.on('message', (answer: Answer) => this.#heard?.(answer))
    process.on('exit', (code) => this.#lost?.(new Error(`a process that plays schedules ended with ${String(code)}`)))
  }

  static async start({ mutant, laterMs = 0 }: Setting = {}): Promise<Player> {
    const env = {
      ...process.env,
      [laterVariable]: String(laterMs),
      ...(mutant === undefined ? {} : { [mutantVariable]: mutant }),
    }
    const player = new Player(fork(script, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }))
    await player.#next()
    return player
  }

  async ask(order: Order): Promise<Exclude<Answer, { readonly kind: 'ready' }>> {
    this.#process.send(order)
    const answer = await this.#next(order.kind === 'play' ? `seed ${order.seed}` : undefined)
    if (answer.kind === 'ready') throw new Error('a process that plays schedules began twice')
    return answer
  }

  stop(): void {
    this.#lost = undefined
    this.#process.kill()
  }

  #next(what?: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const timer =
        what === undefined ? undefined : setTimeout(() => reject(new Error(`${what} does not end`)), patienceMs)
      this.#heard = (answer) => {
        clearTimeout(timer)
        resolve(answer)
      }
      this.#lost = (cause) => {
        clearTimeout(timer)
        reject(new Error(what === undefined ? cause.message : `${what}: ${cause.message}`))
      }
    })
  }
}
