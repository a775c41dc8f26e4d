import { once } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { inject, onTestFinished } from 'vitest'
import { startLoopbackServer } from './loopback-server.ts'

const { login } = inject('services')

/** A response of the login service on its way through the proxy. */
export interface ProxiedResponse {
  path: string
  /** Whether the request was that of a browser that opens a page. */
  isNavigation: boolean
  status: number
  headers: Record<string, string | string[]>
  body: string
}

interface LoginProxyOptions {
  /** Changes a response, for example to introduce a fault. */
  change?: (response: ProxiedResponse) => void
  /** Serves HTTPS with this certificate. */
  tls?: { key: string; cert: string }
}

/**
 * Serves the login service at another origin for one test, as a deployment with a fault would
 * respond.
 */
export async function startLoginProxy({
  change = () => {},
  tls,
}: LoginProxyOptions = {}): Promise<string> {
  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const response = await forward(incoming, origin)
    if (tls) addHttpsHeaders(response)
    change(response)
    outgoing.writeHead(response.status, response.headers).end(response.body)
  }
  const { port, close } = await startLoopbackServer(
    (incoming, outgoing) => void respond(incoming, outgoing).catch(() => outgoing.destroy()),
    tls ? { tls } : {},
  )
  onTestFinished(close)
  const origin = `${tls ? 'https' : 'http'}://localhost:${port}`
  return origin
}

/**
 * Forwards a request to the login service and replaces the service's origin with the proxy's in the
 * response.
 */
async function forward(incoming: IncomingMessage, origin: string): Promise<ProxiedResponse> {
  const { url = '/', method } = incoming
  const { host: _, ...headers } = incoming.headers
  const forwarded = request(login + url, { method, headers }).end(await text(incoming))
  const [message] = (await once(forwarded, 'response')) as [IncomingMessage]
  const replaceOrigin = (value: string) =>
    value
      .replaceAll(login, origin)
      .replaceAll(encodeURIComponent(login), encodeURIComponent(origin))
  const response: ProxiedResponse = {
    path: url,
    isNavigation: incoming.headers['sec-fetch-mode'] === 'navigate',
    status: message.statusCode ?? 500,
    headers: {},
    body: replaceOrigin(await text(message)),
  }
  for (const [name, values = []] of Object.entries(message.headersDistinct)) {
    if (name !== 'content-length') response.headers[name] = values.map(replaceOrigin)
  }
  return response
}

/** Adds what the service itself adds to its responses when its origin is https. */
function addHttpsHeaders({ headers }: ProxiedResponse): void {
  headers['strict-transport-security'] = 'max-age=63072000'
  headers['set-cookie'] = [headers['set-cookie'] ?? []]
    .flat()
    .map((line) => `__Host-${line}; Secure`)
}
