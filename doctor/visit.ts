import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

/** Longer than a healthy service needs on a slow line. */
const DEADLINE = 10_000 // milliseconds, until the last byte

/** No answer of ours is as long as this. */
const LONGEST = 512 * 1024

/** What came back. */
export interface Answer {
  status: number
  headers: Headers
  /** The body, where it is a JSON object. */
  json: Record<string, unknown> | undefined
}

interface Asking {
  method?: string
  headers?: Record<string, string>
  body?: string
}

/**
 * Asks once, follows no redirect, and waits for a limited time and size. Not with `fetch`, which says of itself that
 * it is a script in a page: a sign-in begins for who navigates.
 */
export async function visit(url: string, { method, headers, body }: Asking = {}): Promise<Answer> {
  const options = {
    method: method ?? 'GET',
    headers: { 'User-Agent': 'vestibule-doctor', ...headers },
    signal: AbortSignal.timeout(DEADLINE),
  }
  const request = (url.startsWith('https:') ? requestHttps : requestHttp)(url, options)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject).end(body)
  })
  return {
    status: response.statusCode ?? 0,
    headers: toHeaders(response),
    json: parseObject(await readAtMost(response)),
  }
}

function toHeaders({ headersDistinct }: IncomingMessage): Headers {
  const pairs = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  return new Headers(pairs)
}

async function readAtMost(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    size += chunk.length
    if (size > LONGEST) throw new RangeError('the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return value && typeof value === 'object' && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
