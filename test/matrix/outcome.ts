import { LOGIN } from '../browser.ts'

/** What a request of the matrix led to. */
export type Outcome =
  | { kind: 'works' }
  /** The fault was not hit. */
  | { kind: 'unhurt' }
  | { kind: 'unavailable' }
  /** Neither: a bug. */
  | { kind: 'wrong'; description: string }

/** What a response says, without what differs between two equal requests. */
export async function describeResponse(response: Response): Promise<string> {
  const text = await response.text()
  const type = response.headers.get('Content-Type')?.split(';')[0] ?? ''
  const location = response.headers.get('Location')
  const parts = [
    String(response.status),
    ...(location === null ? [] : [describeUrl(location)]),
    ...(type === 'text/html' ? [describePage(text)] : []),
    ...(type.endsWith('json') ? [describeJson(JSON.parse(text))] : []),
  ]
  return parts.join(' ')
}

/**
 * Compares a response with that of the same request without a fault. An unavailable service says so,
 * and when to try again.
 */
export async function judge(response: Response, healthy: string): Promise<Outcome> {
  const { status } = response
  const body = await response.clone().text()
  const description = await describeResponse(response)
  if (description === healthy) return { kind: 'works' }
  if (status !== 503) return { kind: 'wrong', description }
  const saysSo = /unavailable|not_ready|"status":503/.test(body)
  const isComplete = saysSo && response.headers.has('Retry-After')
  return isComplete
    ? { kind: 'unavailable' }
    : { kind: 'wrong', description: `${description} without Retry-After or reason` }
}

/** What is created for each request: attempts, users, clients, and webhooks. */
const ID = /[\w-]{20,}|(?<=\/)[\w-]{11}(?=\/|$)|\b[uw][0-9a-f]{8}\b/g

/** Ids are replaced, and the values of parameters. */
function describeUrl(location: string): string {
  const { origin, pathname, searchParams } = new URL(location, LOGIN)
  const path = pathname.replaceAll(ID, '*')
  const names = [...new Set(searchParams.keys())].sort()
  const host = origin.replace(/[\w-]{36,}/, '*')
  return `${host}${path}${names.length > 0 ? `?${names}` : ''}`
}

function describePage(html: string): string {
  const [, title = ''] = html.match(/<title>([^<]*)/) ?? []
  // The secret of a registration that cannot be read again is shown with its id instead of its name.
  return JSON.stringify(title.replaceAll(/\u2068[^\u2069]*\u2069/g, '*').replaceAll(ID, '*'))
}

/** The names of all members, and values only if they are true or false. */
function describeJson(value: unknown): string {
  if (value === null || Array.isArray(value) || typeof value !== 'object') {
    return JSON.stringify(value).slice(0, 1)
  }
  const members = Object.entries(value).map(([name, member]) =>
    typeof member === 'boolean' ? `${name}: ${member}` : name,
  )
  return `{ ${members.sort().join(', ')} }`
}
