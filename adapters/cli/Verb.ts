/** What a verb of `tandem` is, and how it ends. */
import type { Option } from 'commander'
import type * as Result from 'effect/Result'
import type { Variables } from '../service/settings.ts'

export type Verb = {
  /** Its words after `tandem`. */
  readonly name: string
  /** Its arguments, in the order in which they are given; `…` after the last one for several. */
  readonly takes: readonly string[]
  readonly says: string
  readonly options?: () => readonly Option[]
  /** It writes to the deployment: it takes `--reason`, which PROD asks for. */
  readonly changes?: true
  /** It makes the file of settings: the one that TANDEM_CONFIG names need not be there yet. */
  readonly makesSettings?: true
  /** What it does cannot be taken back, and is done after a yes alone: the question, for a terminal. `--yes` answers it. */
  readonly asks?: (given: readonly string[]) => string
  /** What keeps it from being done whatever the answer is. */
  readonly beforeAsking?: (call: Call) => Promise<Problem | undefined>
  /** Imports what it needs by itself, so that a command loads no other's. */
  readonly run: (call: Call) => Ended
}

export type Call = Settings & {
  /** Texts in the order of `takes`, none of them missing. */
  readonly given: readonly string[]
  /** Options by their names in camel case; undefined where one was not given. */
  readonly option: (name: string) => string | undefined
  /** Of an option that may be given several times. */
  readonly options: (name: string) => readonly string[] | undefined
  readonly flag: (name: string) => boolean
  readonly reason: string | undefined
  /** The settings as they are at the call of this. */
  readonly readVariables: () => Promise<Result.Result<Variables, Problem>>
  readonly readFile: ReadFile
}

export type ReadFile = (path: string) => Promise<string>

/** What a verb did or found: for people, and the same as data. 6: it found problems. */
export type Finding = { readonly exitCode: 0 | 6; readonly text: string; readonly data: unknown }

export type Ended = Promise<Result.Result<Finding, Problem>>

/** Why nothing was done. */
export type Problem = {
  readonly code: keyof typeof exitCodes
  readonly message: string
  /** What to do about it; where that depends on where the settings are from, by these. */
  readonly fix: string | ((settings: Settings) => string)
}

/** What `from` says of a variable that no file of settings has. */
export const environment = 'the environment'

/** The settings of the deployment, and where they are from. */
export type Settings = {
  readonly variables: Variables
  /** The file of settings, where one is given. */
  readonly file: string | undefined
  /** Where the text of a variable that is given is from. */
  readonly from: (name: string) => string
}

export const exitCodes = { failed: 1, usage: 2, configuration: 3, unreachable: 4, refused: 5 } as const
