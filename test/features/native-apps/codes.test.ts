import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { Browser, LOGIN, serviceWith, standIn, TOKEN_PATH } from '../../browser.ts'
import { signedIn } from '../../core/oidc/relying-app.ts'
import { inputValues } from '../../html.ts'
import { createPlatformUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'
import { registeredClients } from '../../registered-clients.ts'
import { callSdk, OWN_APP, PROVIDER_CODE, SDK_REDIRECT_URI } from './native-app.ts'

const settings = {
  AUTH_TIKTOK_APP_REDIRECT_URI: SDK_REDIRECT_URI,
  CLIENTS: [...registeredClients, OWN_APP],
}
const service = serviceWith(settings)

let handle: string

beforeEach(async () => {
  handle = await createPlatformUser({ displayName: 'Noah Brandt' })
})

interface TokenResponse {
  access_token?: string
  id_token?: string
  refresh_token?: string
  error?: string
  error_description?: string
}

async function exchange(
  form: Record<string, string>,
  deployment = service,
): Promise<TokenResponse> {
  const body = new URLSearchParams({
    grant_type: PROVIDER_CODE,
    client_id: OWN_APP.client_id,
    provider: 'tiktok',
    scope: 'openid profile offline_access',
    ...form,
  })
  const request = new Request(`${LOGIN}/oidc/token`, { method: 'POST', body })
  return (await deployment(request)).json()
}

async function newCode(changes: Record<string, string> = {}) {
  const { code, code_verifier } = await callSdk(handle, changes)
  return { code, code_verifier }
}

describe('a code that TikTok’s SDK returned to an app', () => {
  it('becomes access, ID and refresh tokens of the same user as in the browser', async () => {
    const tokens = await exchange(await newCode())

    expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'openid profile offline_access' })
    expect(tokens.refresh_token).toMatch(/^rt_/)
    const claims = decodeJwt(tokens.id_token ?? '')
    expect(claims).toMatchObject({ aud: 'shop-app', name: 'Noah Brandt' })
    const browser = await signedIn(handle)
    expect((await browser.session())?.user.id).toBe(claims.sub)
  })

  it('[L14] starts a session that the user sees and ends on the account page', async () => {
    const { refresh_token = '' } = await exchange(await newCode())
    const browser = new Browser(service)
    await browser.signIn(handle, { prompt: 'login' })

    const page = await (await browser.get('/account')).text()
    const [sid = ''] = inputValues(page, 'sid')
    const ended = await browser.post('/account/sessions', { sid })

    expect(page).toContain('<strong>The shop</strong>')
    expect(redirectUrl(ended, 303).pathname).toBe('/account')
    expect(await exchange({ grant_type: 'refresh_token', refresh_token })).toMatchObject({
      error: 'invalid_grant',
    })
    expect(await (await browser.get('/account')).text()).not.toContain('<strong>The shop</strong>')
  })

  it('[V5] needs the verifier of the SDK', async () => {
    const { code } = await newCode()

    for (const code_verifier of ['', 'short', `${'a'.repeat(43)} `, 'a'.repeat(129)]) {
      expect(await exchange({ code, code_verifier })).toMatchObject({ error: 'invalid_request' })
    }
    expect(await exchange({ code, code_verifier: 'a'.repeat(43) })).toMatchObject({
      error: 'invalid_grant',
    })
  })

  it.each([
    ['no code', { code: '' }, 'invalid_request'],
    ['an invented code', { code: 'made-up' }, 'invalid_grant'],
    ['a code that is too long', { code: 'x'.repeat(5000) }, 'invalid_request'],
    ['an unknown provider', { provider: 'nobody' }, 'invalid_request'],
    ['a provider without such an SDK', { provider: 'github' }, 'invalid_request'],
  ])('is rejected with %s', async (_, changes, error) => {
    expect(await exchange({ ...(await newCode()), ...changes })).toMatchObject({ error })
  })

  it('is rejected if the browser’s sign-in has requested it, with another redirect URI', async () => {
    const code = await newCode({
      redirect_uri: 'https://login.example/api/auth/callback/tiktok',
    })

    expect(await exchange(code)).toMatchObject({ error: 'invalid_grant' })
  })

  it('is rejected without the setting, or for a client that is not registered for it', async () => {
    const code = await newCode()
    const without = serviceWith({ ...settings, AUTH_TIKTOK_APP_REDIRECT_URI: undefined })
    const grant_types = ['authorization_code', 'refresh_token']
    const other = serviceWith({ ...settings, CLIENTS: [{ ...OWN_APP, grant_types }] })

    expect(await exchange(code, without)).toMatchObject({ error: 'invalid_request' })
    expect(await exchange(code, other)).toMatchObject({ error: 'unauthorized_client' })
    expect((await exchange(code)).access_token).toBeTruthy()
  })

  it.each([
    [
      'the exchange fails',
      TOKEN_PATH,
      { status: 502, body: '<h1>Bad gateway</h1>' },
      'temporarily_unavailable',
    ],
    ['the response is truncated', TOKEN_PATH, { body: '{"access_token":' }, 'invalid_grant'],
  ])('is rejected if %s', async (_, path, fault, error) => {
    const code = await newCode()
    await standIn.fault({ path, ...fault })

    const response = await exchange(code)

    expect(response).toMatchObject({ error })
  })

  it('ends in interaction_required if the app needs scopes that were not granted', async () => {
    const CLIENTS = [{ ...OWN_APP, upstream_scope: ['user.info.stats'] }]

    expect(await exchange(await newCode(), serviceWith({ ...settings, CLIENTS }))).toMatchObject({
      error: 'interaction_required',
    })
  })

  it('is not recorded as a failed sign-in if it was invented', async () => {
    const { error_description } = await exchange({
      code: crypto.randomUUID(),
      code_verifier: 'a'.repeat(43),
    })

    expect(error_description).toBe('The sign-in failed: code_expired.')
    const query = "SELECT 1 FROM audit WHERE client = 'shop-app' AND outcome <> 'ok'"
    expect((await env.DIRECTORY.prepare(query).all()).results).toEqual([])
  })
})

describe('the SDK of the stand-in', () => {
  it.each([
    ['an unknown bundle id', { bundle_id: 'com.evil.shop' }, 'bundle_id'],
    ['no bundle id', { bundle_id: '' }, 'bundle_id'],
    ['another redirect URI', { redirect_uri: 'https://evil.example/' }, 'redirect_uri'],
    ['no challenge', { code_challenge: '' }, 'code_challenge'],
    ['an unapproved scope', { scope: 'video.upload' }, 'scope'],
    ['an unknown app', { client_key: 'aw' }, 'client_key'],
  ])('returns no code with %s', async (_, changes, type) => {
    const { answer } = await callSdk(handle, changes)

    expect(answer.pathname).toBe('/v2/auth/error')
    expect(answer.searchParams.get('error_type')).toBe(type)
  })

  it('tells the app that the user has cancelled, or may not sign in', async () => {
    const { answer } = await callSdk(handle, { __grant: 'deny' })

    expect(answer.origin + answer.pathname).toBe(SDK_REDIRECT_URI)
    expect(answer.searchParams.get('error')).toBe('access_denied')
  })
})
