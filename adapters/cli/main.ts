/** `tandem`: the command of a deployment and of a partner (README.md#the-command). */
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { isatty } from 'node:tty'

// What reads our output may stop reading it, as `head` does.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1))

// A service that runs listens to the signal itself, and stops in order.
process.on('SIGINT', () => {
  if (process.listenerCount('SIGINT') === 1) process.exit(130)
})

const words = process.argv.slice(2)

/** A service listens to SIGHUP once its code has loaded. What comes before is told it then, unless the terminal was closed. */
const keepHangUps = () => {
  const terminals = [0, 1, 2].filter(isatty)
  let isKept = false
  const keep = () => {
    if (!terminals.every(isatty)) process.exit(129)
    isKept = true
  }
  process.on('SIGHUP', keep)
  const handOver = (event: string | symbol) => {
    if (event !== 'SIGHUP') return
    process.off('newListener', handOver)
    // The handler stands then: between two of them the signal would end the process.
    setImmediate(() => {
      process.off('SIGHUP', keep)
      if (isKept) process.emit('SIGHUP')
    })
  }
  process.on('newListener', handOver)
}
const verb = words.find((word, index) => !word.startsWith('-') && words[index - 1] !== '--config')
if (verb === 'start') keepHangUps()

/** On stderr, because stdout is for data. */
const ask = async (question: string): Promise<boolean> => {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  terminal.on('SIGINT', () => process.exit(130))
  const answer = await terminal.question(`This cannot be taken back: ${question} Do it? [y/N] `)
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}

// What it imports takes a second.
const { runCommand } = await import('./command.ts')
const { exitCode, out, error } = await runCommand(
  words,
  (path) => readFile(path, 'utf8'),
  process.env,
  process.stdin.isTTY && process.stderr.isTTY ? ask : undefined,
)
if (error !== '') console.error(error)
if (out !== '') console.log(out)
// A verb that failed may have left something open that would keep the process.
if (exitCode !== 0) process.exit(exitCode)
