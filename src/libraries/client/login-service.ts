import { UnavailableError } from './session.ts'

/** The login service responds within seconds, or not at all. */
const TIMEOUT = 15_000 // milliseconds

/** In this header, the login service tells the developers of an app what it needs. */
const HINT = 'Vestibule-Hint'

type Send = (request: Request) => Promise<Response>

/** What clients send to the login service. */
export interface LoginService {
  readonly url: string
  /**
   * Sends a request, with `fetch` or another function, and returns the JSON of its response. Reports
   * what the login service says about a mistake of the app.
   *
   * @throws UnavailableError
   */
  requestJson<Body>(path: string, init?: RequestInit, send?: Send): Promise<Body>
  /**
   * Tells the developers of the app about a mistake that would look like an outage, in the console,
   * once.
   */
  report(mistake: string): void
}

/** What the service responds with instead, if it can. */
interface ErrorBody {
  error?: string
  error_description?: string
}

export function loginService(url: string): LoginService {
  const reported = new Set<string>()

  function report(mistake: string): void {
    if (reported.has(mistake)) return
    reported.add(mistake)
    console.error(`vestibule-auth: ${mistake}`)
  }

  return {
    url,
    report,

    async requestJson<Body>(path: string, init?: RequestInit, send: Send = fetch) {
      const signal = AbortSignal.timeout(TIMEOUT)
      const request = new Request(url + path, { signal, ...init })
      request.headers.set('Accept', 'application/json')
      const response = await send(request).catch((cause: unknown) => {
        throw new UnavailableError('The login service cannot be reached.', { cause })
      })
      const { ok, status, headers } = response
      const hint = headers.get(HINT)
      if (hint) report(hint)
      const body = await response.json().catch((cause: unknown) => {
        const message = `${url} did not respond with JSON.`
        if (ok) report(`${message} Is it the URL of the login service?`)
        throw new UnavailableError(message, { status, cause })
      })
      if (ok) return body as Body
      const { error: code, error_description: description } = (body ?? {}) as ErrorBody
      if (!hint && isMistake(status, code)) report(`${code}: ${description}`)
      const message = hint ?? description ?? 'The login service is unavailable.'
      throw new UnavailableError(message, { status, code })
    },
  }
}

/** Whether only a change of the app or its registration helps. Proxies respond without a code. */
function isMistake(status: number, code: string | undefined): boolean {
  const isRejected = status >= 400 && status < 500 && status !== 429
  return isRejected && code !== undefined && code !== 'invalid_grant'
}
