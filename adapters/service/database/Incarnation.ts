/**
 * The incarnation, kept twice: as a row and in a file outside the database. Both hold a fence that only rises. A row whose
 * fence is lower than the file's was seen newer before: the database is an older one, and a new incarnation begins.
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Schedule from 'effect/Schedule'
import { Incarnation } from '../../../domain/service/ports/Incarnation.ts'
import { writeDurably } from '../vault/keyFile.ts'
import { Database } from './Database.ts'

type Seen = { readonly id: string; readonly fence: number }

/** How often the fence rises. A copy of a running database that is younger than this may pass for the database itself. */
const beatEvery = '5 seconds'

export const IncarnationDatabase = (
  file: string,
  onNew: (reason: string) => void = () => undefined,
): Layer.Layer<Incarnation, never, Database> =>
  Layer.effect(
    Incarnation,
    Effect.gen(function* () {
      const db = yield* Database
      let current = ''
      /** The highest fence that this process has seen. */
      let highest = 0

      /** The row that was judged, with the fence one higher; nothing where it is another one by now. */
      const rise = ({ id, fence }: Seen) =>
        db.query((kysely) =>
          kysely
            .updateTable('incarnation')
            .set({ fence: fence + 1 })
            .where('id', '=', id)
            .where('fence', '=', fence)
            .returning(['id', 'fence'])
            .executeTakeFirst(),
        )

      const standing = db.query((kysely) => kysely.selectFrom('incarnation').select(['id', 'fence']).executeTakeFirst())

      const begin = (fence: number) =>
        db.query((kysely) =>
          kysely
            .insertInto('incarnation')
            .values({ one: true, id: randomUUID(), fence })
            .onConflict((conflict) => conflict.doNothing())
            .execute(),
        )

      /** Only over the row that was judged: of several copies one begins the next incarnation, the others find it. */
      const beginAnew = (row: Seen, seen: Seen) =>
        db.query((kysely) =>
          kysely
            .updateTable('incarnation')
            .set({ id: randomUUID(), fence: Math.max(row.fence, seen.fence) + 1 })
            .where('id', '=', row.id)
            .where('fence', '=', row.fence)
            .execute(),
        )

      const beat: Effect.Effect<void> = Effect.gen(function* () {
        const seen = readSeen(file)
        let row = yield* standing
        if (row === undefined) {
          yield* begin((seen?.fence ?? 0) + 1)
          row = yield* standing
        }
        if (row !== undefined && seen !== undefined && row.fence < seen.fence) {
          yield* beginAnew(row, seen)
          onNew('the database is older than it was before: what its runs had begun is over')
          row = yield* standing
        }
        const risen = row === undefined ? undefined : yield* rise(row)
        // Another copy's beat came between, or a restore: it is judged anew.
        if (risen === undefined) return yield* beat
        current = risen.id
        highest = Math.max(highest, risen.fence)
        if (risen.fence > (readSeen(file)?.fence ?? 0)) writeSeen(file, risen)
      })

      yield* beat
      yield* Effect.addFinalizer(() => Effect.ignoreCause(beat))
      yield* Effect.forkScoped(
        Effect.repeat(Effect.ignoreCause(beat), Schedule.spaced(beatEvery)),
      )
      return Incarnation.of({
        // Read in the asking transaction: what another copy began, or a restore between two beats, counts at once.
        current: Effect.gen(function* () {
          const row = yield* standing
          if (row !== undefined && row.fence >= highest) return row.id
          yield* beat
          return current
        }),
      })
    }),
  )

const readSeen = (file: string): Seen | undefined => {
  try {
    const [id = '', fence = ''] = readFileSync(file, 'utf8').trim().split(' ')
    const seen = { id, fence: Number(fence) }
    if (!Number.isSafeInteger(seen.fence)) throw new Error(`${file} holds no incarnation`)
    return seen
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw cause
  }
}

const writeSeen = (file: string, { id, fence }: Seen): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const next = `${file}.${randomUUID()}`
  try {
    writeDurably(next, `${id} ${fence}\n`)
    renameSync(next, file)
  } finally {
    rmSync(next, { force: true })
  }
}
