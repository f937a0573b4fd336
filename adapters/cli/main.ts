/** `tandem`: the command of a deployment and of a partner (README.md#the-command). */
import { readFile } from 'node:fs/promises'
import { runCommand } from './command.ts'

// What reads our output may stop reading it, as `head` does.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1))

const { exitCode, out, error } = await runCommand(process.argv.slice(2), (path) => readFile(path, 'utf8'), process.env)
if (error !== '') console.error(error)
if (out !== '') console.log(out)
process.exitCode = exitCode
