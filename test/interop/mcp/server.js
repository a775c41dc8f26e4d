import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js'
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import express from 'express'
import { createRemoteJWKSet, jwtVerify } from 'jose'

const { ISSUER, APP_URL, PORT } = process.env
const resource = `${APP_URL}/mcp`
const scopes = ['openid', 'offline_access', 'tools:read'] // what clients request
const resourceMetadataUrl = `${APP_URL}/.well-known/oauth-protected-resource/mcp`

const jwks = createRemoteJWKSet(new URL(`${ISSUER}/.well-known/jwks.json`))
const checks = { issuer: ISSUER, audience: resource, algorithms: ['ES256'], typ: 'at+jwt' }

async function verifyAccessToken(token) {
  const { payload } = await jwtVerify(token, jwks, checks).catch((cause) => {
    throw new InvalidTokenError(cause.message)
  })
  const { client_id: clientId, scope, exp: expiresAt, sub } = payload
  return { token, clientId, scopes: scope.split(' '), expiresAt, extra: { sub } }
}

const app = express()
app.get('/.well-known/oauth-protected-resource/mcp', (_request, response) => {
  response.json({ resource, authorization_servers: [ISSUER], scopes_supported: scopes })
})
app.post(
  '/mcp',
  express.json(),
  requireBearerAuth({
    verifier: { verifyAccessToken },
    requiredScopes: ['tools:read'],
    resourceMetadataUrl,
  }),
  async (request, response) => {
    const server = new McpServer({ name: 'example', version: '1.0.0' })
    server.registerTool('whoami', {}, ({ authInfo }) => ({
      content: [{ type: 'text', text: authInfo.extra.sub }],
    }))
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined })
    await server.connect(transport)
    await transport.handleRequest(request, response, request.body)
  },
)
app.listen(PORT, 'localhost')
