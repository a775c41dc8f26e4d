import { createAdaptorServer } from '@hono/node-server'
import type { createVideoPlatform } from './app.ts'

type VideoPlatform = ReturnType<typeof createVideoPlatform>

/** The two addresses of `localhost`. The stand-in is never reachable from another machine. */
const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1']

/** Serves the stand-in on this machine. Webhook retries continue after a response. */
export async function serve(platform: VideoPlatform, port: number): Promise<void> {
  for (const host of LOOPBACK_ADDRESSES) await listen(platform, port, host)
}

function listen(platform: VideoPlatform, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    createAdaptorServer({
      fetch: (request) => respond(platform, request),
      overrideGlobalObjects: false,
    })
      // On a machine without IPv6, the stand-in is served at the IPv4 address only.
      .once('error', (error) => (isAddressUnavailable(error) ? resolve() : reject(error)))
      .listen({ port, host, exclusive: true }, resolve)
  })
}

async function respond(platform: VideoPlatform, request: Request): Promise<Response> {
  const response = await platform.fetch(request, {}, EXECUTION_CONTEXT)
  // Otherwise the adapter buffers the first chunks, and a body that is aborted early appears
  // complete.
  if (response.body) response.headers.set('Transfer-Encoding', 'chunked')
  return response
}

function isAddressUnavailable(error: Error): boolean {
  return 'code' in error && ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(String(error.code))
}

/**
 * What Cloudflare passes to a worker. Node keeps running, so background work needs no special
 * handling.
 */
const EXECUTION_CONTEXT = {
  waitUntil: (work: Promise<unknown>) => void work.catch(() => {}),
  passThroughOnException: () => {},
  props: {},
}
