import { type Agent, type ClientRequest, request as sendRequest } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface HttpRequest {
  headers?: Record<string, string>
  /** Sent with POST; a form if it is a URLSearchParams. */
  body?: URLSearchParams | string
  /** GET without a body, otherwise POST, by default. */
  method?: string
  /** Milliseconds until the request is abandoned, instead of that of the browser. */
  timeout?: number
}

interface HttpBrowserOptions {
  /** Sent with every request. */
  headers?: Record<string, string>
  /**
   * Keeps connections open; by default each request has its own, which no restart of a service can
   * break.
   */
  agent?: Agent
  /** Milliseconds until a request without a complete response fails; unlimited by default. */
  timeout?: number
}

/**
 * A browser without a screen: it keeps cookies and follows no redirects. It does not use `fetch`,
 * which marks every request as sent by a script (Sec-Fetch-Mode: cors); the login service starts
 * sign-ins for navigations only.
 */
export class HttpBrowser {
  readonly #cookies = new Map<string, string>()
  readonly #options: HttpBrowserOptions

  constructor(options: HttpBrowserOptions = {}) {
    this.#options = options
  }

  /** Another browser with the same cookies. */
  copy(): HttpBrowser {
    const copy = new HttpBrowser(this.#options)
    for (const [name, value] of this.#cookies) copy.#cookies.set(name, value)
    return copy
  }

  async request(url: string, { headers, body, ...request }: HttpRequest = {}): Promise<Response> {
    const { agent } = this.#options
    const { method = body === undefined ? 'GET' : 'POST', timeout = this.#options.timeout } =
      request
    const isForm = body instanceof URLSearchParams
    const sent = sendRequest(url, {
      agent: agent ?? false,
      method,
      headers: {
        Accept: 'text/html',
        Cookie: Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join('; '),
        ...(isForm && { 'Content-Type': 'application/x-www-form-urlencoded' }),
        ...this.#options.headers,
        ...headers,
      },
      ...(timeout !== undefined && { signal: AbortSignal.timeout(timeout) }),
    })
    const response = await readResponse(sent.end(body?.toString()))
    for (const cookie of response.headers.getSetCookie()) this.#keepCookie(cookie)
    return response
  }

  #keepCookie(cookie: string): void {
    const [, name = '', value = ''] = cookie.match(/^([^=]+)=([^;]*)/) ?? []
    if (/;\s*max-age=0/i.test(cookie)) this.#cookies.delete(name)
    else this.#cookies.set(name, value)
  }
}

function readResponse(request: ClientRequest): Promise<Response> {
  return new Promise((resolve, reject) => {
    request.once('error', reject).once('response', (message) => {
      const headers = new Headers()
      for (const [name, values = []] of Object.entries(message.headersDistinct))
        for (const value of values) headers.append(name, value)
      const status = message.statusCode ?? 0
      buffer(message).then((bytes) => {
        const body = bytes.length > 0 ? bytes : null
        resolve(new Response(body, { status, headers }))
      }, reject)
    })
  })
}
