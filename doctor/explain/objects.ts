/** No log line, and no event around it, is as long as this. */
const LONGEST = 1024 * 1024

/** How every line of the service begins. */
const OURS = '{"requestId"'

/**
 * The JSON objects in a text: a line of ours, perhaps behind a few words; any object in a line; or one over many lines,
 * as `wrangler tail` writes them, of which the first and the last alone begin with a brace.
 */
export async function* readObjects(lines: AsyncIterable<string>): AsyncGenerator<unknown> {
  let pending = ''
  for await (const line of lines) {
    const ours = line.includes(OURS) ? parse(line.slice(line.indexOf(OURS))) : undefined
    pending = ours ? '' : gather(pending, line)
    const object = ours ?? (/^[{}]/.test(line) ? parse(pending) : undefined)
    if (object === undefined) continue
    pending = ''
    yield object
  }
}

/** What may still become an object, with one more line. */
function gather(pending: string, line: string): string {
  if (line.startsWith('{')) return line
  return pending === '' || pending.length > LONGEST ? '' : `${pending}\n${line}`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
