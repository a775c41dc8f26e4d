import { beforeEach, describe, expect, it } from 'vitest'
import { createVideoPlatform } from '../../../src/libraries/testing/video-platform/app.ts'
import {
  authorizeUrl,
  BASE64URL_CHALLENGE,
  BASIC,
  control,
  fetchLocation,
  LOOPBACK,
  LOOPBACK_CALLBACK,
  logIn,
  type Parameters,
  PRODUCTION,
  PROFILE,
  STATS,
  type StandIn,
  WEB_CALLBACK,
} from './client.ts'

const DRAFT = 'awstandin00000002'

describe('GET /v2/auth/authorize/', () => {
  let standIn: StandIn
  beforeEach(() => {
    standIn = createVideoPlatform()
  })

  it.each<[string, Parameters, Record<string, string>]>([
    [
      '[V4] client_id in place of client_key',
      { client_key: undefined, client_id: 'sbawstandin0000001' },
      { error: 'param_error', error_type: 'client_key', errCode: '10003' },
    ],
    [
      'a response type other than code',
      { response_type: 'token' },
      { error: 'unsupported_response_type', error_type: 'response_type' },
    ],
    ['an unknown key', { client_key: 'aw0' }, { error: 'unauthorized_client' }],
    ['[V16] a draft app', { client_key: DRAFT }, { error: 'unauthorized_client' }],
    ['no redirect URI', { redirect_uri: undefined }, { error_type: 'redirect_uri' }],
    [
      '[V10] an additional trailing slash',
      { redirect_uri: `${WEB_CALLBACK}/` },
      { error_type: 'redirect_uri' },
    ],
    [
      'a redirect URI with a query',
      { redirect_uri: `${WEB_CALLBACK}?a=1` },
      { error_type: 'redirect_uri' },
    ],
    [
      'a redirect URI of the sandbox with the production app',
      { ...LOOPBACK, client_key: PRODUCTION.client_key },
      { error: 'invalid_request', error_type: 'redirect_uri' },
    ],
    [
      'a port that is not a number',
      { ...LOOPBACK, redirect_uri: 'http://localhost:x@evil.example:1/api/auth/callback/tiktok' },
      { error_type: 'redirect_uri' },
    ],
    ['no scope', { scope: '' }, { error: 'invalid_scope', error_type: 'scope' }],
    [
      '[V5] scopes separated by a space',
      { scope: `${BASIC} ${PROFILE}` },
      { error: 'invalid_scope' },
    ],
    [
      'a scope that is not approved',
      { client_key: PRODUCTION.client_key, scope: `${BASIC},${STATS}` },
      { error: 'invalid_scope' },
    ],
    [
      '[V3] a loopback redirect URI without a challenge',
      { redirect_uri: LOOPBACK_CALLBACK },
      { error: 'param_error', error_type: 'code_challenge', errCode: '10007' },
    ],
    [
      'the challenge method plain',
      { ...LOOPBACK, code_challenge_method: 'plain' },
      { error: 'param_error', error_type: 'code_challenge_method', errCode: '10008' },
    ],
    [
      '[V16] a persona who is not a target user',
      { __as: 'tova', __grant: BASIC },
      { error: 'access_denied', error_type: 'non_sandbox_target' },
    ],
  ])('redirects to its own error page instead of the app: %s', async (_name, changes, details) => {
    const location = await fetchLocation(standIn, authorizeUrl({ __as: 'mia', ...changes }))
    const page = await standIn.request(location.href)

    expect(location.origin + location.pathname).toBe('https://www.tiktok.com/v2/auth/error')
    expect(Object.fromEntries(location.searchParams)).toMatchObject(details)
    expect(location.searchParams.get('logid')).toMatch(/^\d{14}[0-9A-F]{20}$/)
    expect(page.status).toBe(200)
    const html = await page.text()
    for (const value of location.searchParams.values()) expect(html).toContain(value)
  })

  it('reports the first error only, in the order of the platform', async () => {
    const invalid = { response_type: 'x', redirect_uri: 'x', scope: 'x' }
    const errorTypes = []
    for (const changes of [
      { client_key: undefined },
      { client_key: 'x' },
      { client_key: 'x', response_type: 'code' },
      { response_type: 'code' },
      { response_type: 'code', redirect_uri: LOOPBACK_CALLBACK },
      { response_type: 'code', redirect_uri: LOOPBACK_CALLBACK, scope: BASIC },
    ]) {
      const location = await fetchLocation(standIn, authorizeUrl({ ...invalid, ...changes }))
      errorTypes.push(location.searchParams.get('error_type'))
    }

    expect(errorTypes).toEqual([
      'client_key',
      'response_type',
      'client_key',
      'redirect_uri',
      'scope',
      'code_challenge',
    ])
  })

  it('rejects an app without Login Kit', async () => {
    await control(standIn, 'apps', {
      clientKey: 'awnokit',
      clientSecret: 'secret',
      kind: 'production',
      loginKit: false,
      redirectUris: [{ platform: 'web', uri: WEB_CALLBACK }],
    })

    const location = await logIn(standIn, { client_key: 'awnokit' })
    expect(location.searchParams.get('error')).toBe('unauthorized_client')
  })

  it('[V1] redirects to the app with code, scopes and state', async () => {
    const location = await logIn(standIn, { scope: `${BASIC},${PROFILE}` })

    expect(location.origin + location.pathname).toBe(WEB_CALLBACK)
    expect([...location.searchParams.keys()]).toEqual(['code', 'scopes', 'state'])
    expect(location.searchParams.get('scopes')).toBe(`${BASIC},${PROFILE}`)
    expect(location.searchParams.get('state')).toBe('a-state')
  })

  it('accepts requests without the trailing slash', async () => {
    const url = authorizeUrl({ __as: 'mia', __grant: BASIC }).replace('/?', '?')

    expect((await fetchLocation(standIn, url)).searchParams.has('code')).toBe(true)
  })

  it('[V9] percent-encodes the asterisk and the exclamation mark of a code', async () => {
    const response = await standIn.request(authorizeUrl({ __as: 'mia', __grant: BASIC }))
    const location = response.headers.get('Location') ?? ''

    expect(location).toMatch(/\?code=[\w-]{220}%2A1%21\d{4}\.va&/)
  })

  it.each([BASIC, 'deny'])(
    '[V23] returns no state if none was sent, whatever the decision: %s',
    async (__grant) => {
      const location = await logIn(standIn, { state: undefined, __grant })

      expect(location.origin + location.pathname).toBe(WEB_CALLBACK)
      expect(location.searchParams.has('state')).toBe(false)
    },
  )

  it('[V23] returns the state unchanged, whatever characters it contains', async () => {
    const state = 'a b&c=d%20+é'
    const location = await logIn(standIn, { state })

    expect(location.searchParams.get('state')).toBe(state)
  })

  it('[V2] does not check the format of a challenge', async () => {
    const location = await logIn(standIn, { ...LOOPBACK, code_challenge: BASE64URL_CHALLENGE })

    expect(location.searchParams.has('code')).toBe(true)
  })

  it.each(['http://localhost:8787', 'http://localhost:3', 'http://127.0.0.1:65535'])(
    'accepts any port for a desktop redirect URI with a wildcard: %s',
    async (origin) => {
      const redirect_uri = `${origin}/api/auth/callback/tiktok`
      const location = await logIn(standIn, { ...LOOPBACK, redirect_uri })

      expect(location.origin).toBe(origin)
    },
  )

  it('[V11] grants the selected scopes, and always the basic scope', async () => {
    const location = await logIn(standIn, { scope: `${BASIC},${PROFILE},${STATS}`, __grant: STATS })

    expect(location.searchParams.get('scopes')).toBe(`${BASIC},${STATS}`)
  })

  it('does not grant a scope that was not requested', async () => {
    const location = await logIn(standIn, { scope: BASIC, __grant: `${BASIC},${STATS}` })

    expect(location.searchParams.get('scopes')).toBe(BASIC)
  })

  it('[V16] returns access_denied with the state when the user cancels', async () => {
    const location = await logIn(standIn, { __grant: 'deny' })

    expect(location.origin + location.pathname).toBe(WEB_CALLBACK)
    expect(Object.fromEntries(location.searchParams)).toEqual({
      error: 'access_denied',
      error_description: 'The user denied the authorization request.',
      state: 'a-state',
    })
  })

  it.each(['bruno', 'kim'])(
    '[V16] returns access_denied because %s is not eligible',
    async (__as) => {
      const location = await logIn(standIn, { __as })

      expect(location.origin + location.pathname).toBe(WEB_CALLBACK)
      expect(location.searchParams.get('error')).toBe('access_denied')
      expect(location.searchParams.get('error_description')).toContain('not eligible')
      expect(location.searchParams.get('state')).toBe('a-state')
    },
  )

  it('[V16] returns the error for a non-target user to the app if nonTargetAt is callback', async () => {
    await control(standIn, 'switches', { nonTargetAt: 'callback' })
    const location = await logIn(standIn, { __as: 'tova' })

    expect(location.origin + location.pathname).toBe(WEB_CALLBACK)
    expect(location.searchParams.get('error_type')).toBe('non_sandbox_target')
  })

  it('lets every user log in to a live production app', async () => {
    const location = await logIn(standIn, { ...PRODUCTION, __as: 'tova' })

    expect(location.searchParams.has('code')).toBe(true)
  })

  it('rejects a challenge with a web redirect URI if webPkce is reject-unknown', async () => {
    await control(standIn, 'switches', { webPkce: 'reject-unknown' })
    const { code_challenge, code_challenge_method } = LOOPBACK
    const location = await logIn(standIn, { code_challenge, code_challenge_method })

    expect(location.searchParams.get('error_type')).toBe('code_challenge')
  })
})

describe('[V15] an earlier grant', () => {
  it('skips the consent page if it covers the requested scopes', async () => {
    const standIn = createVideoPlatform()
    await logIn(standIn, { scope: `${BASIC},${PROFILE}` })
    const location = await fetchLocation(standIn, authorizeUrl({ __as: 'mia', scope: PROFILE }))

    expect(location.searchParams.has('code')).toBe(true)
    expect(location.searchParams.get('scopes')).toBe(PROFILE)
  })

  it.each<[string, Parameters]>([
    ['with disable_auto_auth=1', { disable_auto_auth: '1' }],
    ['for a scope it does not cover', { scope: `${BASIC},${STATS}` }],
    ['for another user', { __as: 'noah' }],
    ['for another app', { client_key: PRODUCTION.client_key }],
  ])('does not skip the consent page %s', async (_name, changes) => {
    const standIn = createVideoPlatform()
    await logIn(standIn, { scope: BASIC })
    const page = await standIn.request(authorizeUrl({ __as: 'mia', ...changes }))

    expect(page.status).toBe(200)
    expect(await page.text()).toContain('data-testid="allow"')
  })
})
