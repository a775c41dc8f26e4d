import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { createVerifier } from '../../../src/verify.ts'
import { describeInBrowser, it, login } from '../browser-fixtures.ts'
import type { LoopbackServer } from '../loopback-server.ts'
import { signInWithoutPages } from '../page-steps.ts'
import { CALLBACK, ORDERS_API } from './registrations.ts'
import { serveApp } from './serve-app.ts'

let server: LoopbackServer
/** An API that requires a nonce in every proof. */
let api: URL

beforeAll(async () => {
  server = await serveApp(0, (request) => respond(request))
  api = new URL(`http://localhost:${server.port}/orders?page=2`)
  const verifier = createVerifier({
    issuer: login,
    audience: ORDERS_API,
    dpop: { required: true, nonceSecret: 'a secret of the API', url: api.origin },
  })
  const respond = verifier.handler(() => new Response('orders'))
})
afterAll(() => server.close())

interface Tokens {
  token_type: string
  access_token: string
  refresh_token?: string
}

/** An app with a key. Each function takes the key to use; without one, it sends no proof. */
interface App<Key> {
  key: Key
  otherKey: Key
  request: URL
  redeem(callback: URL, key?: Key): Promise<Tokens>
  refresh(tokens: Tokens, key?: Key): Promise<Tokens>
  /** The status of a request to the API. */
  call(tokens: Tokens, key?: Key): Promise<number>
}

async function openidClientApp(): Promise<App<client.DPoPHandle>> {
  const config = await client.discovery(new URL(login), 'bound', {}, client.None(), {
    execute: [client.allowInsecureRequests],
  })
  const newKey = async () => client.getDPoPHandle(config, await client.randomDPoPKeyPair())
  const key = await newKey()
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const options = (DPoP: client.DPoPHandle | undefined) => (DPoP ? { DPoP } : undefined)
  return {
    key,
    otherKey: await newKey(),
    request: client.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'openid offline_access',
      resource: ORDERS_API,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      dpop_jkt: await key.calculateThumbprint(),
    }),
    redeem: (callback, used) =>
      client.authorizationCodeGrant(config, callback, { pkceCodeVerifier }, {}, options(used)),
    refresh: ({ refresh_token = '' }, used) =>
      client.refreshTokenGrant(config, refresh_token, {}, options(used)),
    call: async ({ access_token }, used) => {
      const sent = options(used)
      const rest = [null, undefined, sent] as const
      return (await client.fetchProtectedResource(config, access_token, api, 'GET', ...rest)).status
    },
  }
}

async function oauth4webapiApp(): Promise<App<oauth.DPoPHandle>> {
  const allowHttp = { [oauth.allowInsecureRequests]: true }
  const app: oauth.Client = { client_id: 'bound' }
  const issuer = new URL(login)
  const discovered = await oauth.discoveryRequest(issuer, allowHttp)
  const as = await oauth.processDiscoveryResponse(issuer, discovered)
  const newKey = async () => oauth.DPoP(app, await oauth.generateKeyPair('ES256'))
  const key = await newKey()
  const verifier = oauth.generateRandomCodeVerifier()
  const request = new URL(as.authorization_endpoint ?? '')
  request.search = new URLSearchParams({
    client_id: app.client_id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid offline_access',
    resource: ORDERS_API,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    dpop_jkt: await key.calculateThumbprint(),
  }).toString()
  const options = (DPoP: oauth.DPoPHandle | undefined) => ({ ...allowHttp, ...(DPoP && { DPoP }) })
  /** The library leaves it to apps to repeat a request with the nonce. */
  const withNonce = <Result>(send: () => Promise<Result>): Promise<Result> =>
    send().catch((error: unknown) => {
      if (!oauth.isDPoPNonceError(error)) throw error
      return send()
    })
  return {
    key,
    otherKey: await newKey(),
    request,
    redeem: (callback, used) =>
      withNonce(async () => {
        const parameters = oauth.validateAuthResponse(as, app, callback)
        const rest = [parameters, CALLBACK, verifier, options(used)] as const
        const response = await oauth.authorizationCodeGrantRequest(as, app, oauth.None(), ...rest)
        return oauth.processAuthorizationCodeResponse(as, app, response)
      }),
    refresh: ({ refresh_token = '' }, used) =>
      withNonce(async () => {
        const rest = [refresh_token, options(used)] as const
        const response = await oauth.refreshTokenGrantRequest(as, app, oauth.None(), ...rest)
        return oauth.processRefreshTokenResponse(as, app, response)
      }),
    call: ({ access_token }, used) =>
      withNonce(async () => {
        const rest = [undefined, undefined, options(used)] as const
        return (await oauth.protectedResourceRequest(access_token, 'GET', api, ...rest)).status
      }),
  }
}

/** The callback of a user who is already signed in. */
async function authorize(context: BrowserContext, persona: string, request: URL): Promise<URL> {
  await signInWithoutPages(context, persona)
  const response = await context.request.get(request.href, { maxRedirects: 0 })
  return new URL(response.headers()['location'] ?? '')
}

const APPS = [
  ['openid-client', openidClientApp as () => Promise<App<unknown>>],
  ['oauth4webapi', oauth4webapiApp as () => Promise<App<unknown>>],
] as const

describeInBrowser('an app with a key that is built on', () => {
  it.for(APPS)(
    '%s: gets, refreshes and uses tokens, which are of no use without the key',
    async ([, newApp], { context, persona }) => {
      const { request, redeem, refresh, call, key, otherKey } = await newApp()

      const first = await redeem(await authorize(context, persona, request), key)
      const tokens = await refresh(first, key)
      expect([first.token_type, tokens.token_type]).toEqual(['dpop', 'dpop'])
      expect([await call(tokens, key), await call(tokens, key)]).toEqual([200, 200])

      await expect(call(tokens)).rejects.toMatchObject({ status: 401 })
      await expect(call(tokens, otherKey)).rejects.toMatchObject({ status: 401 })
      await expect(refresh(tokens)).rejects.toMatchObject({ error: 'invalid_dpop_proof' })
      await expect(refresh(tokens, otherKey)).rejects.toMatchObject({ error: 'invalid_grant' })
      expect((await refresh(tokens, key)).token_type).toBe('dpop')
    },
  )

  it.for(APPS)(
    '%s: gets a code that is of no use without the key',
    async ([, newApp], { context, persona }) => {
      const { request, redeem, otherKey } = await newApp()
      const callback = await authorize(context, persona, request)

      await expect(redeem(callback)).rejects.toMatchObject({ error: 'invalid_dpop_proof' })
      await expect(redeem(callback, otherKey)).rejects.toMatchObject({ error: 'invalid_grant' })
    },
  )
})
