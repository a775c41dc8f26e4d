import { Agent, type RequestOptions, request } from 'node:http'

export interface HttpResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** The number of requests in flight at a time. */
export const CONCURRENCY = 8

/** Where the service and the floor are deployed, as far as their requests show. */
export const ORIGIN = 'https://login.example'

/**
 * Sends requests as the edge would: over connections that stay open, for the worker's public
 * origin.
 */
export class Connection {
  readonly #address: RequestOptions
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY })

  constructor(address: { socketPath: string } | { host: string; port: string }) {
    this.#address = address
  }

  get(path: string, headers: Record<string, string> = {}): Promise<HttpResponse> {
    return this.#send('GET', path, headers)
  }

  post(
    path: string,
    form: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<HttpResponse> {
    const body = new URLSearchParams(form).toString()
    const all = {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': String(body.length),
      ...headers,
    }
    return this.#send('POST', path, all, body)
  }

  close(): void {
    this.#agent.destroy()
  }

  async #send(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<HttpResponse> {
    try {
      return await this.#sendOnce(method, path, headers, body)
    } catch (error) {
      if (error instanceof ClosedConnectionError) return this.#sendOnce(method, path, headers, body)
      throw error
    }
  }

  #sendOnce(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          ...this.#address,
          method,
          path,
          agent: this.#agent,
          headers: { Host: new URL(ORIGIN).host, 'X-Forwarded-Proto': 'https', ...headers },
        },
        (response) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (chunk: string) => {
            text += chunk
          })
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: text,
            }),
          )
          response.on('error', reject)
        },
      )
      outgoing.on('error', (cause) => {
        reject(outgoing.reusedSocket ? new ClosedConnectionError('', { cause }) : cause)
      })
      outgoing.end(body)
    })
  }
}

/** The worker closed an idle connection while a request was being sent over it. */
class ClosedConnectionError extends Error {}
