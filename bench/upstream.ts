import { createServer, type Server } from 'node:http'
import { readText } from './storage.ts'

interface UpstreamRequest {
  method: string | undefined
  authorization: string
  body: string
}

/**
 * The smallest possible platform: it accepts every code, and each code belongs to a user of its
 * own. It runs in the benchmark's process, so a worker pays for its two requests but not for the
 * work behind them.
 */
export function serveUpstream(socketPath: string): Promise<Server> {
  const server = createServer(async (request, response) => {
    const { method, headers } = request
    const { authorization = '' } = headers
    const body = await readText(request)
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(upstreamResponse({ method, authorization, body })))
  })
  return new Promise((resolve) => {
    server.listen(socketPath, () => resolve(server))
  })
}

/** A POST is a token request; anything else asks for the profile. */
export function upstreamResponse({ method, authorization, body }: UpstreamRequest) {
  if (method === 'POST') return tokenResponse(new URLSearchParams(body).get('code') ?? '')
  return profileResponse(authorization.replace('Bearer act.', ''))
}

function tokenResponse(code: string) {
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

function profileResponse(openId: string) {
  const user = {
    open_id: openId,
    union_id: `union-${openId}`,
    display_name: 'Mia Lindqvist',
    username: 'mia',
    avatar_url: 'https://p16.tiktokcdn.com/mia.jpeg',
    profile_deep_link: 'https://vm.tiktok.com/mia',
    is_verified: false,
  }
  return { data: { user }, error: { code: 'ok', message: '', log_id: '20260901' } }
}
