import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What is needed of D1. */
interface Database<Statement> {
  exec: (sql: string) => Promise<unknown>
  prepare: (sql: string) => Statement & {
    bind: (value: string) => Statement
    raw: () => Promise<unknown[]>
  }
  batch: (statements: Statement[]) => Promise<unknown>
}

/** Creates the tables of a login service, or updates those that exist. */
export async function applyMigrations<Statement>(
  database: Database<Statement>,
  folder: string,
): Promise<void> {
  await database.exec('CREATE TABLE IF NOT EXISTS d1_migrations (name TEXT PRIMARY KEY)')
  const applied = (await database.prepare('SELECT name FROM d1_migrations').raw()).flat()
  const files = await readdir(folder)
  for (const file of files.filter((name) => name.endsWith('.sql')).sort()) {
    if (applied.includes(file)) continue
    const sql = await readFile(join(folder, file), 'utf8')
    await database.batch([
      ...splitStatements(sql).map((statement) => database.prepare(statement)),
      database.prepare('INSERT INTO d1_migrations VALUES (?)').bind(file),
    ])
  }
}

/** Our migrations have no semicolons within statements, except in comments. */
function splitStatements(sql: string): string[] {
  const statements = sql.replaceAll(/--.*$/gm, '').split(';')
  return statements.filter((statement) => statement.trim() !== '')
}
