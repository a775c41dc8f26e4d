import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'

/** An honest refusal: the service says it cannot now, or nothing at all. It is counted, and is no wrong answer. */
export class RefusedError extends Error {}

/** Longer than a person waits. */
const PATIENCE = 30_000 // milliseconds

const BUSY = [429, 503]

const agent = new Agent({ keepAlive: true })

interface Question {
  headers?: Record<string, string>
  form?: Record<string, string>
}

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/**
 * A browser without a screen, at an address of its own: the service may count what one address asks. It does not
 * use `fetch`, which always says that a script asks.
 */
export class Visitor {
  readonly #cookies = new Map<string, string>()
  readonly #address: string

  constructor(address: string) {
    this.#address = address
  }

  async ask(url: string, { headers, form }: Question = {}): Promise<Answer> {
    const answer = await send(url, {
      headers: {
        Accept: 'text/html',
        'CF-Connecting-IP': this.#address,
        Cookie: Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join('; '),
        ...headers,
      },
      ...(form && { form }),
    }).catch((cause) => {
      throw new RefusedError(`The connection broke: ${cause.code ?? cause.name}`, { cause })
    })
    if (BUSY.includes(answer.status)) {
      throw new RefusedError(`${answer.status} at ${new URL(url).pathname}`)
    }
    for (const cookie of answer.headers['set-cookie'] ?? []) this.#keep(cookie)
    return answer
  }

  /** Where this leads. */
  async follow(url: string, headers: Record<string, string> = {}): Promise<string> {
    const answer = await this.ask(url, { headers })
    const { location } = answer.headers
    if (!location) throw new Error(`${answer.status} and no way on at ${new URL(url).pathname}`)
    return new URL(location, url).href
  }

  #keep(cookie: string): void {
    const [pair = '', ...attributes] = cookie.split(/;\s*/)
    const at = pair.indexOf('=')
    if (attributes.includes('Max-Age=0')) this.#cookies.delete(pair.slice(0, at))
    else this.#cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
}

function send(url: string, { headers, form }: Question): Promise<Answer> {
  const body = form && new URLSearchParams(form).toString()
  return new Promise((resolve, reject) => {
    const asking = request(url, {
      agent,
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...(body && { 'Content-Type': 'application/x-www-form-urlencoded' }) },
      signal: AbortSignal.timeout(PATIENCE),
    })
    asking.on('error', reject)
    asking.on('response', (response) => {
      const { statusCode: status = 0, headers } = response
      text(response).then((body) => resolve({ status, headers, body }), reject)
    })
    asking.end(body)
  })
}
