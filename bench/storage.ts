import { createServer, type IncomingMessage, type Server } from 'node:http'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

/**
 * KV and D1 for one worker, served by the benchmark's process so that their CPU time is not the
 * worker's. They speak the protocol of the runtime's bindings; D1 is a real SQLite database.
 */
export function serveStorage(socketPath: string, schema: string): Promise<Server> {
  const values = new Map<string, string>()
  const database = new DatabaseSync(':memory:')
  database.exec(schema)
  const statements = new Map<string, StatementSync>()

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://storage')
    if (url.pathname === '/query' && request.method === 'POST') {
      const queries = [JSON.parse(await readText(request))].flat() as Query[]
      const isRaw = url.searchParams.get('resultsFormat') === 'ROWS_AND_COLUMNS'
      response.end(JSON.stringify(runBatch(database, statements, queries, isRaw)))
      return
    }
    const key = decodeURIComponent(url.pathname.slice(1))
    if (request.method === 'PUT') values.set(key, await readText(request))
    if (request.method === 'DELETE') values.delete(key)
    const value = values.get(key)
    if (request.method === 'GET' && value === undefined) response.statusCode = 404
    response.end(request.method === 'GET' ? value : undefined)
  })
  return new Promise((resolve) => {
    server.listen(socketPath, () => resolve(server))
  })
}

export interface Query {
  sql: string
  params?: SQLInputValue[]
}

/** Runs the queries in one transaction, as D1 runs a batch. */
export function runBatch(
  database: DatabaseSync,
  statements: Map<string, StatementSync>,
  queries: readonly Query[],
  isRaw: boolean,
) {
  database.exec('BEGIN')
  const responses = queries.map(({ sql, params = [] }) => {
    const statement = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, statement)
    const rows = statement.all(...params)
    const columns = statement.columns().map(({ name }) => name)
    const results = isRaw ? { columns, rows: rows.map((row) => Object.values(row)) } : rows
    return { success: true, results, meta: { duration: 0, changes: 0, last_row_id: 0 } }
  })
  database.exec('COMMIT')
  return responses
}

export async function readText(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}
