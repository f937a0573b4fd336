/** Reads the tables that the migrations define by running them on a driver that records statements and returns no rows. */
import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
} from 'kysely'
import { migrate } from '../../../adapters/service/database/migrations/index.ts'
import type { Tables } from '../../../adapters/service/database/Tables.ts'
import { define, type Shapes } from './shapes.ts'

/** Statements that change rows have no effect, because a new database has none. Kysely's own tables are left out. */
export const readMigratedShapes = async (): Promise<Shapes> => {
  let shapes: Shapes = new Map()
  const listener = listeningKysely((text) => {
    shapes = define(shapes, text)
  })
  await migrate(listener)
  return new Map([...shapes].filter(([name]) => !name.startsWith('kysely_')))
}

const listeningKysely = (hear: (text: string) => void): Kysely<Tables> => {
  const connection: DatabaseConnection = {
    executeQuery: ({ sql }: CompiledQuery) => {
      hear(sql)
      return Promise.resolve({ rows: [] })
    },
    streamQuery: () => {
      throw new Error('a database that only listens has nothing to stream')
    },
  }
  const nothing = () => Promise.resolve()
  const driver: Driver = {
    init: nothing,
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: nothing,
    commitTransaction: nothing,
    rollbackTransaction: nothing,
    releaseConnection: nothing,
    destroy: nothing,
  }
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}
