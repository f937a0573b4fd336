import { counted } from '../service/counted.ts'
import type { Finding } from './Verb.ts'

/** How a verb that looks for problems ends where it finds some. `lines`: as people read them, `problems`: as data. */
export const problemsFound = (lines: readonly string[], problems: readonly unknown[] = lines): Finding => ({
  exitCode: 6,
  text: [...lines, `${counted(problems.length, 'problem')} found.`].join('\n'),
  data: { problems },
})
