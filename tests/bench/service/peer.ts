/** A process of its own that does what it is asked over its channel, one order after the other. */
import { fork } from 'node:child_process'
import { join } from 'node:path'

/** What a process may be asked, by name. Parameters and answers are what `structuredClone` takes. */
type Orders = Readonly<Record<string, (parameter: never) => unknown>>

type Order = { readonly name: string; readonly parameter: never }

type Answer<A> = { readonly kind: 'done'; readonly value: A } | { readonly kind: 'failed'; readonly reason: string }

export type Peer<O> = {
  readonly ask: <K extends keyof O>(name: K, parameter: ParameterOf<O[K]>) => Promise<AnswerOf<O[K]>>
  readonly stop: () => Promise<void>
}

type ParameterOf<F> = F extends (parameter: infer P) => unknown ? P : never

type AnswerOf<F> = F extends (parameter: never) => infer A ? Awaited<A> : never

/** `script` is a file of this folder. */
export const startPeer = <O>(script: string, execArgv: readonly string[] = []): Peer<O> => {
  const child = fork(join(import.meta.dirname, script), [], {
    execArgv: [...process.execArgv, ...execArgv],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    ask: (name, parameter) =>
      new Promise((resolve, reject) => {
        child.once('message', (answer: Answer<AnswerOf<O[typeof name]>>) => {
          if (answer.kind === 'done') resolve(answer.value)
          else reject(new Error(`${script}: ${answer.reason}`))
        })
        void gone.then(() => reject(new Error(`${script} ended`)))
        child.send({ name, parameter })
      }),
    stop: async () => {
      if (child.connected) child.disconnect()
      await gone
    },
  }
}

/** The process's own part; `end` is what it does when it is not needed any more. */
export const serve = (orders: Orders, end: () => Promise<unknown> = () => Promise.resolve()): void => {
  process.on('message', ({ name, parameter }: Order) => {
    const answered = Promise.resolve().then(() => orders[name]?.(parameter))
    answered.then(
      (value) => process.send?.({ kind: 'done', value }),
      (cause: unknown) => process.send?.({ kind: 'failed', reason: String(cause) }),
    )
  })
  process.once('disconnect', () => void end().finally(() => process.exit(0)))
}
