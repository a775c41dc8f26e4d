import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { LOOPBACK_ADDRESSES } from './ports.ts'

type Respond = (request: Request) => Response | Promise<Response>

/** Serves at both addresses of `localhost`, and never to another machine. */
export async function serve(
  respond: Respond,
  port: number,
): Promise<{ stop: () => Promise<void> }> {
  const servers: Server[] = []
  const stop = async () => void (await Promise.all(servers.map(close)))
  try {
    for (const host of LOOPBACK_ADDRESSES) {
      const server = createServer((incoming, outgoing) => void answer(respond, incoming, outgoing))
      if (await listen(server, port, host)) servers.push(server)
    }
  } catch (cause) {
    await stop()
    throw cause
  }
  return { stop }
}

/** False on a machine without IPv6, which is served at the IPv4 address only. */
function listen(server: Server, port: number, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server
      .once('error', (error) => (isAddressUnavailable(error) ? resolve(false) : reject(error)))
      .listen({ port, host, exclusive: true }, () => resolve(true))
  })
}

function isAddressUnavailable(error: Error): boolean {
  return 'code' in error && ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(String(error.code))
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

/** A body that fails closes the connection, so that the client notices. */
async function answer(
  respond: Respond,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  try {
    const response = await respond(await readRequest(incoming))
    outgoing.setHeaders(response.headers).writeHead(response.status)
    if (response.body) await pipeline(response.body, outgoing)
    else outgoing.end()
  } catch {
    outgoing.destroy()
  }
}

async function readRequest(incoming: IncomingMessage): Promise<Request> {
  const { method = 'GET', url = '/', headersDistinct, headers } = incoming
  const fields = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: fields,
    body: hasBody ? await buffer(incoming) : null,
  })
}
