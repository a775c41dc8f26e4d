import { stripVTControlCharacters } from 'node:util'
import { parseJson } from '../../src/foundation/values/json.ts'

/** Every log line of the service starts with this. */
export const LOG_LINE_START = '{"requestId"'

/** Larger than any log event; limits what is kept of an object that never ends. */
const MAX_OBJECT_LENGTH = 1024 * 1024 // characters

/**
 * Finds the JSON objects in a log: a line of the service, possibly after other text; any object on
 * one line; or an object over several lines as `wrangler tail` prints it, where only the first and
 * last line start with a brace.
 */
export async function* readJsonObjects(lines: AsyncIterable<string>): AsyncGenerator<unknown> {
  let pending = ''
  for await (const printed of lines) {
    // `wrangler tail` and `wrangler dev` colour what they print to a terminal.
    const line = stripVTControlCharacters(printed)
    const logLine = parseLogLine(line)
    if (logLine !== undefined) {
      pending = ''
      yield logLine
      continue
    }
    pending = appendLine(pending, line)
    const object = /^[{}]/.test(line) ? parseJson(pending) : undefined
    if (object !== undefined) {
      pending = ''
      yield object
    }
  }
}

function parseLogLine(line: string): unknown {
  const start = line.indexOf(LOG_LINE_START)
  return start < 0 ? undefined : parseJson(line.slice(start))
}

/**
 * Adds a line to the object that is being collected, if there is one. An opening brace starts a new
 * one.
 */
function appendLine(pending: string, line: string): string {
  if (line.startsWith('{')) return line
  if (pending === '' || pending.length > MAX_OBJECT_LENGTH) return ''
  return `${pending}\n${line}`
}
