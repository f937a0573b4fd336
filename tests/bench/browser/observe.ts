/**
 * What stands in a measured page before its own scripts: it notes when the protocol worker gets a job and when it
 * answers, and every request that the page sends. Times are the page's own, by performance.now().
 */
import type { BrowserContext, Page } from 'playwright'
import type { WorkerAnswer, EngineReport, WorkerJob, Start } from '../../../adapters/browser/workerMessages.ts'

type RunKind = Extract<WorkerJob, { functionType: 'begin' }>['run']['context']['kind']

/** One run of a protocol, from the job that begins it to the answer with its result. */
export type SeenRun = {
  readonly scheme: 'DKLS' | 'ED25519'
  readonly kind: RunKind
  readonly engine: EngineReport['engine'] | undefined
  readonly wallMs: number
  /** In the worker, the way to it and back included. */
  readonly workerMs: number
  readonly roundTrips: number
  /** Frames to the co-signer and its answers. */
  readonly bytes: number
}

export type SeenCall = { readonly wallMs: number; readonly requests: number; readonly bytes: number }

export type Observed = Window & {
  readonly bench: {
    readonly takeRuns: () => Promise<readonly SeenRun[]>
    readonly call: (verb: () => Promise<unknown>) => Promise<SeenCall>
  }
}

export type Observing = {
  /** Its worker finds no WebAssembly, as where a page's policy forbids it. */
  readonly withoutKernel: boolean
}

export const observe = (context: BrowserContext, observing: Observing): Promise<unknown> =>
  context.addInitScript(inPage, observing)

/** Runs that ended since it was last asked. */
export const takeRuns = (page: Page): Promise<readonly SeenRun[]> =>
  page.evaluate(() => (window as unknown as Observed).bench.takeRuns())

const inPage = ({ withoutKernel }: Observing) => {
  type Sent = { readonly bytes: Promise<number>; readonly frameOf: Promise<string | undefined> }
  const sent: Sent[] = []
  const total = async (requests: readonly Sent[]) =>
    (await Promise.all(requests.map(({ bytes }) => bytes))).reduce((sum, bytes) => sum + bytes, 0)

  /** Where a frame has it: behind its mark, operation, scheme and step. */
  const protocolIdIn = (frame: Uint8Array) =>
    Array.from(frame.subarray(7, 23), (byte) => byte.toString(16).padStart(2, '0')).join('')

  const fetchAnswer = window.fetch.bind(window)
  window.fetch = async (...parameters) => {
    const [input] = parameters
    const copy = input instanceof Request ? input.clone() : new Request(...parameters)
    const answer = await fetchAnswer(...parameters)
    const back = Number(answer.headers.get('content-length') ?? 0)
    const isFrame = new URL(copy.url).pathname === '/protocol'
    const body = copy.arrayBuffer()
    sent.push({
      bytes: body.then(({ byteLength }) => byteLength + back),
      frameOf: body.then((bytes) => (isFrame ? protocolIdIn(new Uint8Array(bytes)) : undefined)),
    })
    return answer
  }

  type Begun = {
    readonly scheme: SeenRun['scheme']
    readonly kind: RunKind
    readonly protocolId: string
    readonly at: number
    workerMs: number
    roundTrips: number
  }

  const blob = (text: string) => URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
  const forbid = 'WebAssembly.compile = () => Promise.reject(new Error("forbidden here"))'
  /** Modules are evaluated in the order of their imports. */
  const forbidding = (url: string | URL) =>
    blob(`import ${JSON.stringify(blob(forbid))}; import ${JSON.stringify(new URL(url, location.href).href)}`)

  type Ended = Omit<SeenRun, 'bytes'> & { readonly protocolId: string; readonly sent: readonly Sent[] }
  const ended: Ended[] = []

  window.Worker = class extends Worker {
    readonly #jobs = new Map<string, { readonly at: number; readonly run: Begun }>()
    readonly #begun = new Map<string, Begun>()
    #engine: EngineReport['engine'] | undefined

    constructor(url: string | URL, options?: WorkerOptions) {
      super(withoutKernel && String(url).includes('mpc.worker') ? forbidding(url) : url, options)
      this.addEventListener('message', ({ data }) => this.#heard(data as WorkerAnswer | EngineReport))
    }

    override postMessage(message: WorkerJob | Start, options?: StructuredSerializeOptions | Transferable[]): void {
      const at = performance.now()
      if (message.functionType === 'begin') {
        const { scheme, kind, protocolId } = message.run.context
        const run = { scheme, kind, protocolId, at, workerMs: 0, roundTrips: 0 }
        this.#begun.set(message.workId, run)
        this.#jobs.set(message.workId, { at, run })
      }
      if (message.functionType === 'receive') {
        const run = this.#begun.get(message.runId)
        if (run !== undefined) this.#jobs.set(message.workId, { at, run })
      }
      super.postMessage(message, options as StructuredSerializeOptions)
    }

    #heard(answer: WorkerAnswer | EngineReport): void {
      const now = performance.now()
      if (answer.kind === 'engine') this.#engine = answer.engine
      const job = 'workId' in answer ? this.#jobs.get(answer.workId) : undefined
      if (job === undefined) return
      const { at, run } = job
      run.workerMs += now - at
      if (answer.kind !== 'progress') return
      run.roundTrips += 1
      if (answer.progress.kind !== 'confirm' && answer.progress.kind !== 'done') return
      const { scheme, kind, protocolId, workerMs, roundTrips } = run
      const wallMs = now - run.at
      ended.push({ scheme, kind, engine: this.#engine, wallMs, workerMs, roundTrips, protocolId, sent: [...sent] })
    }
  }

  const call = async (verb: () => Promise<unknown>): Promise<SeenCall> => {
    const already = sent.length
    const began = performance.now()
    await verb()
    const wallMs = performance.now() - began
    const during = sent.slice(already)
    return { wallMs, requests: during.length, bytes: await total(during) }
  }
  const takeRuns = () =>
    Promise.all(
      ended.splice(0).map(async ({ protocolId, sent, ...run }) => {
        const ids = await Promise.all(sent.map(({ frameOf }) => frameOf))
        const own = sent.filter((_, index) => ids[index] === protocolId.replaceAll('-', ''))
        return { ...run, bytes: await total(own) }
      }),
    )
  Object.assign(window, { bench: { takeRuns, call } })
}
