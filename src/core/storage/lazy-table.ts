/**
 * A table of a Durable Object that is created by its first insert and reads as empty until then.
 * Every table costs a page of storage per object, and most users need only one of them.
 */
export class LazyTable<Row extends Record<string, SqlStorageValue>> {
  readonly #sql: SqlStorage
  readonly #name: string
  readonly #schema: string
  #exists = false

  constructor(sql: SqlStorage, name: string, schema: string) {
    this.#sql = sql
    this.#name = name
    this.#schema = schema
  }

  /** Runs an INSERT, after creating the table if necessary. Returns whether a row was inserted. */
  insert(statement: string, ...bindings: SqlStorageValue[]): boolean {
    if (!this.#isCreated()) this.#sql.exec(this.#schema)
    return this.#sql.exec(statement, ...bindings).rowsWritten > 0
  }

  /** Runs any other statement. On a table that does not exist it affects and returns nothing. */
  exec<Result extends Record<string, SqlStorageValue> = Row>(
    statement: string,
    ...bindings: SqlStorageValue[]
  ): Result[] {
    return this.#isCreated() ? this.#sql.exec<Result>(statement, ...bindings).toArray() : []
  }

  /** To be called when the object's storage has been deleted. */
  reset(): void {
    this.#exists = false
  }

  #isCreated(): boolean {
    this.#exists ||=
      this.#sql.exec('SELECT 1 FROM sqlite_schema WHERE name = ?', this.#name).toArray().length > 0
    return this.#exists
  }
}
