/**
 * The database generation. The database's part is a row with a fence (`fence.ts`) that each heartbeat raises; where
 * row, file and timeline do not fit, a new one begins; and where a process starts on a database that does not know what
 * was claimed last: a copy that is younger than a heartbeat has the fence, and not those rounds. The process's part is
 * a random boot id, kept in memory alone.
 *
 * Co-signers prove to each other that they are alive: each heartbeat writes a sighting of every other boot. Only a
 * process that runs after this one has started can have written this one's id, so a copy of the database, however
 * young, holds no proof for a process that starts on it.
 */
import * as Cause from 'effect/Cause'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Schedule from 'effect/Schedule'
import type { Kysely } from 'kysely'
import { clocksApart } from '../../../domain/service/clocks.ts'
import { generationParts } from '../../../domain/service/generationParts.ts'
import { Claims } from '../../../domain/service/ports/Claims.ts'
import { DatabaseGeneration, type GenerationRow } from '../../../domain/service/ports/DatabaseGeneration.ts'
import { SecureRandom } from '../../../domain/service/ports/SecureRandom.ts'
import { Transaction } from '../../../domain/service/ports/Transaction.ts'
import type { StartRefusal } from '../StartRefusal.ts'
import { Database } from './Database.ts'
import { judge, type FenceFile, type FenceRow, type Verdict } from './fence.ts'
import { prepare } from './prepare.ts'
import { forgottenRounds } from './Runs.ts'
import { aliveMs } from './sighting.ts'
import type { Tables } from './Tables.ts'
import { timelineIn } from './timeline.ts'

/** How often the fence rises and boots are sighted. A younger copy that lacks no claimed round passes for the database itself. */
const heartbeatEvery = '2 seconds'

/** Longer than a run lives without its client, also by a clock that is ahead: when the proofs of a process go, its runs are over. */
const forgetBootsAfterMs = clocksApart + 10 * 60_000

/** Several heartbeats, and the difference between the clocks of two machines. */
const silentAfterMs = 60_000

export type DatabaseGenerationOptions = {
  readonly fenceFile: FenceFile
  /**
   * Why the process must not go on with a folder that is older than the database of this generation, if it must not.
   */
  readonly refuseOlderFolder: (databaseGeneration: string) => StartRefusal | undefined
  readonly warn?: ((reason: string) => void) | undefined
}

/** For a process that has the role of the co-signer. */
export const DatabaseGenerationFenced = ({
  fenceFile,
  refuseOlderFolder,
  warn = () => undefined,
}: DatabaseGenerationOptions): Layer.Layer<
  DatabaseGeneration,
  StartRefusal,
  Claims | Database | Transaction | SecureRandom
