import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { parseJsonObject } from '../src/foundation/values/json.ts'

/** Longer than a healthy service needs on a slow connection. */
const REQUEST_TIMEOUT = 10_000 // milliseconds, until the last byte

/** Larger than any response of the service or the platform that is checked. */
const MAX_RESPONSE_SIZE = 512 * 1024 // bytes

export interface HttpResponse {
  status: number
  headers: Headers
  /** The body, if it is a JSON object. */
  json: Record<string, unknown> | undefined
}

interface RequestOptions {
  method?: string
  headers?: Record<string, string>
  body?: string
}

/**
 * Sends one request without following redirects, with limits on time and size. `fetch` is not used
 * because it sends `Sec-Fetch-Mode: cors`, as a script on a page does, and the service starts a
 * sign-in only for navigations.
 */
export async function sendRequest(
  url: string,
  { method = 'GET', headers, body }: RequestOptions = {},
): Promise<HttpResponse> {
  const createRequest = url.startsWith('https:') ? requestHttps : requestHttp
  const request = createRequest(url, {
    method,
    // A server may close a kept connection at the moment when the next request is sent on it.
    agent: false,
    headers: { 'User-Agent': 'vestibule-doctor', ...headers },
    signal: AbortSignal.timeout(REQUEST_TIMEOUT),
  })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject).end(body)
  })
  return {
    status: response.statusCode ?? 0,
    headers: toHeaders(response),
    json: parseJsonObject(await readBody(response)),
  }
}

function toHeaders({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value)
  }
  return headers
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    size += chunk.length
    if (size > MAX_RESPONSE_SIZE) throw new RangeError('the response is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
