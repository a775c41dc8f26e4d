import { createMiddleware } from 'hono/factory'
import { alterJson } from './fault-json.ts'
import { endless, hangAfter, resetAfter } from './fault-streams.ts'
import { type Fault, takeFault } from './faults.ts'
import type { StandInEnv } from './platform.ts'

/** Plays the next fault waiting for this path, instead of the answer or upon it. */
export const playFaults = createMiddleware<StandInEnv>(async (c, next) => {
  const { faults, life } = c.get('platform')
  const fault = takeFault(faults, new URL(c.req.url).pathname)
  if (fault === undefined) return next()

  if (fault.delayMs !== undefined) await wait(fault.delayMs)
  const instead = answerInstead(fault, life)
  if (instead !== undefined) return instead

  await next()
  const altered = await alterAnswer(fault, c.res, life)
  // Hono would carry the old headers over to the new answer.
  c.res = undefined
  c.res = altered
  return undefined
})

/** An answer that needs no real one; the request has no effect then. */
function answerInstead(fault: Fault, life: AbortSignal): Response | undefined {
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
      return respond({ ...fault, headers: { Location: ELSEWHERE, ...fault.headers } }, null, {
        status: 302,
      })
    case 'endless':
      return respond(fault, endless(life), { contentType: 'application/json' })
    case undefined:
      return isBareStatus(fault) ? respond(fault, null, {}) : undefined
    default:
      return undefined
  }
}

const BAD_GATEWAY = '<html><body><h1>502 Bad Gateway</h1></body></html>'
const ELSEWHERE = 'https://elsewhere.example/'

/** A status alone stands for an empty answer with that status. */
function isBareStatus({ status, without, set }: Fault): boolean {
  return status !== undefined && without === undefined && set === undefined
}

/** The real answer, then spoilt. */
async function alterAnswer(fault: Fault, answer: Response, life: AbortSignal): Promise<Response> {
  const headers = new Headers(answer.headers)
  if (fault.kind === 'www-authenticate') {
    headers.set('WWW-Authenticate', 'Bearer error="invalid_token"')
  }
  const text = alterJson(fault, await answer.text())
  return respond(fault, send(fault, text, life), { headers, status: answer.status })
}

function send({ kind }: Fault, text: string, life: AbortSignal): string | ReadableStream | null {
  if (kind === 'drip') return hangAfter(text, life)
  if (kind === 'reset') return resetAfter(text)
  return text || null
}

function respond(
  fault: Fault,
  body: string | ReadableStream | null,
  otherwise: { status?: number; contentType?: string; headers?: Headers },
): Response {
  const headers = new Headers(otherwise.headers)
  const contentType = fault.contentType ?? otherwise.contentType
  if (contentType !== undefined) headers.set('Content-Type', contentType)
  for (const [name, value] of Object.entries(fault.headers ?? {})) headers.set(name, value)
  return new Response(body, { status: fault.status ?? otherwise.status ?? 200, headers })
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
