import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A site that is none of ours: names below `localhost` are foreign to each other and to `localhost`. */
export interface OtherSite {
  origin: string
  /** What the site shows from now on, whatever the path. */
  show: (html: string) => void
  close: () => Promise<void>
}

export async function openOtherSite(name: string): Promise<OtherSite> {
  let html = ''
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end(
      `<!doctype html><html lang="en"><title>Other site</title><link rel="icon" href="data:,">${html}`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://${name}.localhost:${port}`,
    show: (shown) => {
      html = shown
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
