/** `tandem`: the command of a deployment and of a partner (README.md#the-command). */
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { runCommand } from './command.ts'

// What reads our output may stop reading it, as `head` does.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1))

// A service that runs listens to the signal itself, and stops in order.
process.on('SIGINT', () => {
  if (process.listenerCount('SIGINT') === 1) process.exit(130)
})

/** On stderr, because stdout is for data. */
const ask = async (question: string): Promise<boolean> => {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  terminal.on('SIGINT', () => process.exit(130))
  const answer = await terminal.question(`This cannot be taken back: ${question} Do it? [y/N] `)
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}

const { exitCode, out, error } = await runCommand(
  process.argv.slice(2),
  (path) => readFile(path, 'utf8'),
  process.env,
  process.stdin.isTTY && process.stderr.isTTY ? ask : undefined,
)
if (error !== '') console.error(error)
if (out !== '') console.log(out)
process.exitCode = exitCode
