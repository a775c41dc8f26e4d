// A native app with AppAuth for JavaScript: once with a scheme of its own, once with loopback.
const { execFile } = require('node:child_process')
const { createServer } = require('node:http')
const { once } = require('node:events')
const { promisify } = require('node:util')
const {
  AuthorizationRequest,
  AuthorizationRequestHandler,
  AuthorizationServiceConfiguration,
  BaseTokenRequestHandler,
  BasicQueryStringUtils,
  RevokeTokenRequest,
  TokenRequest,
} = require('@openid/appauth')
const { NodeCrypto, NodeRequestor } = require('@openid/appauth/built/node_support')

const { ISSUER, CLIENT_ID, PORT, BROWSER } = process.env

const requestor = new NodeRequestor()
const tokenHandler = new BaseTokenRequestHandler(requestor)

/** Opens the browser of the system. The URL with which it opens the app is what it prints. */
class SystemBrowserHandler extends AuthorizationRequestHandler {
  constructor() {
    super(new BasicQueryStringUtils(), new NodeCrypto())
  }

  async performAuthorizationRequest(configuration, request) {
    await request.setupCodeVerifier()
    const url = this.buildRequestUrl(configuration, request)
    const { stdout } = await promisify(execFile)(BROWSER, [url])
    return new URL(stdout.trim())
  }

  completeAuthorizationRequest() {}
}

/** Receives the response on a free port. */
async function withLoopback(open) {
  const server = createServer((_, response) => response.end('Return to the app.'))
  server.listen(PORT, '127.0.0.1')
  await once(server, 'listening')
  const redirectUri = `http://127.0.0.1:${PORT}/callback`
  const [[request]] = await Promise.all([once(server, 'request'), open(redirectUri)])
  server.close()
  return new URL(request.url, redirectUri)
}

async function signIn(configuration, redirectUri, receive) {
  const request = new AuthorizationRequest(
    {
      client_id: CLIENT_ID,
      redirect_uri: redirectUri,
      scope: 'openid profile offline_access',
      response_type: AuthorizationRequest.RESPONSE_TYPE_CODE,
    },
    new NodeCrypto(),
  )
  const answer = await receive(new SystemBrowserHandler(), request)
  if (answer.searchParams.get('state') !== request.state) throw new Error('another state')
  const code = answer.searchParams.get('code')
  if (!code) throw new Error(`no code: ${answer.search}`)
  const tokens = await tokenHandler.performTokenRequest(
    configuration,
    new TokenRequest({
      client_id: CLIENT_ID,
      redirect_uri: redirectUri,
      grant_type: 'authorization_code',
      code,
      extras: { code_verifier: request.internal.code_verifier },
    }),
  )
  const refreshed = await tokenHandler.performTokenRequest(
    configuration,
    new TokenRequest({
      client_id: CLIENT_ID,
      redirect_uri: redirectUri,
      grant_type: 'refresh_token',
      refresh_token: tokens.refreshToken,
    }),
  )
  const userinfo = await fetch(configuration.userInfoEndpoint, {
    headers: { Authorization: `Bearer ${refreshed.accessToken}` },
  })
  if (!userinfo.ok) throw new Error(`userinfo: ${userinfo.status}`)
  const { sub } = await userinfo.json()
  await tokenHandler.performRevokeTokenRequest(
    configuration,
    new RevokeTokenRequest({ token: refreshed.refreshToken, client_id: CLIENT_ID }),
  )
  const after = await fetch(configuration.userInfoEndpoint, {
    headers: { Authorization: `Bearer ${refreshed.accessToken}` },
  })
  if (after.status !== 401) throw new Error(`still valid after the revocation: ${after.status}`)
  return sub
}

async function main() {
  const configuration = await AuthorizationServiceConfiguration.fetchFromIssuer(ISSUER, requestor)
  const scheme = 'com.example.interop:/callback'
  const first = await signIn(configuration, scheme, (handler, request) =>
    handler.performAuthorizationRequest(configuration, request),
  )
  const loopback = `http://127.0.0.1:${PORT}/callback`
  const second = await signIn(configuration, loopback, (handler, request) =>
    withLoopback(() => handler.performAuthorizationRequest(configuration, request)),
  )
  if (first !== second) throw new Error('not the same user')
}

main().catch((error) => {
  console.error(error)
  process.exit(1)
})
