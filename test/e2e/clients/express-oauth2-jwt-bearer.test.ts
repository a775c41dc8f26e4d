import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { auth } from 'express-oauth2-jwt-bearer'
import * as client from 'openid-client'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { describeInBrowser, it, login, sessionOf } from '../visit.ts'
import { signInAt } from './callback.ts'
import { CALLBACK, ORDERS_API, SECRET, STOCK_API } from './registered.ts'

/** Routes that differ in what they want of a token. */
const GUARDS = {
  '/orders': auth({ issuerBaseURL: login, audience: ORDERS_API, strict: true }),
  '/orders-of-any-type': auth({ issuerBaseURL: login, audience: ORDERS_API }),
  // A mistake: no API should be named like a client.
  '/named-like-the-client': auth({ issuerBaseURL: login, audience: 'server', strict: true }),
}

describeInBrowser('an API guarded by express-oauth2-jwt-bearer', () => {
  let server: Server
  let api: string

  beforeAll(async () => {
    const app = express()
    for (const [path, guard] of Object.entries(GUARDS)) {
      app.get(path, guard, (request, response) => void response.json(request.auth?.payload))
    }
    server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  async function call(path: keyof typeof GUARDS, token?: string) {
    const headers = new Headers(token === undefined ? {} : { Authorization: `Bearer ${token}` })
    const response = await fetch(`${api}${path}`, { headers })
    const challenge = response.headers.get('WWW-Authenticate')
    return { status: response.status, challenge, claims: response.ok && (await response.json()) }
  }

  it('[F1] accepts an access token that was made for it', async ({ page, persona }) => {
    const { access_token, sub } = await signIn('server', page, persona)
    const accepted = { status: 200, claims: { sub, client_id: 'server' } }

    expect(await call('/orders', access_token)).toMatchObject(accepted)
    expect(await call('/orders-of-any-type', access_token)).toMatchObject(accepted)
  })

  it('accepts one of the type JWT only if it is not strict', async ({ page, persona }) => {
    const { access_token } = await signIn('server-plain-type', page, persona)

    expect(await call('/orders', access_token)).toMatchObject(refused("Unexpected 'typ' value"))
    expect(await call('/orders-of-any-type', access_token)).toMatchObject({ status: 200 })
  })

  it('refuses a call without a token', async () => {
    const { status, challenge } = await call('/orders')

    expect(status).toBe(401)
    expect(challenge).toContain('Bearer realm="api"')
    expect(challenge).not.toContain('error')
  })

  it('[F5][L15] refuses what was not made for it', async ({ page, context, persona }) => {
    const { id_token } = await signIn('server', page, persona)
    const forStock = await signInAgain('server', context, { resource: STOCK_API })
    const forNoApi = await signInAgain('public', context)
    const session = await sessionOf(context)
    const others = [id_token, forStock.access_token, forNoApi.access_token, session?.token]

    for (const token of others) {
      expect(await call('/orders', token)).toMatchObject(refused('Unexpected'))
      expect(await call('/orders-of-any-type', token)).toMatchObject(
        refused("Unexpected 'aud' value"),
      )
    }
  })

  it('[F5] refuses an ID token by its type alone', async ({ page, persona }) => {
    const { id_token } = await signIn('server', page, persona)

    expect(await call('/named-like-the-client', id_token)).toMatchObject(
      refused("Unexpected 'typ' value"),
    )
  })

  it('[F6] refuses a token that was changed', async ({ page, persona }) => {
    const { access_token } = await signIn('server', page, persona)
    const [header = '', payload = '', signature = ''] = access_token.split('.')
    const forged = changed(payload, { sub: 'usr_somebody-else' })
    const unsigned = changed(header, { alg: 'none' })

    for (const [token, reason] of [
      [`${header}.${forged}.${signature}`, 'signature verification failed'],
      [
        `${header}.${payload}.${[...signature].reverse().join('')}`,
        'signature verification failed',
      ],
      [`${unsigned}.${forged}.`, "Unsupported algorithm 'none'"],
    ] as const) {
      expect(await call('/orders', token)).toMatchObject(refused(reason))
    }
  })
})

function refused(reason: string) {
  const challenge = `error="invalid_token", error_description="${reason}`
  return { status: 401, challenge: expect.stringContaining(challenge), claims: false }
}

/** A part of a JWT with other claims. */
function changed(part: string, changes: Record<string, unknown>): string {
  const claims = JSON.parse(Buffer.from(part, 'base64url').toString())
  return Buffer.from(JSON.stringify({ ...claims, ...changes })).toString('base64url')
}

/** What an app gets for a person whom the login service does not know yet. */
async function signIn(clientId: string, page: Page, persona: string) {
  const app = await startSignIn(clientId)
  return app.finish(await signInAt(app.request, page, persona))
}

/** What an app gets for who is signed in already. */
async function signInAgain(
  clientId: string,
  context: BrowserContext,
  parameters: Record<string, string> = {},
) {
  const app = await startSignIn(clientId, parameters)
  const answer = await context.request.get(app.request.href, { maxRedirects: 0 })
  return app.finish(new URL(answer.headers()['location'] ?? ''))
}

async function startSignIn(clientId: string, parameters: Record<string, string> = {}) {
  const authentication = clientId === 'public' ? client.None() : client.ClientSecretBasic(SECRET)
  const config = await client.discovery(new URL(login), clientId, {}, authentication, {
    execute: [client.allowInsecureRequests],
  })
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const request = client.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: 'openid profile',
    state: expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    ...parameters,
  })
  const finish = async (callback: URL) => {
    const checks = { pkceCodeVerifier, expectedState }
    const tokens = await client.authorizationCodeGrant(config, callback, checks)
    return { ...tokens, sub: tokens.claims()?.sub }
  }
  return { request, finish }
}
