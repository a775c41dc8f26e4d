import type { IncomingMessage, ServerResponse } from 'node:http'
import { type LoopbackServer, startLoopbackServer } from '../loopback-server.ts'

/** Serves an app that is a function from Request to Response. */
export function serveApp(
  port: number,
  handle: (request: Request) => Response | Promise<Response>,
): Promise<LoopbackServer> {
  return startLoopbackServer(
    (incoming, outgoing) => {
      toRequest(incoming)
        .then(handle)
        .then((response) => send(response, outgoing))
        .catch((error) => outgoing.writeHead(500).end(String(error)))
    },
    { port },
  )
}

async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const { method = 'GET', headers, url = '/' } = incoming
  const body = Buffer.concat(await incoming.toArray())
  return new Request(`http://${headers.host}${url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
    body: body.length > 0 ? body : null,
  })
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.statusCode = response.status
  outgoing.setHeaders(response.headers)
  outgoing.end(Buffer.from(await response.arrayBuffer()))
}
