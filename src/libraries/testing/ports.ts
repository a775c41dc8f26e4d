import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** The two addresses of `localhost`. */
export const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1']

/** A port on which nothing listens at either address of `localhost`. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return (await isPortTaken(port)) ? findFreePort() : port
}

/** Checks both addresses of `localhost`: a server on either one could receive our requests. */
export async function isPortTaken(port: number): Promise<boolean> {
  const results = await Promise.all(LOOPBACK_ADDRESSES.map((host) => isTaken(port, host)))
  return results.includes(true)
}

/** Other errors do not count: on a machine without IPv6, nothing can listen on `::1`. */
async function isTaken(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
      .once('error', (error) => resolve('code' in error && error.code === 'EADDRINUSE'))
      .listen({ port, host, exclusive: true }, () => server.close(() => resolve(false)))
  })
}
