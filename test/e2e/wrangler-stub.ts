import { parseArgs } from 'node:util'
import { openLocalDatabase } from './local-database.ts'

/**
 * Loaded before wrangler with `node --import`. Runs the statements of `wrangler d1 execute --local`
 * in one transaction, as wrangler does, in a tenth of the time.
 */
if (process.argv[1]?.endsWith('wrangler/bin/wrangler.js')) {
  const { values } = parseArgs({
    options: { command: { type: 'string', default: '' } },
    strict: false,
  })
  const database = openLocalDatabase(process.cwd())
  database.exec('BEGIN')
  const results = splitStatements(String(values.command)).map((sql) => database.prepare(sql).all())
  database.exec('COMMIT')
  database.close()
  process.stdout.write(JSON.stringify(results.map((rows) => ({ success: true, results: rows }))))
  process.exit()
}

/** Splits at semicolons outside of texts. */
function splitStatements(sql: string): string[] {
  return sql.match(/(?:'[^']*'|[^;'])+/g) ?? []
}
