import { createServer, type Server } from 'node:http'
import { textOf } from './storage.ts'

/**
 * The least of a platform: every code is good, and each belongs to a person of its own. Our process runs it, so
 * the worker pays for its two requests and for nothing behind them.
 */
export function serveUpstream(socketPath: string): Promise<Server> {
  const server = createServer(async (request, response) => {
    response.setHeader('Content-Type', 'application/json')
    if (request.method === 'POST') {
      const form = new URLSearchParams(await textOf(request))
      response.end(JSON.stringify(tokensFor(form.get('code') ?? '')))
      return
    }
    response.end(JSON.stringify(profileOf(request.headers.authorization ?? '')))
  })
  return new Promise((resolve) => {
    server.listen(socketPath, () => resolve(server))
  })
}

function tokensFor(code: string) {
  return {
    access_token: `act.${code}`,
    expires_in: 86_400,
    open_id: code,
    refresh_expires_in: 31_536_000,
    refresh_token: `rft.${code}`,
    scope: 'user.info.basic,user.info.profile',
    token_type: 'Bearer',
  }
}

function profileOf(authorization: string) {
  const code = authorization.replace('Bearer act.', '')
  const user = {
    open_id: code,
    union_id: `union-${code}`,
    display_name: 'Mia Lindqvist',
    username: 'mia',
    avatar_url: 'https://p16.tiktokcdn.com/mia.jpeg',
    profile_deep_link: 'https://vm.tiktok.com/mia',
    is_verified: false,
  }
  return { data: { user }, error: { code: 'ok', message: '', log_id: '20260901' } }
}
