/** The worker of the SDK's pages. */
import { receiveJob } from './protocolJobs.ts'
import type { Start, WorkerJob } from './workerMessages.ts'

self.addEventListener('message', ({ data }: MessageEvent<WorkerJob | Start>) => receiveJob(data))