> =>
  Layer.effect(
    DatabaseGeneration,
    Effect.gen(function* () {
      const db = yield* Database
      const { atomically } = yield* Transaction
      const random = yield* SecureRandom
      const claims = yield* Claims
      const boot = yield* random.uuid
      const timeline = yield* timelineIn(db)
      /** The highest fence that this process has seen. */
      let highest = 0
      /** Why nothing goes on, as of the last heartbeat. */
      let refusal: StartRefusal | undefined

      const rowIn = (kysely: Kysely<Tables>) =>
        kysely.selectFrom('incarnation').select(['id', 'fence', 'timeline', timeline.as('timelineNow')])

      const rows = prepare(db, rowIn)

      const lockedRows = prepare(db, (kysely) => rowIn(kysely).forUpdate())

      const lockRow = Effect.map(lockedRows({}), ([row]) => row)

      const setRow = prepare(db, (kysely, next: { readonly id: string; readonly fence: number }) =>
        kysely.updateTable('incarnation').set({ ...next, timeline }),
      )

      const writeHeartbeat = prepare(db, (kysely, values: { readonly now: number }) =>
        kysely
          .insertInto('boots')
          .values({ boot, beat_at: values.now })
          .onConflict((conflict) => conflict.column('boot').doUpdateSet({ beat_at: values.now })),
      )

      /** For others that start; a run of this process can still be taken over by one that it saw. */
      const endHeartbeats = Effect.flatMap(Clock.currentTimeMillis, (now) =>
        db.query((kysely) =>
          kysely
            .updateTable('boots')
            .set({ beat_at: now - aliveMs })
            .where('boot', '=', boot)
            .execute(),
        ),
      )

      const otherBoots = prepare(db, (kysely) => kysely.selectFrom('boots').selectAll().where('boot', '!=', boot))

      /** The row as its first writer makes it; `undefined` where there is one already. */
      const makeRow = Effect.fnUntraced(function* () {
        const id = yield* random.uuid
        return yield* db.query((kysely) =>
          kysely
            .insertInto('incarnation')
            .values({ one: true, id, fence: 0, timeline })
            .onConflict((conflict) => conflict.doNothing())
            .returning(['id', 'fence', 'timeline', 'timeline as timelineNow'])
            .executeTakeFirst(),
        )
      })

      /** The locked row, and whether it fits to the file and to what this process has seen. */
      const locked = Effect.gen(function* () {
        const existing = yield* lockRow
        // A row that another process has just made is there once its transaction is over, and so is the file.
        const made = existing === undefined ? yield* makeRow() : undefined
        const row: FenceRow | undefined = existing ?? made ?? (yield* lockRow)
        if (row === undefined) return yield* Effect.die(new Error('the row of the database generation was deleted'))
        const mark = fenceFile.read()
        const verdict: Verdict = made === undefined ? judge(row, mark, highest) : 'current'
        return { row, mark, verdict }
      })

      /** Rounds that were claimed last, and that the database does not have. */
      const forgotten = Effect.flatMap(claims.latest, (claimed) => forgottenRounds(db, claimed))

      /** Raises the fence, and begins a new database generation where something does not fit. */
      const rise = Effect.fnUntraced(function* (isForgetful: boolean) {
        const { row, mark, verdict: judged } = yield* locked
        const verdict = judged === 'current' && isForgetful ? 'older database' : judged
        const refused = verdict === 'older folder' ? refuseOlderFolder(row.id) : undefined
        if (refused !== undefined) return yield* refused
        const [done, intended] = [mark?.done ?? 0, mark?.intended ?? 0]
        const next = {
          id: verdict === 'current' ? row.id : yield* random.uuid,
          fence: Math.max(row.fence, done, intended, highest) + 1,
        }
        fenceFile.write({
          id: next.id,
          done: Math.max(done, verdict === 'current' ? row.fence : 0),
          intended: next.fence,
        })
        yield* setRow(next)
        if (verdict !== 'current') warn(reasons[verdict])
        return next
      })

      /** Writes that the fence has risen, once it has. */
      const settle = Effect.gen(function* () {
        const { row, mark, verdict } = yield* locked
        if (mark !== undefined && verdict === 'current') fenceFile.write({ ...mark, id: row.id, done: row.fence })
      })

      /** This process is alive, and so is each that it finds: a boot's sightings are written by itself alone. */
      const sight = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const before = now - forgetBootsAfterMs
        yield* writeHeartbeat({ now })
        const boots = yield* otherBoots({})
        yield* db.query(async (kysely) => {
          const gone = boots.filter((other) => other.beat_at < before).map((other) => other.boot)
          const seen = boots.map((other) => other.boot).filter((other) => !gone.includes(other))
          if (seen.length > 0) {
            await kysely
              .insertInto('boot_sightings')
              .values(seen.map((other) => ({ seer: boot, seen: other })))
              .onConflict((conflict) => conflict.doNothing())
              .execute()
          }
          if (gone.length === 0) return
          await kysely.deleteFrom('boot_sightings').where('seer', 'in', gone).execute()
          await kysely.deleteFrom('boot_sightings').where('seen', 'in', gone).execute()
          await kysely.deleteFrom('boots').where('boot', 'in', gone).execute()
        })
      })

      const heartbeatOf = Effect.fnUntraced(function* (isForgetful: boolean) {
        const { fence } = yield* atomically(rise(isForgetful))
        highest = Math.max(highest, fence)
        yield* atomically(Effect.andThen(settle, sight))
        refusal = undefined
      })
      const heartbeat = heartbeatOf(false)

      const heartbeatAgain = Effect.catchCause(heartbeat, (cause) =>
        Effect.sync(() => {
          const refused = Cause.findErrorOption(cause)
          if (refused._tag === 'None' || refusal !== undefined) return
          refusal = refused.value
          warn(refusal.message)
        }),
      )

      /**
       * The row as it is under its lock: a heartbeat may have ended since it was read. A row that fits does not rise
       * here, because the asking transaction may be undone, and `highest` would be above it from then on.
       */
      const lockedOrNext = Effect.gen(function* () {
        const { row, verdict } = yield* locked
        return verdict === 'current' ? row : yield* rise(false)
      })

      /** By the row as the asking transaction reads it: a restore, or what another co-signer began, counts at once. */
      const idBy = Effect.fnUntraced(function* (read: GenerationRow | undefined) {
        if (refusal !== undefined) return yield* Effect.die(refusal)
        const row = read ?? (yield* rows({}))[0]
        const fits = row !== undefined && row.fence >= highest && row.timeline === row.timelineNow
        const { id, fence } = fits ? row : yield* Effect.orDie(atomically(lockedOrNext))
        highest = Math.max(highest, fence)
        return id
      })

      const lost = yield* forgotten
      yield* heartbeatOf(lost.length > 0)
      // The new generation has taken care of them.
      for (const round of lost) yield* claims.settle(round)
      yield* Effect.addFinalizer(() => Effect.ignoreCause(Effect.andThen(heartbeat, endHeartbeats)))
      yield* Effect.forkScoped(Effect.schedule(heartbeatAgain, Schedule.spaced(heartbeatEvery)))

      const currentBy = (row: GenerationRow | undefined) => Effect.map(idBy(row), (database) => `${database}.${boot}`)

      return DatabaseGeneration.of({
        current: currentBy(undefined),
        currentBy,
        isCurrent: Effect.fnUntraced(function* (generation, row) {
          const { database, boot: other } = generationParts(generation)
          if ((yield* idBy(row)) !== database) return false
          if (other === boot) return true
          const sighting = yield* db.query((kysely) =>
            kysely
              .selectFrom('boot_sightings')
              .select('seer')
              .where('seer', '=', other)
              .where('seen', '=', boot)
              .executeTakeFirst(),
          )
          return sighting !== undefined
        }),
      })
    }),
  )

