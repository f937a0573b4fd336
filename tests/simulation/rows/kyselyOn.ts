/** A Kysely on rows in memory. The number of connections has no limit. */
import {
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Driver,
  type QueryResult,
  type SchemaMetadata,
  type TableMetadata,
  type TransactionSettings,
} from 'kysely'
import type { Tables } from '../../../adapters/service/database/Tables.ts'
import { unsupported } from './DatabaseError.ts'
import type { OpenTransaction } from './OpenTransaction.ts'
import type { Hooks, Rows } from './Rows.ts'

export const kyselyOn = (rows: Rows, hooks: Hooks = {}): Kysely<Tables> =>
  new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new RowsDriver(rows, hooks),
      createIntrospector: () => new RowsIntrospector(rows),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })

class RowsConnection implements DatabaseConnection {
  transaction: OpenTransaction | undefined
  readonly #rows: Rows
  readonly #hooks: Hooks

  constructor(rows: Rows, hooks: Hooks) {
    this.#rows = rows
    this.#hooks = hooks
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, changed } = await this.#rows.execute(sql, parameters, this.transaction, this.#hooks)
    // Kysely derives the type of rows from the query; a driver cannot check it.
    return { rows: rows as unknown as R[], numAffectedRows: BigInt(changed) }
  }

  streamQuery(): never {
    throw unsupported('a stream')
  }
}

class RowsDriver implements Driver {
  readonly #rows: Rows
  readonly #hooks: Hooks

  constructor(rows: Rows, hooks: Hooks) {
    this.#rows = rows
    this.#hooks = hooks
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<RowsConnection> {
    return new RowsConnection(this.#rows, this.#hooks)
  }

  async beginTransaction(
    connection: RowsConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    if ((isolationLevel ?? 'read committed') !== 'read committed' || accessMode !== undefined) {
      throw unsupported(`a transaction that is ${isolationLevel ?? accessMode ?? ''}`)
    }
    connection.transaction = this.#rows.begin()
    this.#hooks.begun?.(connection.transaction)
  }

  async commitTransaction(connection: RowsConnection): Promise<void> {
    const { transaction } = connection
    connection.transaction = undefined
    if (transaction !== undefined) await this.#rows.commit(transaction, this.#hooks)
  }

  async rollbackTransaction(connection: RowsConnection): Promise<void> {
    const { transaction } = connection
    connection.transaction = undefined
    if (transaction !== undefined) this.#rows.end(transaction, false)
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

class RowsIntrospector implements DatabaseIntrospector {
  readonly #rows: Rows

  constructor(rows: Rows) {
    this.#rows = rows
  }

  async getSchemas(): Promise<SchemaMetadata[]> {
    return [{ name: 'public' }]
  }

  async getTables(): Promise<TableMetadata[]> {
    return [...this.#rows.shapes.values()].map(({ name, columns }) => ({
      name,
      isView: false,
      isForeign: false,
      schema: 'public',
      columns: columns.map((column) => ({
        name: column.name,
        dataType: column.type,
        isAutoIncrementing: false,
        isNullable: column.isNullable,
        hasDefaultValue: column.byDefault !== undefined,
      })),
    }))
  }
}
