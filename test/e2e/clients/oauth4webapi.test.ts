import * as oauth from 'oauth4webapi'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { NAME } from '../../user-name.ts'
import { describeInBrowser, it, login } from '../browser-fixtures.ts'
import { CALLBACK, ORDERS_API, SECRET } from './registrations.ts'
import { signInAtApp } from './sign-in-at-app.ts'

/** All services are on loopback, without TLS. */
const ALLOW_HTTP = { [oauth.allowInsecureRequests]: true }

describeInBrowser('an app built on oauth4webapi', () => {
  it('signs a user in and accepts every response', async ({ page, persona }) => {
    const app = await discover('server', oauth.ClientSecretBasic(SECRET))
    const { tokens, response, sub } = await signIn(app, page, persona)

    await oauth.validateApplicationLevelSignature(app.server, response, ALLOW_HTTP)
    expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({ iss: login, aud: 'server' })
    expect(tokens).toMatchObject({ token_type: 'bearer', refresh_token: expect.any(String) })
    expect(await userinfo(app, tokens.access_token, sub)).toMatchObject({
      sub,
      name: NAME,
    })
    expect(await validateAtApi(app, tokens.access_token)).toMatchObject({
      sub,
      client_id: 'server',
    })
  })

  it('refreshes its tokens', async ({ page, persona }) => {
    const app = await discover('server', oauth.ClientSecretBasic(SECRET))
    const { tokens, sub } = await signIn(app, page, persona)

    const refreshed = await refresh(app, tokens.refresh_token)
    expect(oauth.getValidatedIdTokenClaims(refreshed)).toMatchObject({ sub, aud: 'server' })
    expect(refreshed.access_token).not.toBe(tokens.access_token)
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token)
    expect(await userinfo(app, refreshed.access_token, sub)).toMatchObject({ sub })
  })

  it('revokes a token, which is rejected everywhere afterwards', async ({ page, persona }) => {
    const app = await discover('server', oauth.ClientSecretBasic(SECRET))
    const { tokens, sub } = await signIn(app, page, persona)
    const { access_token, refresh_token } = tokens
    expect(await introspect(app, access_token)).toMatchObject({ active: true, sub })

    await revoke(app, refresh_token)
    expect(await introspect(app, access_token)).toEqual({ active: false })
    await expect(userinfo(app, access_token, sub)).rejects.toMatchObject({
      status: 401,
      cause: [{ parameters: { error: 'invalid_token' } }],
    })
    await expect(refresh(app, refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  it('does the same without a secret, except for introspection', async ({ page, persona }) => {
    const app = await discover('public', oauth.None())
    const { tokens, response, sub } = await signIn(app, page, persona)

    await oauth.validateApplicationLevelSignature(app.server, response, ALLOW_HTTP)
    const refreshed = await refresh(app, tokens.refresh_token)
    expect(await userinfo(app, refreshed.access_token, sub)).toMatchObject({ sub })
    await expect(introspect(app, refreshed.access_token)).rejects.toMatchObject({
      error: 'unauthorized_client',
    })
    await revoke(app, refreshed.access_token)
    await expect(refresh(app, refreshed.refresh_token)).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })
})

interface App {
  server: oauth.AuthorizationServer
  client: oauth.Client
  authentication: oauth.ClientAuth
}

async function discover(client_id: string, authentication: oauth.ClientAuth): Promise<App> {
  const issuer = new URL(login)
  const response = await oauth.discoveryRequest(issuer, ALLOW_HTTP)
  const server = await oauth.processDiscoveryResponse(issuer, response)
  return { server, client: { client_id }, authentication }
}

/** A code flow with PKCE, state and nonce. */
async function signIn({ server, client, authentication }: App, page: Page, persona: string) {
  const state = oauth.generateRandomState()
  const nonce = oauth.generateRandomNonce()
  const verifier = oauth.generateRandomCodeVerifier()
  const request = new URL(server.authorization_endpoint ?? '')
  request.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid profile offline_access',
    state,
    nonce,
    max_age: '600',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString()

  const callback = await signInAtApp(request, page, persona)
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    oauth.validateAuthResponse(server, client, callback, state),
    CALLBACK,
    verifier,
    ALLOW_HTTP,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
    maxAge: 600,
  })
  return { tokens, response, sub: oauth.getValidatedIdTokenClaims(tokens)?.sub ?? '' }
}

async function userinfo({ server, client }: App, accessToken: string, sub: string) {
  const response = await oauth.userInfoRequest(server, client, accessToken, ALLOW_HTTP)
  return oauth.processUserInfoResponse(server, client, sub, response)
}

async function refresh({ server, client, authentication }: App, token = '') {
  const response = await oauth.refreshTokenGrantRequest(
    server,
    client,
    authentication,
    token,
    ALLOW_HTTP,
  )
  return oauth.processRefreshTokenResponse(server, client, response)
}

async function introspect({ server, client, authentication }: App, token: string) {
  const response = await oauth.introspectionRequest(
    server,
    client,
    authentication,
    token,
    ALLOW_HTTP,
  )
  return oauth.processIntrospectionResponse(server, client, response)
}

async function revoke({ server, client, authentication }: App, token = '') {
  const response = await oauth.revocationRequest(server, client, authentication, token, ALLOW_HTTP)
  return oauth.processRevocationResponse(response)
}

/** Validates the token as an API that is built on the same library (RFC 9068 §4). */
async function validateAtApi({ server }: App, token: string) {
  const request = new Request(ORDERS_API, { headers: { Authorization: `Bearer ${token}` } })
  return oauth.validateJwtAccessToken(server, request, ORDERS_API, ALLOW_HTTP)
}
