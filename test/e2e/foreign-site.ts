import { startLoopbackServer } from './loopback-server.ts'

/** A site that is not ours: browsers treat each name below `localhost` as a separate site. */
export interface ForeignSite {
  origin: string
  /** Sets the HTML that the site serves at every path. */
  serve: (html: string) => void
  close: () => Promise<void>
}

export async function startForeignSite(name: string): Promise<ForeignSite> {
  let body = ''
  const { port, close } = await startLoopbackServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end(
      `<!doctype html><html lang="en"><title>Foreign site</title><link rel="icon" href="data:,">${body}`,
    )
  })
  return {
    origin: `http://${name}.localhost:${port}`,
    serve: (html) => {
      body = html
    },
    close,
  }
}
