/** The admin listener: liveness, readiness, the co-signer's keys and metrics. It must never be public. */
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import type { FastifyInstance } from 'fastify'
import * as Frame from '../../../domain/mpc/Frame.ts'
import type { KeyStatus } from '../../../domain/service/cosignerKeys.ts'
import { CosignerEngine } from '../../../domain/service/ports/CosignerEngine.ts'
import { Database } from '../database/Database.ts'
import { isMigrated } from '../database/migrations/index.ts'

/** A process without a co-signer has no `workers`, and one without a role of pages no `pages`. */
type Ready = {
  readonly database: boolean
  readonly migrations: boolean
  readonly workers?: boolean
  readonly pages?: boolean
}

export type AdminOptions = {
  readonly ready: () => Promise<Ready>
  readonly answered: () => ReadonlyMap<string, number>
  readonly cosignerKeys: () => Promise<readonly KeyStatus[]>
}

/** The co-signer's frame keys as operators see them, for `tandem status`: PGlite belongs to the process that answers. */
export const cosignerKeysPath = '/cosigner-keys'

export const addAdminRoutes = (server: FastifyInstance, { ready, answered, cosignerKeys }: AdminOptions): void => {
  server.get('/health/live', (_request, reply) => reply.send({ status: 'live' }))
  server.get('/health/ready', async (_request, reply) => {
    const parts = await ready()
    const isReady = Object.values(parts).every(Boolean)
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready', ...parts })
  })
  server.get(cosignerKeysPath, async (_request, reply) => reply.send(await cosignerKeys()))
  server.get('/metrics', (_request, reply) => {
    const lines = [...answered()].map(([labels, count]) => `tandem_answers_total{${labels}} ${count}\n`)
    return reply.type('text/plain; version=0.0.4').send(`# TYPE tandem_answers_total counter\n${lines.join('')}`)
  })
}

/** Tries a minimal operation of each part that the process has. `arePagesBuilt` checks the pages of its roles. */
export const readiness = (hasWorkers: boolean, arePagesBuilt: (() => Promise<boolean>) | undefined) =>
  Effect.gen(function* () {
    const db = yield* Database
    const engine = yield* CosignerEngine
    const migrations = yield* holds(db.query(isMigrated))
    const signed = engine.sign(unsignedFrame, { status: 'ABORT', body: new Uint8Array(0) })
    const workers = hasWorkers ? { workers: (yield* holds(Effect.as(signed, true))) === true } : {}
    const pages = arePagesBuilt ? { pages: (yield* holds(Effect.promise(arePagesBuilt))) === true } : {}
    return { database: migrations !== undefined, migrations: migrations === true, ...workers, ...pages }
  })

/** A frame that no client can send, to check that answers can be signed. Its signed answer is discarded. */
const unsignedFrame = Frame.appendSignature(
  Frame.encodeUnsigned({
    operation: 'ACK',
    scheme: 'DKLS',
    step: 255,
    protocolId: '00000000-0000-0000-0000-000000000000',
    sessionId: '00000000-0000-0000-0000-000000000000',
    walletId: '00000000-0000-0000-0000-000000000000',
    epoch: 0,
    shareId: new Uint8Array(0),
    attempt: new Uint8Array(16),
    deviceKeyThumb: new Uint8Array(32),
    body: new Uint8Array(0),
  }),
  new Uint8Array(Frame.signatureLength),
)

/** The answer does not wait for a check that hangs: a query cannot be interrupted, so that goes on by itself. */
const holds = <E, R>(check: Effect.Effect<boolean, E, R>) =>
  Effect.forkDetach(check).pipe(
    Effect.flatMap(Fiber.join),
    Effect.timeout('5 seconds'),
    Effect.catchCause(() => Effect.succeed(undefined)),
  )
