import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { clientStore } from '../../src/registrations/client-store.ts'
import { Browser, issuedSecrets } from '../browser.ts'
import { advanceClock, stopClock } from '../clock.ts'
import { readConfig } from '../deployment.ts'
import { errorCode } from '../html.ts'
import { signInNewUser } from '../new-user.ts'
import { basic, bearer, formRequest, signedInAsNewUser } from '../oidc/relying-app.ts'
import { approveConsent, consentForm, shownConsent } from '../oidc/user-steps.ts'
import { exchangeToken } from '../provider-tokens/platform-tokens.ts'
import { redirectUrl } from '../redirect.ts'
import {
  config,
  newId,
  newIsolate,
  ORIGIN,
  redirectUri,
  registerIntrospector,
} from './stored-clients.ts'

type Headers = ReturnType<typeof basic>

function registrationOf(clientId: string) {
  return {
    client_id: clientId,
    redirect_uris: [redirectUri(clientId)],
    token_endpoint_auth_method: 'none',
  }
}

async function register(clientId: string): Promise<void> {
  await clientStore.create(env, config, { registration: registrationOf(clientId), origin: ORIGIN })
}

/** Deletes the client, and registers another one with the same id a minute later. */
async function registerAgain(clientId: string): Promise<void> {
  await clientStore.delete(env, config, { id: clientId, origin: ORIGIN })
  advanceClock(60)
  await register(clientId)
}

/** A new client with a signed-in user. Every request reaches an isolate that has cached nothing. */
async function registerWithUser() {
  stopClock()
  const clientId = newId()
  await register(clientId)
  const session = await signedInAsNewUser()
  const browser = () => new Browser(newIsolate().service).withCookiesOf(session)
  const verifier = 'v'.repeat(43)
  const authorize = (using = browser()) =>
    using.get(
      `/oidc/authorize?${new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri(clientId),
        response_type: 'code',
        scope: 'openid profile offline_access',
        // The S256 challenge of the verifier.
        code_challenge: '7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM',
        code_challenge_method: 'S256',
      })}`,
    )
  const requestTokens = async (form: Record<string, string>) =>
    newIsolate().service(formRequest('/oidc/token', { client_id: clientId, ...form }))
  const redeem = (response: Response) =>
    requestTokens({
      grant_type: 'authorization_code',
      redirect_uri: redirectUri(clientId),
      code: new URL(response.headers.get('Location') ?? '').searchParams.get('code') ?? '',
      code_verifier: verifier,
    })
  const refresh = (token: string) =>
    requestTokens({ grant_type: 'refresh_token', refresh_token: token })
  const userinfo = async (token: string) =>
    newIsolate().service(
      new Request('https://login.example/oidc/userinfo', { headers: bearer(token) }),
    )
  const approve = async () => {
    const using = browser()
    return approveConsent(using, await authorize(using))
  }
  return { clientId, browser, authorize, approve, redeem, refresh, userinfo }
}

interface Tokens {
  access_token: string
  refresh_token: string
}

describe('a client that is registered with the id of a deleted one', () => {
  it('does not have the consent that a user gave to the deleted one', async () => {
    const { clientId, authorize, approve } = await registerWithUser()
    await approve()
    expect((await authorize()).status).toBe(303)

    await registerAgain(clientId)

    await shownConsent(await authorize())
    await approve()
    expect((await authorize()).status).toBe(303)
  })

  it('[A25] does not get the consent of a page that has shown the deleted one', async () => {
    const { clientId, authorize, browser } = await registerWithUser()
    const form = await consentForm(await authorize())

    await registerAgain(clientId)
    const headers = { 'Sec-Fetch-Site': 'same-origin' }
    const response = await browser().fetch('/oidc/consent', { form, headers })

    expect(await errorCode(response)).toBe('attempt_missing')
    await shownConsent(await authorize())
  })

  it('cannot redeem a code of the deleted one', async () => {
    const { clientId, approve, redeem } = await registerWithUser()
    const response = await approve()
    await clientStore.delete(env, config, { id: clientId, origin: ORIGIN })
    advanceClock(5)
    await register(clientId)

    expect((await redeem(response)).status).toBe(400)
  })

  it('cannot use tokens of the deleted one', async () => {
    const { clientId, approve, redeem, refresh, userinfo } = await registerWithUser()
    const tokens = await (await redeem(await approve())).json<Tokens>()
    const { refresh_token, access_token } = await (
      await refresh(tokens.refresh_token)
    ).json<Tokens>()
    expect((await userinfo(access_token)).status).toBe(200)

    await registerAgain(clientId)

    expect((await refresh(refresh_token)).status).toBe(400)
    expect((await userinfo(access_token)).status).toBe(401)
  })
})

describe('a confidential client that is registered with the id of a deleted one', () => {
  it('[C23] cannot introspect or exchange a token of the deleted one, nor can an API introspect it', async () => {
    stopClock()
    const clientId = newId()
    const api = `https://${newId('api')}.example`
    const asApi = await registerIntrospector(api)
    const registration = {
      client_id: clientId,
      redirect_uris: [redirectUri(clientId)],
      first_party: true,
      require_pkce: false,
      resources: [api],
      upstream_tokens: ['tiktok'],
    }
    const create = async () => {
      const { secret = '' } = await clientStore.create(env, config, {
        registration,
        origin: ORIGIN,
      })
      issuedSecrets.add(secret)
      return basic(clientId, secret)
    }
    const former = await create()
    const { browser } = await signInNewUser(new Browser(newIsolate().service))
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri(clientId),
      response_type: 'code',
      scope: 'openid',
      nonce: 'n',
    })
    const granted = redirectUrl(await browser.get(`/oidc/authorize?${query}`))
    const post = async (path: string, form: Record<string, string>, headers: Headers) => {
      const response = await newIsolate().service(formRequest(path, form, headers))
      return response.json<Record<string, unknown>>()
    }
    const { access_token } = await post(
      '/oidc/token',
      {
        grant_type: 'authorization_code',
        redirect_uri: redirectUri(clientId),
        code: granted.searchParams.get('code') ?? '',
      },
      former,
    )
    const token = String(access_token)
    const introspect = (headers: Headers) => post('/oidc/introspect', { token }, headers)
    const exchange = async (headers: Headers) =>
      exchangeToken(new Browser(newIsolate().service), token, {}, headers)
    expect(await introspect(former)).toMatchObject({ active: true })
    expect(await introspect(asApi)).toMatchObject({ active: true })
    expect(await exchange(former)).toMatchObject({ status: 200 })

    await clientStore.delete(env, config, { id: clientId, origin: ORIGIN })
    advanceClock(1)
    const current = await create()

    expect(await introspect(current)).toEqual({ active: false })
    expect(await introspect(asApi)).toEqual({ active: false })
    expect(await exchange(current)).toMatchObject({ status: 400, error: 'invalid_grant' })
  })
})

describe('a client that is moved from the settings to the database', () => {
  it('keeps the consents and grants of its users', async () => {
    const { clientId, authorize, approve, redeem, refresh } = await registerWithUser()
    const { refresh_token } = await (await redeem(await approve())).json<Tokens>()
    await clientStore.delete(env, config, { id: clientId, origin: ORIGIN })
    advanceClock(60)
    // Consents and grants do not depend on where the client was registered when they were given.
    const registration = registrationOf(clientId)
    const settings = { ...env, CLIENTS: [registration] } as unknown as Env

    await clientStore.create(env, readConfig(settings), { registration, origin: ORIGIN })

    expect((await authorize()).status).toBe(303)
    expect((await refresh(refresh_token)).status).toBe(200)
  })
})
