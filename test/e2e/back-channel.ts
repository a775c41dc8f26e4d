import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { decodeJwt } from 'jose'

/** Where an app is told that sessions have ended. */
export interface BackChannel {
  url: string
  /** The sessions it has been told of. */
  asked: Set<string>
  /** The sessions whose end it has taken note of. */
  heard: Set<string>
  /** It takes note of the end of this session from now on. Told of any other, it wants to be told another time. */
  accept: (sid: string) => void
  /** It gives no answer about this session, until it accepts it. */
  ignore: (sid: string) => void
  close: () => Promise<void>
}

export async function openBackChannel(): Promise<BackChannel> {
  const heard = new Set<string>()
  const asked = new Set<string>()
  const accepted = new Set<string>()
  const ignored = new Set<string>()
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request))
    const sid = String(decodeJwt(form.get('logout_token') ?? '')['sid'])
    asked.add(sid)
    if (accepted.has(sid)) heard.add(sid)
    else if (ignored.has(sid)) return
    response.writeHead(accepted.has(sid) ? 200 : 500).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    asked,
    heard,
    accept: (sid) => void accepted.add(sid),
    ignore: (sid) => void ignored.add(sid),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
