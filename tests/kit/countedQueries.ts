/** A database that remembers its statements, for tests of how many a call takes. */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { PostgresQueryCompiler, type KyselyPlugin, type QueryId } from 'kysely'
import { Database, make } from '../../adapters/service/database/Database.ts'

export type CountedQueries = {
  readonly layer: Layer.Layer<Database>
  /** The statements that `call` brought about, but for `begin`, `commit` and what depends on the time. */
  readonly during: (call: () => Promise<unknown>) => Promise<readonly string[]>
}

export const countedQueries = (database: Layer.Layer<Database>): CountedQueries => {
  const seen: string[] = []
  const compiler = new PostgresQueryCompiler()
  /** Some statements are built once and executed often. */
  const built = new WeakMap<QueryId, string>()
  const counting: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      built.set(queryId, compiler.compileQuery(node, queryId).sql)
      return node
    },
    transformResult: ({ result, queryId }) => {
      const sql = built.get(queryId)
      if (sql !== undefined && !dependsOnTime(sql)) seen.push(sql)
      return Promise.resolve(result)
    },
  }
  return {
    layer: Layer.effect(
      Database,
      Effect.map(Database, ({ root, beginsDurably }) => make(root.withPlugin(counting), beginsDurably)),
    ).pipe(Layer.provide(Layer.fresh(database))),
    during: async (call) => {
      const before = seen.length
      await call()
      return seen.slice(before)
    },
  }
}

/** Heartbeats, every two seconds, what upkeep does each minute, the look for messages to deliver, and the use of a session, noted once a second at most. */
const dependsOnTime = (sql: string): boolean =>
  /"boots"|update "incarnation"|"incarnation" for update|^update "sessions" set "last_used_at"|^set local/.test(sql) ||
  /^delete from .*"(?:expires_at|retires_at|updated_at)" <|^delete from "sessions"|"runs" where "expires_at" <=/.test(
    sql,
  ) ||
  /^delete from "(?:ot_records|spends)" where "(?:ot_id|digest)" in/.test(sql) ||
  /^select \* from "recoveries" where "state" in .* and "expires_at" </.test(sql) ||
  /"signing_keys"|^\s*update outbox set next_at|^delete from "outbox"/.test(sql) ||
  /^select "id", "attempts" from "user_messages"|^update "user_messages"|^delete from "user_messages" where "id"/.test(
    sql,
  )
