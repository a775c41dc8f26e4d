import { text } from 'node:stream/consumers'
import { decodeJwt } from 'jose'
import { startLoopbackServer } from '../e2e/loopback-server.ts'

/**
 * An app's back-channel logout endpoint. It responds 500 until it is set to accept a session's
 * logout token.
 */
export interface BackChannel {
  url: string
  /** Sessions for which a logout token has arrived. */
  received: Set<string>
  /** Sessions whose logout token was accepted. */
  accepted: Set<string>
  /** Responds 200 to logout tokens of this session from now on. */
  accept: (sid: string) => void
  /** Never responds to logout tokens of this session, until they are accepted. */
  hang: (sid: string) => void
  close: () => Promise<void>
}

export async function startBackChannel(): Promise<BackChannel> {
  const received = new Set<string>()
  const accepted = new Set<string>()
  const toAccept = new Set<string>()
  const toHang = new Set<string>()
  const { port, close } = await startLoopbackServer(async (request, response) => {
    const form = new URLSearchParams(await text(request))
    const sid = String(decodeJwt(form.get('logout_token') ?? '')['sid'])
    received.add(sid)
    if (toAccept.has(sid)) accepted.add(sid)
    else if (toHang.has(sid)) return
    response.writeHead(toAccept.has(sid) ? 200 : 500).end()
  })
  return {
    url: `http://127.0.0.1:${port}/`,
    received,
    accepted,
    accept: (sid) => void toAccept.add(sid),
    hang: (sid) => void toHang.add(sid),
    close,
  }
}
