import { Agent, request } from 'node:http'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** As many requests are under way at a time. */
export const AT_ONCE = 8

/** Asks a worker as the edge would: over connections that stay open, and in the name of its public origin. */
export class Connection {
  readonly #socketPath: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })

  constructor(socketPath: string) {
    this.#socketPath = socketPath
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#ask('GET', path, headers)
  }

  post(path: string, form: Record<string, string>): Promise<Answer> {
    const body = new URLSearchParams(form).toString()
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': String(body.length),
    }
    return this.#ask('POST', path, headers, body)
  }

  close(): void {
    this.#agent.destroy()
  }

  #ask(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const asked = request(
        {
          method,
          path,
          socketPath: this.#socketPath,
          agent: this.#agent,
          headers: { Host: 'login.example', 'X-Forwarded-Proto': 'https', ...headers },
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
      asked.on('error', reject)
      asked.end(body)
    })
  }
}
