import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { inject, onTestFinished } from 'vitest'

const { login } = inject('services')

/** An answer on its way through. */
export interface Passing {
  path: string
  status: number
  headers: Record<string, string | string[]>
  body: string
}

interface FrontOptions {
  /** Makes something wrong. */
  spoil?: (answer: Passing) => void
  /** A certificate, for a service behind https. */
  tls?: { key: string; cert: string }
}

/** The login service at another address of this machine, as its visitors would see it with one thing wrong. */
export async function startFront({ spoil = () => {}, tls }: FrontOptions = {}): Promise<string> {
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const answer = await pass(incoming, origin)
    if (tls) dress(answer)
    spoil(answer)
    outgoing.writeHead(answer.status, answer.headers).end(answer.body)
  }
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse) =>
    void serve(incoming, outgoing).catch(() => outgoing.destroy())
  const server = tls ? createSecureServer(tls, handle) : createServer(handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const origin = `${tls ? 'https' : 'http'}://localhost:${port}`
  return origin
}

/** Asks the real service, and puts our own address wherever it names its own. */
async function pass(incoming: IncomingMessage, origin: string): Promise<Passing> {
  const { url = '/', method } = incoming
  const { host: _, ...headers } = incoming.headers
  const asking = request(login + url, { method, headers }).end(await text(incoming))
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  const translate = (words: string) =>
    words
      .replaceAll(login, origin)
      .replaceAll(encodeURIComponent(login), encodeURIComponent(origin))
  const answer: Passing = {
    path: url,
    status: response.statusCode ?? 500,
    headers: {},
    body: translate(await text(response)),
  }
  for (const [name, values = []] of Object.entries(response.headersDistinct)) {
    if (name !== 'content-length') answer.headers[name] = values.map(translate)
  }
  return answer
}

/** What the service itself adds where its address is https. */
function dress({ headers }: Passing): void {
  headers['strict-transport-security'] = 'max-age=63072000; includeSubDomains'
  headers['set-cookie'] = [headers['set-cookie'] ?? []]
    .flat()
    .map((line) => `__Host-${line}; Secure`)
}
