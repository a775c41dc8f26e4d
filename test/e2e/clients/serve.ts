import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** Lets a function from Request to Response answer on this port of loopback, and returns how to stop it. */
export async function serve(
  port: number,
  answer: (request: Request) => Response | Promise<Response>,
): Promise<() => Promise<void>> {
  const server = createServer((incoming, outgoing) => {
    toRequest(incoming)
      .then(answer)
      .then((response) => send(response, outgoing))
      .catch((error) => outgoing.writeHead(500).end(String(error)))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
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
