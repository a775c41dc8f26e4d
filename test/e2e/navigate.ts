import { type ClientRequest, request as open } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface Navigation {
  headers?: Record<string, string>
  /** What is posted. */
  body?: URLSearchParams | string
}

/**
 * Goes where a person goes. The `fetch` of Node says that it is a script, and scripts start no sign-in. It
 * also keeps connections, which may break just as they are used again.
 */
export async function navigate(place: string, { headers, body }: Navigation = {}) {
  const isForm = body instanceof URLSearchParams
  const request = open(place, {
    agent: false,
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(isForm && { 'Content-Type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
  })
  return answerTo(request.end(body?.toString()))
}

function answerTo(request: ClientRequest): Promise<Response> {
  return new Promise((resolve, reject) => {
    request.once('error', reject).once('response', (message) => {
      const headers = new Headers()
      for (const [name, values = []] of Object.entries(message.headersDistinct))
        for (const value of values) headers.append(name, value)
      const status = message.statusCode ?? 0
      buffer(message).then((body) => resolve(new Response(body, { status, headers })), reject)
    })
  })
}
