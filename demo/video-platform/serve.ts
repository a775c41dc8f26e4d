import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'

type Answer = (request: Request, env: object, ctx: Execution) => Response | Promise<Response>

/** What Cloudflare gives a worker, as far as the stand-in looks at it. */
interface Execution {
  waitUntil: (work: Promise<unknown>) => void
  passThroughOnException: () => void
  props: object
}

/** `localhost` is two addresses, and it is never more than that. */
const LOOPBACK = ['127.0.0.1', '::1']

/** Serves a fetch function on this machine alone; work left over after an answer just goes on. */
export async function serve(answer: Answer, port: number): Promise<void> {
  for (const host of LOOPBACK) await listen(answer, port, host)
}

function listen(answer: Answer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    createServer((incoming, outgoing) => void respond(answer, incoming, outgoing))
      // A machine without IPv6 is served at the other address.
      .once('error', (error) => (isMissing(error) ? resolve() : reject(error)))
      .listen({ port, host, exclusive: true }, resolve)
  })
}

function isMissing(error: Error): boolean {
  return 'code' in error && ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(String(error.code))
}

async function respond(
  answer: Answer,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  try {
    const response = await answer(await requestFrom(incoming), {}, EXECUTION)
    outgoing.setHeaders(response.headers)
    outgoing.writeHead(response.status)
    if (response.body === null) outgoing.end()
    else await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing)
  } catch {
    // Some answers break off on purpose; whoever waits for them sees the connection close.
    outgoing.destroy()
  }
}

async function requestFrom(incoming: IncomingMessage): Promise<Request> {
  const { method = 'GET', url = '/', headers } = incoming
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]),
    body: hasBody ? new Uint8Array(await buffer(incoming)) : null,
  })
}

const EXECUTION: Execution = {
  waitUntil: (work) => void work.catch(() => {}),
  passThroughOnException: () => {},
  props: {},
}
