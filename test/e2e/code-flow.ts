import * as client from 'openid-client'
import type { BrowserContext } from 'playwright-core'
import { login } from './browser-fixtures.ts'

interface CodeFlowOptions {
  clientId: string
  redirectUri: string
  /** None for a public client. */
  secret?: string
  /** Further parameters of the authorization request. */
  parameters?: Record<string, string>
}

/** Starts a code flow of an app that is built on openid-client. */
export async function startCodeFlow(options: CodeFlowOptions) {
  const { clientId, redirectUri, secret, parameters } = options
  const authentication = secret === undefined ? client.None() : client.ClientSecretBasic(secret)
  const configuration = await client.discovery(new URL(login), clientId, {}, authentication, {
    execute: [client.allowInsecureRequests],
  })
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const request = client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: 'openid profile',
    state: expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    ...parameters,
  })
  const finish = async (callback: URL) => {
    const checks = { pkceCodeVerifier, expectedState }
    const tokens = await client.authorizationCodeGrant(configuration, callback, checks)
    return { ...tokens, sub: tokens.claims()?.sub }
  }
  return { request, finish }
}

/** The tokens that an app receives for a user who is already signed in. */
export async function requestTokens(context: BrowserContext, options: CodeFlowOptions) {
  const { request, finish } = await startCodeFlow(options)
  const response = await context.request.get(request.href, { maxRedirects: 0 })
  return finish(new URL(response.headers()['location'] ?? ''))
}
