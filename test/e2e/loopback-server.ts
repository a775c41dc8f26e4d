import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export interface LoopbackServer {
  port: number
  close: () => Promise<void>
}

interface LoopbackServerOptions {
  /** Any free port by default. */
  port?: number
  /** 127.0.0.1 by default. */
  host?: '127.0.0.1' | '::1'
  /** Serves HTTPS with this certificate. */
  tls?: { key: string; cert: string }
}

/**
 * Starts a server on a loopback address; closing it also ends connections that wait for a response.
 */
export async function startLoopbackServer(
  listener: RequestListener,
  { port = 0, host = '127.0.0.1', tls }: LoopbackServerOptions = {},
): Promise<LoopbackServer> {
  const server = tls ? createTlsServer(tls, listener) : createServer(listener)
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
