import express from 'express'
import { auth } from 'express-oauth2-jwt-bearer'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { describeInBrowser, it, login } from '../browser-fixtures.ts'
import { requestTokens, startCodeFlow } from '../code-flow.ts'
import { type LoopbackServer, startLoopbackServer } from '../loopback-server.ts'
import { readSession } from '../page-steps.ts'
import { CALLBACK, LEGACY_API, ORDERS_API, SECRET, STOCK_API } from './registrations.ts'
import { signInAtApp } from './sign-in-at-app.ts'

/** Routes with different requirements for tokens. */
const GUARDS = {
  '/orders': auth({ issuerBaseURL: login, audience: ORDERS_API, strict: true }),
  '/orders-of-any-type': auth({ issuerBaseURL: login, audience: ORDERS_API }),
  '/legacy': auth({ issuerBaseURL: login, audience: LEGACY_API, strict: true }),
  '/legacy-of-any-type': auth({ issuerBaseURL: login, audience: LEGACY_API }),
  // A configuration mistake: an API must not have the name of a client.
  '/named-like-the-client': auth({ issuerBaseURL: login, audience: 'server', strict: true }),
}

describeInBrowser('an API that uses express-oauth2-jwt-bearer', () => {
  let server: LoopbackServer

  beforeAll(async () => {
    const app = express()
    for (const [path, guard] of Object.entries(GUARDS)) {
      app.get(path, guard, (request, response) => void response.json(request.auth?.payload))
    }
    server = await startLoopbackServer(app)
  })
  afterAll(() => server.close())

  async function call(path: keyof typeof GUARDS, token?: string) {
    const headers = new Headers(token === undefined ? {} : { Authorization: `Bearer ${token}` })
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers })
    const challenge = response.headers.get('WWW-Authenticate')
    return { status: response.status, challenge, claims: response.ok && (await response.json()) }
  }

  it('[F1] accepts an access token that was issued for it', async ({ page, persona }) => {
    const { access_token, sub } = await signIn('server', page, persona)
    const accepted = { status: 200, claims: { sub, client_id: 'server' } }

    expect(await call('/orders', access_token)).toMatchObject(accepted)
    expect(await call('/orders-of-any-type', access_token)).toMatchObject(accepted)
  })

  it('gets tokens of type JWT if it is registered for them, and accepts them only without `strict`', async ({
    page,
    context,
    persona,
  }) => {
    await signIn('server', page, persona)
    const { access_token } = await signInAgain('server', context, { resource: LEGACY_API })

    expect(await call('/legacy', access_token)).toMatchObject(rejected("Unexpected 'typ' value"))
    expect(await call('/legacy-of-any-type', access_token)).toMatchObject({ status: 200 })
  })

  it('rejects a request without a token', async () => {
    const { status, challenge } = await call('/orders')

    expect(status).toBe(401)
    expect(challenge).toContain('Bearer realm="api"')
    expect(challenge).not.toContain('error')
  })

  it('[F5][L15] rejects tokens that were not issued for it', async ({ page, context, persona }) => {
    const { id_token } = await signIn('server', page, persona)
    const forStock = await signInAgain('server', context, { resource: STOCK_API })
    const forNoApi = await signInAgain('public', context)
    const session = await readSession(context)
    const others = [id_token, forStock.access_token, forNoApi.access_token, session?.token]

    for (const token of others) {
      expect(await call('/orders', token)).toMatchObject(rejected('Unexpected'))
      expect(await call('/orders-of-any-type', token)).toMatchObject(
        rejected("Unexpected 'aud' value"),
      )
    }
  })

  it('[F5] rejects an ID token because of its type alone', async ({ page, persona }) => {
    const { id_token } = await signIn('server', page, persona)

    expect(await call('/named-like-the-client', id_token)).toMatchObject(
      rejected("Unexpected 'typ' value"),
    )
  })

  it('[F6] rejects a token that was modified', async ({ page, persona }) => {
    const { access_token } = await signIn('server', page, persona)
    const [header = '', payload = '', signature = ''] = access_token.split('.')
    const forged = withClaims(payload, { sub: 'usr_somebody-else' })
    const unsigned = withClaims(header, { alg: 'none' })

    for (const [token, reason] of [
      [`${header}.${forged}.${signature}`, 'signature verification failed'],
      [
        `${header}.${payload}.${[...signature].reverse().join('')}`,
        'signature verification failed',
      ],
      [`${unsigned}.${forged}.`, "Unsupported algorithm 'none'"],
    ] as const) {
      expect(await call('/orders', token)).toMatchObject(rejected(reason))
    }
  })
})

function rejected(reason: string) {
  const challenge = `error="invalid_token", error_description="${reason}`
  return { status: 401, challenge: expect.stringContaining(challenge), claims: false }
}

/** The header or payload of a JWT with some of its claims changed. */
function withClaims(part: string, changes: Record<string, unknown>): string {
  const claims = JSON.parse(Buffer.from(part, 'base64url').toString())
  return Buffer.from(JSON.stringify({ ...claims, ...changes })).toString('base64url')
}

/** The tokens that an app receives when a user signs in. */
async function signIn(clientId: string, page: Page, persona: string) {
  const { request, finish } = await startCodeFlow(codeFlowOptions(clientId))
  return finish(await signInAtApp(request, page, persona))
}

/** The tokens that an app receives for a user who is already signed in. */
function signInAgain(
  clientId: string,
  context: BrowserContext,
  parameters: Record<string, string> = {},
) {
  return requestTokens(context, { ...codeFlowOptions(clientId), parameters })
}

function codeFlowOptions(clientId: string) {
  const isPublic = clientId === 'public'
  return { clientId, redirectUri: CALLBACK, ...(!isPublic && { secret: SECRET }) }
}
