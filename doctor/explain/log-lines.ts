import { readObjects } from './objects.ts'

/** The fields of a log line that are told. Whatever else a log holds stays there. */
export interface LogLine {
  requestId: string
  /** Where the log tells it: milliseconds since 1970. */
  at?: number
  method?: string
  route?: string
  status?: number
  event?: string
  code?: string
  provider?: string
  userId?: string
  clientId?: string
  attempt?: string
  upstreamError?: string
  upstreamErrorType?: string
  upstreamStatus?: number
  logId?: string
  hint?: string
  trouble?: string | string[]
}

const TEXTS = [
  'method',
  'route',
  'event',
  'code',
  'provider',
  'userId',
  'clientId',
  'attempt',
  'upstreamError',
  'upstreamErrorType',
  'logId',
  'hint',
] as const

const NUMBERS = ['status', 'upstreamStatus'] as const

/** As deep as a log line sits in what others wrap around it. */
const DEEPEST = 8

/** The service's lines in a log, in their order, out of whatever they are wrapped in. */
export async function readLogLines(text: AsyncIterable<string>): Promise<LogLine[]> {
  const lines: LogLine[] = []
  for await (const object of readObjects(text)) collect(object, lines, undefined, 0)
  return lines
}

/** `wrangler tail` has them as text in `logs[].message[]`, each with its time beside it. */
function collect(value: unknown, lines: LogLine[], at: number | undefined, depth: number): void {
  if (depth > DEEPEST) return
  if (typeof value === 'string') {
    if (value.startsWith('{"requestId"')) collect(parse(value), lines, at, depth + 1)
    return
  }
  if (!value || typeof value !== 'object') return
  const here = timeOf(value) ?? at
  const line = toLine(value, here)
  if (line) lines.push(line)
  else for (const inner of Object.values(value)) collect(inner, lines, here, depth + 1)
}

/** Others have a `requestId`, too, but not one of ours. */
function toLine(object: object, at: number | undefined): LogLine | undefined {
  const fields = new Map(Object.entries(object))
  const requestId = fields.get('requestId')
  if (typeof requestId !== 'string' || !/^\w{5}-\w{5}$/.test(requestId)) return undefined
  const known = [
    ...TEXTS.filter((name) => typeof fields.get(name) === 'string'),
    ...NUMBERS.filter((name) => typeof fields.get(name) === 'number'),
  ]
  const trouble = fields.get('trouble')
  return {
    requestId,
    ...(at !== undefined && { at }),
    ...Object.fromEntries(known.map((name) => [name, fields.get(name)])),
    ...(typeof trouble === 'string' && { trouble }),
    ...(Array.isArray(trouble) && { trouble: trouble.map(String) }),
  }
}

function timeOf(object: object): number | undefined {
  if ('timestamp' in object && typeof object.timestamp === 'number') return object.timestamp
  if ('eventTimestamp' in object && typeof object.eventTimestamp === 'number')
    return object.eventTimestamp
  return undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
