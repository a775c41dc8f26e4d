import { createMiddleware } from 'hono/factory'
import { corruptJson } from './fault-json.ts'
import { endlessStream, resettingStream, stallingStream } from './fault-streams.ts'
import { type Fault, takeFault } from './faults.ts'
import type { StandInEnv } from './platform.ts'

/** Applies the next fault queued for this path, which replaces or changes the response. */
export const injectFaults = createMiddleware<StandInEnv>(async (c, next) => {
  const { faults, resetSignal } = c.get('platform')
  const fault = takeFault(faults, c.req.path)
  if (fault === undefined) return next()

  if (fault.delayMs !== undefined) await sleep(fault.delayMs)
  const replacement = createReplacement(fault, resetSignal)
  if (replacement !== undefined) return replacement

  await next()
  const changed = await changeResponse(fault, c.res, resetSignal)
  // Without this, Hono would copy the headers of the old response to the new one.
  c.res = undefined
  c.res = changed
  return undefined
})

/** A response that does not depend on the real one. The request is not processed then. */
function createReplacement(fault: Fault, resetSignal: AbortSignal): Response | undefined {
  if (fault.body !== undefined) {
    const isText = typeof fault.body === 'string'
    const text = isText ? String(fault.body) : JSON.stringify(fault.body)
    return respond(fault, text, { contentType: isText ? 'text/plain' : 'application/json' })
  }
  switch (fault.kind) {
    case 'html-502':
      return respond(fault, BAD_GATEWAY, { contentType: 'text/html', status: 502 })
    case 'empty':
      return respond(fault, null, {})
    case 'redirect':
      return respond({ ...fault, headers: { Location: REDIRECT_TARGET, ...fault.headers } }, null, {
        status: 302,
      })
    case 'endless':
      return respond(fault, endlessStream(resetSignal), { contentType: 'application/json' })
    case undefined:
      return hasOnlyStatus(fault) ? respond(fault, null, {}) : undefined
    default:
      return undefined
  }
}

const BAD_GATEWAY = '<html><body><h1>502 Bad Gateway</h1></body></html>'
const REDIRECT_TARGET = 'https://elsewhere.example/'

/** A status without changes to the real response means an empty response with that status. */
function hasOnlyStatus({ status, without, set }: Fault): boolean {
  return status !== undefined && without === undefined && set === undefined
}

async function changeResponse(
  fault: Fault,
  response: Response,
  resetSignal: AbortSignal,
): Promise<Response> {
  const headers = new Headers(response.headers)
  if (fault.kind === 'www-authenticate') {
    headers.set('WWW-Authenticate', 'Bearer error="invalid_token"')
  }
  const text = corruptJson(fault, await response.text())
  const body = createBody(fault, text, resetSignal)
  return respond(fault, body, { headers, status: response.status })
}

function createBody(
  { kind }: Fault,
  text: string,
  resetSignal: AbortSignal,
): string | ReadableStream | null {
  if (kind === 'drip') return stallingStream(text, resetSignal)
  if (kind === 'reset') return resettingStream(text)
  return text || null
}

function respond(
  fault: Fault,
  body: string | ReadableStream | null,
  defaults: { status?: number; contentType?: string; headers?: Headers },
): Response {
  const headers = new Headers(defaults.headers)
  const contentType = fault.contentType ?? defaults.contentType
  if (contentType !== undefined) headers.set('Content-Type', contentType)
  for (const [name, value] of Object.entries(fault.headers ?? {})) headers.set(name, value)
  return new Response(body, { status: fault.status ?? defaults.status ?? 200, headers })
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
