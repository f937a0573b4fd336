/** `npm start`: brings the stack up and keeps it until it is stopped. */
import * as Result from 'effect/Result'
import { readConfiguration } from '../service/config.ts'
import { StartRefusal } from '../service/StartRefusal.ts'
import { stopOnSignal } from '../service/stopOnSignal.ts'
import { startDevelopment } from './stack.ts'

try {
  const configuration = Result.getOrThrow(readConfiguration(process.env, process.argv.slice(2)))
  await startDevelopment(configuration, process.env, (line) => console.log(line), stopOnSignal)
} catch (cause) {
  if (!(cause instanceof StartRefusal)) throw cause
  console.error(cause.message)
  process.exitCode = 1
}
