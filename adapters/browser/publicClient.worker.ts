/**
 * The worker that the portal serves as mpcWorker-bundle.js. It takes the jobs of the SDK and those of the public client
 * (openapi/README.md#public-client), and computes both with the same kernel. The public client runs it under its own page's
 * origin, so the service writes the deployment's hosts in front of it.
 */
import * as Layer from 'effect/Layer'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import * as References from 'effect/References'
import * as Result from 'effect/Result'
import { Settings } from '../../domain/client/ports/Settings.ts'
import { openSession, runJob, type PublicResult } from '../../domain/client/publicClient.ts'
import { SessionStateMemory } from '../../domain/client/SessionState.ts'
import * as Environment from '../../domain/model/Environment.ts'
import { staticFile } from '../../domain/model/PortalFiles.ts'
import * as StorageKeys from '../../domain/model/StorageKeys.ts'
import { ApiHttp } from './Api.ts'
import { CosignerHttp } from './Cosigner.ts'
import { DeviceKeysWebCrypto } from './DeviceKeys.ts'
import { LocksOfWorker } from './Locks.ts'
import { MpcWith } from './Mpc.ts'
import { receiveJob, sharedArithmetic } from './protocolJobs.ts'
import { RandomWebCrypto } from './Random.ts'
import { RefreshAnswersSealed } from './RefreshAnswers.ts'
import { ShareStoreText } from './ShareStore.ts'
import { StorageWeb, type KeyValueArea } from './Storage.ts'
import type { Start, WorkerJob } from './workerMessages.ts'

/** As the public client posts it; it may have more fields. */
type Job = {
  readonly env: string
  readonly apiKey?: string
  readonly cosmosPrefix?: string
  readonly sessionCookie?: string
  readonly functionType: string
  readonly params: unknown
  readonly workId: string
}

/** What the service writes in front of this file. */
type Deployment = { readonly environment: Environment.Environment; readonly hosts: Environment.Hosts }

const hostsOf = (env: string): Environment.Hosts => {
  const { tandemDeployment: deployment } = self as { readonly tandemDeployment?: Deployment }
  const configured = deployment === undefined ? {} : { [deployment.environment]: deployment.hosts }
  return Result.getOrThrow(Environment.hosts(env, configured))
}

const memoryArea = (entries: Map<string, string>): KeyValueArea => ({
  getItem: (key) => entries.get(key) ?? null,
  setItem: (key, value) => void entries.set(key, value),
  removeItem: (key) => void entries.delete(key),
})

/**
 * All in memory but the device key and a refreshed share that the client has not used: the shares are the client's to keep.
 * What this worker holds for a wallet beside its share, it makes again when it is gone.
 */
const runtimeOf = ({ env, apiKey, sessionCookie = '' }: Job) => {
  const hosts = hostsOf(env)
  const settings = Layer.succeed(Settings, {
    environment: Result.getOrThrow(Environment.parse(env)),
    hosts,
    apiKey,
    origin: self.origin,
    theme: {},
    mailLook: {},
    supportedWalletTypes: undefined,
  })
  const storage = {
    local: memoryArea(new Map([[StorageKeys.sessionCookie, sessionCookie]])),
    session: memoryArea(new Map()),
  }
  const base = Layer.mergeAll(
    settings,
    StorageWeb(storage),
    SessionStateMemory,
    RandomWebCrypto,
    LocksOfWorker(),
    RefreshAnswersSealed,
    Layer.succeed(References.MinimumLogLevel, 'Warn'),
  )
  const compute = MpcWith(() => sharedArithmetic([staticFile(hosts, 'main.wasm')]))
  const stores = Layer.mergeAll(DeviceKeysWebCrypto, ShareStoreText, compute).pipe(Layer.provideMerge(base))
  return ManagedRuntime.make(Layer.mergeAll(ApiHttp(), CosignerHttp()).pipe(Layer.provideMerge(stores)))
}

type Client = { readonly of: string; readonly runtime: ReturnType<typeof runtimeOf>; readonly isReady: Promise<void> }

/** Of the session that the last job named. */
let current: Client | undefined

const clientOf = (job: Job): Client => {
  const of = JSON.stringify([job.env, job.apiKey, job.sessionCookie])
  if (current?.of === of) return current
  const runtime = runtimeOf(job)
  const client: Client = { of, runtime, isReady: runtime.runPromise(openSession) }
  current = client
  client.isReady.catch(() => {
    if (current === client) current = undefined
  })
  return client
}

const answer = async (job: Job): Promise<void> => {
  const { runtime, isReady } = clientOf(job)
  await isReady
  const { functionType, params, cosmosPrefix } = job
  const result: PublicResult = await runtime.runPromise(runJob({ functionType, params, cosmosPrefix }))
  self.postMessage({ ...result, workId: job.workId })
}

/** The SDK's own jobs name no environment, and the public client's always do. */
const isPublic = (data: Job | WorkerJob | Start): data is Job => 'env' in data

self.addEventListener('message', ({ data }: MessageEvent<Job | WorkerJob | Start>) => {
  if (!isPublic(data)) {
    receiveJob(data)
    return
  }
  // The client hears of a failed job by the worker's error event, and starts another worker.
  answer(data).catch((error: unknown) => reportError(error))
})
