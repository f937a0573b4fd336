/** The worker that runs the protocols in the browser: its jobs and how they fail. */
import * as Data from 'effect/Data'
import * as Result from 'effect/Result'

/** The job types, named as in the public client. */
export const functionTypes = [
  'KEYGEN',
  'PREKEYGEN',
  'ED25519_KEYGEN',
  'ED25519_PREKEYGEN',
  'SIGN_MESSAGE',
  'SIGN_TRANSACTION',
  'SEND_TRANSACTION',
  'ED25519_SIGN',
  'REFRESH',
  'GET_PRIVATE_KEY',
] as const
export type FunctionType = (typeof functionTypes)[number]

/** Reads a job type by its name. */
export const parseFunctionType = (text: string): Result.Result<FunctionType, FunctionTypeNotSupported> => {
  const functionType = functionTypes.find((type) => type === text)
  return functionType === undefined
    ? Result.fail(new FunctionTypeNotSupported({ functionType: text }))
    : Result.succeed(functionType)
}

/** How the worker gets its kernel: by default it fetches it from the portal. */
export type Loading = {
  readonly disableWasmFetch?: boolean
  readonly useLocalFiles?: boolean
  /**
   * Where the app has its own copy of the package's `worker.js`: relative to the page, or on another origin that allows
   * it to be read. Without it, and where it is not the worker of this version, the package finds its own.
   */
  readonly workerUrl?: string
}

/** Where the kernel comes from. Local files are for the development environment alone. */
export const kernelSource = (
  loading: Loading,
  environment: string,
): Result.Result<'portal' | 'local', WasmFetchDisabled | LocalFilesOnlyLocally> => {
  if (loading.useLocalFiles) {
    return environment === 'DEV' ? Result.succeed('local') : Result.fail(new LocalFilesOnlyLocally())
  }
  return loading.disableWasmFetch ? Result.fail(new WasmFetchDisabled()) : Result.succeed('portal')
}

export class FunctionTypeNotSupported extends Data.TaggedError('FunctionTypeNotSupported')<{
  readonly functionType: string
}> {
  override readonly message = `functionType: ${this.functionType} not supported`
}

export class WasmFetchDisabled extends Data.TaggedError('WasmFetchDisabled') {
  override readonly message = 'fetching wasm file is disabled'
}

export class LocalFilesOnlyLocally extends Data.TaggedError('LocalFilesOnlyLocally') {
  override readonly message = 'useLocalFiles only supported locally'
}

/** The worker failed: every pending job is rejected and the worker is started again. */
export class WorkerFailed extends Data.TaggedError('WorkerFailed')<{
  readonly workId: string
  readonly reason: string
  readonly cause?: unknown
}> {
  override readonly message = `worker error with workId ${this.workId}: ${this.reason}`
}
