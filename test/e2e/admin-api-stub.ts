import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { startLoopbackServer } from './loopback-server.ts'

interface StubRequest {
  method: string
  /** Below `/admin/api`, with the query. */
  path: string
  body: string
  authorization: string
}

export interface StubResponse {
  status?: number
  type?: string
  /** Sent as it is if it is a text, otherwise as JSON. */
  body?: unknown
  headers?: Record<string, string>
}

interface StubOptions {
  /** Replaces the response of the token endpoint. */
  token?: StubResponse
  /** Replaces the discovery document. */
  discovery?: StubResponse
}

/**
 * Starts a service that issues tokens to any client and responds to calls of the admin API as the
 * test says: with errors that the real service does not have. The variables select it for the
 * commands.
 */
export async function startAdminApiStub(
  respond: (request: StubRequest) => StubResponse | Promise<StubResponse>,
  { token, discovery }: StubOptions = {},
) {
  const requests: StubRequest[] = []
  let origin = ''
  const handle = async (request: StubRequest): Promise<StubResponse> => {
    if (request.path === '/.well-known/openid-configuration') {
      const endpoints = {
        token_endpoint: `${origin}/oidc/token`,
        device_authorization_endpoint: `${origin}/oidc/device`,
        revocation_endpoint: `${origin}/oidc/revoke`,
      }
      return discovery ?? { body: { issuer: origin, ...endpoints } }
    }
    if (request.path === '/oidc/token') {
      return token ?? { body: { access_token: 'a token', token_type: 'Bearer', expires_in: 600 } }
    }
    const call = { ...request, path: request.path.replace('/admin/api', '') }
    requests.push(call)
    return await respond(call)
  }
  const server = await startLoopbackServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const { authorization = '' } = headers
    const body = String(await buffer(request))
    const result = await handle({ method, path: url, body, authorization })
    const { status = 200, type = 'application/json', body: content = {} } = result
    response.writeHead(status, { 'Content-Type': type, ...result.headers })
    response.end(typeof content === 'string' ? content : JSON.stringify(content))
  })
  onTestFinished(server.close)
  origin = `http://127.0.0.1:${server.port}`
  return {
    requests,
    env: {
      VESTIBULE_URL: origin,
      VESTIBULE_CLIENT_ID: 'operator',
      VESTIBULE_CLIENT_SECRET: 'the operator’s secret',
    },
  }
}
