import { parseJson } from '../../src/foundation/values/json.ts'
import { parseReference } from '../../src/foundation/values/reference.ts'
import { LOG_LINE_START, readJsonObjects } from './json-objects.ts'

/** The fields of a log line that are reported. All other content of a log is ignored. */
export interface LogLine {
  requestId: string
  /** Milliseconds since 1970, if the log contains the time. */
  at?: number
  method?: string
  route?: string
  status?: number
  event?: string
  code?: string
  provider?: string
  providerName?: string
  userId?: string
  clientId?: string
  attempt?: string
  upstreamError?: string
  upstreamErrorType?: string
  upstreamStatus?: number
  logId?: string
  hint?: string
  network?: string
  cause?: string | string[]
}

const STRING_FIELDS = [
  'method',
  'route',
  'event',
  'code',
  'provider',
  'providerName',
  'userId',
  'clientId',
  'attempt',
  'upstreamError',
  'upstreamErrorType',
  'logId',
  'hint',
  'network',
] as const

const NUMBER_FIELDS = ['status', 'upstreamStatus'] as const

/** Deeper than any log format nests the lines of the service; limits the recursion. */
const MAX_DEPTH = 8

/**
 * Reads the lines of the service from a log, in their order, even if they are nested in other
 * objects.
 */
export async function readLogLines(text: AsyncIterable<string>): Promise<LogLine[]> {
  const lines: LogLine[] = []
  for await (const object of readJsonObjects(text)) {
    lines.push(...extractLines(object, undefined, 0))
  }
  return lines
}

/**
 * `wrangler tail` has the lines as strings in `logs[].message[]`, with `timestamp` beside
 * `message`.
 */
function extractLines(value: unknown, at: number | undefined, depth: number): LogLine[] {
  if (depth > MAX_DEPTH) return []
  if (typeof value === 'string') {
    return value.startsWith(LOG_LINE_START) ? extractLines(parseJson(value), at, depth + 1) : []
  }
  if (!value || typeof value !== 'object') return []
  const time = readTime(value) ?? at
  const line = toLogLine(value, time)
  if (line) return [line]
  return Object.values(value).flatMap((inner) => extractLines(inner, time, depth + 1))
}

/**
 * Other log formats also have a `requestId`; only the format of ours makes an object a line of the
 * service.
 */
function toLogLine(object: object, at: number | undefined): LogLine | undefined {
  const fields = new Map(Object.entries(object))
  const requestId = fields.get('requestId')
  if (typeof requestId !== 'string' || parseReference(requestId) !== requestId) return undefined
  const names = [
    ...STRING_FIELDS.filter((name) => typeof fields.get(name) === 'string'),
    ...NUMBER_FIELDS.filter((name) => typeof fields.get(name) === 'number'),
  ]
  const cause = fields.get('cause')
  return {
    requestId,
    ...(at !== undefined && { at }),
    ...Object.fromEntries(names.map((name) => [name, fields.get(name)])),
    ...(typeof cause === 'string' && { cause }),
    ...(Array.isArray(cause) && { cause: cause.map(String) }),
  }
}

function readTime(object: object): number | undefined {
  if ('timestamp' in object && typeof object.timestamp === 'number') return object.timestamp
  if ('eventTimestamp' in object && typeof object.eventTimestamp === 'number') {
    return object.eventTimestamp
  }
  return undefined
}
