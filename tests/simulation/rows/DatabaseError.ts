/** An error of the database with its SQLSTATE in `code`, in the form in which drivers report one. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
  readonly code: string
  readonly table: string | undefined
  readonly constraint: string | undefined

  constructor(code: string, message: string, at: { readonly table?: string; readonly constraint?: string } = {}) {
    super(message)
    this.code = code
    this.table = at.table
    this.constraint = at.constraint
  }
}

/** SQL that this database does not implement, whether or not PostgreSQL does. */
export const unsupported = (what: string): DatabaseError =>
  new DatabaseError('0A000', `the rows in memory do not know ${what}`)