/**
 * For a process without that role. It begins no run and continues none; whether a co-signer may go on with one it tells
 * by the heartbeats of the run's process, which is enough to make others wait.
 */
export const DatabaseGenerationOfCosigners: Layer.Layer<DatabaseGeneration, never, Database> = Layer.effect(
  DatabaseGeneration,
  Effect.map(Database, (db) =>
    DatabaseGeneration.of({
      current: beginsNone,
      currentBy: () => beginsNone,
      isCurrent: Effect.fnUntraced(function* (generation) {
        const { database, boot } = generationParts(generation)
        const since = (yield* Clock.currentTimeMillis) - silentAfterMs
        const alive = yield* db.query((kysely) =>
          kysely
            .selectFrom('incarnation')
            .innerJoin('boots', (join) => join.onTrue())
            .select('boots.boot')
            .where('incarnation.id', '=', database)
            .where('boots.boot', '=', boot)
            .where('boots.beat_at', '>', since)
            .executeTakeFirst(),
        )
        return alive !== undefined
      }),
    }),
  ),
)

const beginsNone = Effect.die(new Error('a process without the role of the co-signer begins no run'))

const reasons: { readonly [V in Exclude<Verdict, 'current'>]: string } = {
  'older database': 'the database is older than it was before: the runs that were under way are over',
  'other timeline':
    'the database goes on in another timeline, after a promotion or a restore: the runs that were under way are over',
  'older folder':
    'the folder of the co-signer is missing or older than the database: bans and epochs written there since are lost',
}
