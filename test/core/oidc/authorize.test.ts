import { exports } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { Browser, LOGIN, serviceWith, WITH_GITHUB } from '../../browser.ts'
import { redirectUrl } from '../../redirect.ts'
import { clientsWith } from '../../registered-clients.ts'
import { authorizationResponse } from './authorization-response.ts'
import { type ParameterChanges, RelyingApp, signedIn } from './relying-app.ts'
import { unsignedJwt } from './unsigned-jwt.ts'
import { signInOnPage } from './user-steps.ts'

/** A signed request with many parameters; only its size matters. */
const LONG_REQUEST_OBJECT = unsignedJwt({ client_id: 'post', extra: 'x'.repeat(5000) })

describe.each(['query', 'fragment', 'form_post'])(
  'GET /oidc/authorize?response_mode=%s',
  (response_mode) => {
    it('[A7][A32] returns code, state and iss, and only to the redirect URI', async () => {
      const app = new RelyingApp()

      const response = await (await signedIn()).get(await app.authorizationUrl({ response_mode }))

      const target = response.headers.get('Location') ?? (await response.clone().text())
      expect(response.status).toBe(response_mode === 'form_post' ? 200 : 303)
      expect(target).toContain(app.redirectUri)
      expect(response.headers.get('Cache-Control')).toBe('no-store')
      expect(response.headers.get('Referrer-Policy')).toBe('no-referrer')
      if (response_mode !== 'form_post')
        expect(new URL(target)[response_mode === 'query' ? 'hash' : 'search']).toBe('')
      const parameters = await authorizationResponse(response)
      expect([...parameters.keys()].sort()).toEqual(['code', 'iss', 'state'])
      const tokens = await app.exchange(new URL(`${app.redirectUri}?${parameters}`))
      expect(tokens.claims()?.iss).toBe(LOGIN)
    })

    it.each<[string, ParameterChanges]>([
      ['[A30] unknown acr_values', { acr_values: '1 2' }],
      ['[F3] resource', { resource: 'https://stock.example' }],
      ['[A14] an unknown prompt', { prompt: 'create' }],
      ['[A13] an unknown scope', { scope: 'openid address phone x:y' }],
      [
        '[A10] empty parameters',
        {
          prompt: '',
          max_age: '',
          claims: '',
          request: '',
          response_type: 'code',
          client_id: 'web',
        },
      ],
    ])('%s: succeeds', async (_, changes) => {
      const app = new RelyingApp()
      const url = await app.authorizationUrl({ response_mode, ...changes })

      const parameters = await authorizationResponse(await (await signedIn()).get(url))

      const claims = (await app.exchange(new URL(`${app.redirectUri}?${parameters}`))).claims()
      expect(claims).toMatchObject({ acr: 'federated', auth_time: expect.any(Number) })
      expect(claims?.['name']).toBe(changes['scope'] ? undefined : 'Mia Lindqvist')
    })

    it.each<[string, string, ParameterChanges]>([
      ['no response_type', 'invalid_request', { response_type: undefined }],
      ['[A10] an empty response_type', 'invalid_request', { response_type: '' }],
      ['[A11] response_type=token', 'unsupported_response_type', { response_type: 'token' }],
      ['[A11] response_type=id_token', 'unsupported_response_type', { response_type: 'id_token' }],
      ['[A11] the hybrid flow', 'unsupported_response_type', { response_type: 'code id_token' }],
      ['[A11] response_type=none', 'unsupported_response_type', { response_type: 'none' }],
      ['[A14] prompt=none with login', 'invalid_request', { prompt: 'none login' }],
      ['[A14] prompt=none with an unknown value', 'invalid_request', { prompt: 'x none' }],
      ['[A15] prompt=none without a session', 'login_required', { prompt: 'none' }],
      ['[A18] max_age=-1', 'invalid_request', { max_age: '-1' }],
      ['[A18] max_age=NaN', 'invalid_request', { max_age: 'NaN' }],
      ['[A18] max_age=1.5', 'invalid_request', { max_age: '1.5' }],
      ['[A18] max_age=1e3', 'invalid_request', { max_age: '1e3' }],
      ['[A20] a request object', 'request_not_supported', { request: 'e30.e30.' }],
      ['[A20] a long request object', 'request_not_supported', { request: LONG_REQUEST_OBJECT }],
      ['[A20] a request that is not a JWT', 'request_not_supported', { request: 'x'.repeat(9000) }],
      ['[A20] request_uri', 'request_uri_not_supported', { request_uri: 'https://post.example/r' }],
      [
        '[A20] a long request_uri',
        'request_uri_not_supported',
        { request_uri: `https://post.example/${'r'.repeat(2000)}` },
      ],
      ['[A31] claims that are not JSON', 'invalid_request', { claims: '{' }],
      ['[A31] claims that are an array', 'invalid_request', { claims: '[]' }],
      ['[A31] claims that are a string', 'invalid_request', { claims: '"name"' }],
      ['[A31] claims that are null', 'invalid_request', { claims: 'null' }],
      ['[A31] claims whose parts are texts', 'invalid_request', { claims: '{"id_token":"acr"}' }],
      [
        '[A31] a sub that is a number',
        'invalid_request',
        { claims: '{"id_token":{"sub":{"value":1}}}' },
      ],
      [
        '[A31] a list of sub',
        'invalid_request',
        { claims: '{"id_token":{"sub":{"values":["x"]}}}' },
      ],
      ['[A31] deeply nested claims', 'invalid_request', { claims: '{"a":'.repeat(900) }],
      [
        '[F3] a resource not registered for the client',
        'invalid_target',
        { resource: 'https://orders.example' },
      ],
      ['[A23] a nonce that is too long', 'invalid_request', { nonce: 'n'.repeat(513) }],
      [
        '[A23] a scope that is too long',
        'invalid_request',
        { scope: `openid ${'s'.repeat(1024)}` },
      ],
    ])('[A6][A7] %s: returns %s', async (_, error, changes) => {
      const app = new RelyingApp('post')
      const url = await app.authorizationUrl({ response_mode, state: 's'.repeat(128), ...changes })

      const response = await new Browser().get(url)

      expect(response.headers.get('Cache-Control')).toBe('no-store')
      const { error_description, ...parameters } = Object.fromEntries(
        await authorizationResponse(response),
      )
      expect(parameters).toEqual({ error, state: 's'.repeat(128), iss: LOGIN })
      // RFC 6749 §4.1.2.1
      expect(error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
    })

    it.each([
      ['an API', 'https://orders.example', 'The client may not use https://orders.example: add '],
      ['ours', `${LOGIN}/admin/api`, `${LOGIN}/admin/api accepts tokens of users from `],
      ['no URL', 'https://"\\\u202e\n.example', 'The client may not use https://????.example: '],
      ['a long one', `https://${'x'.repeat(999)}`, `may not use https://${'x'.repeat(192)}: add `],
    ])(
      '[F3] names the resource that the client may not use, and the remedy: %s',
      async (_, resource, text) => {
        const url = await new RelyingApp('post').authorizationUrl({ response_mode, resource })

        const parameters = await authorizationResponse(await new Browser().get(url))

        const description = parameters.get('error_description') ?? ''
        expect(parameters.get('error')).toBe('invalid_target')
        expect(description).toContain(text)
        expect(description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
      },
    )

    it('[A20] uses response_mode and state of an unsupported request object for the error (OpenID Connect Core §6.1)', async () => {
      const app = new RelyingApp('post')
      const inside = { response_mode, state: 'inside', redirect_uri: 'https://evil.example/' }
      const outside = { response_mode: undefined, state: undefined }

      for (const state of [undefined, 'outside']) {
        const request = unsignedJwt({ ...inside, client_id: 'kiosk' })
        const url = await app.authorizationUrl({ ...outside, state, request })
        const response = await new Browser().get(url)

        expect(response.status).toBe(response_mode === 'form_post' ? 200 : 303)
        const target = response.headers.get('Location') ?? (await response.clone().text())
        expect(target).toContain(app.redirectUri)
        expect(target).not.toContain('evil.example')
        expect(Object.fromEntries(await authorizationResponse(response))).toMatchObject({
          error: 'request_not_supported',
          state: 'inside',
        })
      }
    })

    it.each([
      ['has neither', {}],
      ['has values of other types', { response_mode: 1, state: { a: 1 } }],
      ['has empty values', { response_mode: '', state: '' }],
    ])(
      '[A20] keeps response_mode and state of the query if a request object %s',
      async (_, inside) => {
        const app = new RelyingApp('post')
        const url = await app.authorizationUrl({ response_mode, request: unsignedJwt(inside) })

        const response = await new Browser().get(url)

        expect(response.status).toBe(response_mode === 'form_post' ? 200 : 303)
        expect((await authorizationResponse(response)).get('state')).toBe(app.state)
      },
    )

    it('[A6] returns no state when none or an empty one was sent', async () => {
      for (const state of [undefined, '']) {
        const url = await new RelyingApp().authorizationUrl({
          response_mode,
          state,
          prompt: 'none',
        })

        const parameters = await authorizationResponse(await new Browser().get(url))

        expect(parameters.has('state')).toBe(false)
      }
    })

    it('[A24] returns every state unchanged, and never as markup', async () => {
      const browser = new Browser()
      const app = new RelyingApp()
      const ascii = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 128 })
      const unicode = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 64 })
      const special = [
        '+',
        '%2B',
        'a b',
        '&code=x',
        '#',
        '"><script>alert(1)</script>',
        "'",
        '&quot;',
        'ü☃𝒳',
      ]

      await fc.assert(
        fc.asyncProperty(fc.oneof(ascii, unicode, fc.constantFrom(...special)), async (state) => {
          const url = await app.authorizationUrl({ response_mode, state, prompt: 'none' })
          const response = await browser.get(url)

          expect(await response.clone().text()).not.toContain('<script>')
          expect((await authorizationResponse(response)).get('state')).toBe(state)
        }),
        { numRuns: 200 },
      )
    })
  },
)

describe('GET /oidc/authorize', () => {
  it('[A12] rejects other response modes', async () => {
    for (const response_mode of ['web_message', 'jwt', 'query.jwt', 'QUERY', 'toString']) {
      const url = await new RelyingApp().authorizationUrl({ response_mode })

      const parameters = await authorizationResponse(await new Browser().get(url))

      expect(parameters.get('error')).toBe('invalid_request')
    }
  })

  it('[M2] does not restrict where the app redirects to after a form_post response', async () => {
    const url = await new RelyingApp().authorizationUrl({ response_mode: 'form_post' })

    const policy = (await (await signedIn()).get(url)).headers.get('Content-Security-Policy')

    expect(policy).not.toContain('form-action')
    expect(policy).toContain("default-src 'none'")
  })

  it('[A13] issues no ID token without openid, and grants only supported scopes', async () => {
    const app = new RelyingApp()
    const callback = await app.callbackFor(await signedIn(), {
      nonce: undefined,
      scope: 'profile x:y',
    })

    const response = await app.requestTokens(app.codeExchangeForm(callback))

    const tokens = await response.json()
    expect(tokens).toMatchObject({ scope: 'profile', access_token: expect.any(String) })
    expect(tokens).not.toHaveProperty('id_token')
  })

  it('[A13] omits scopes that the client is not registered for, and returns the granted ones (RFC 6749 §3.3)', async () => {
    const app = new RelyingApp('post')
    const scope = 'openid profile email platform offline_access'

    const tokens = await app.tokens(await signedIn(), { scope })

    expect(tokens.scope).toBe('openid profile')
    expect(decodeJwt(tokens.access_token)['scope']).toBe('openid profile')
    expect(tokens).not.toHaveProperty('refresh_token')
  })

  it('[A13] does not grant an omitted scope later, when the client is registered for it', async () => {
    const browser = new Browser(serviceWith({ CLIENTS: clientsWith({ web: { scope: 'openid' } }) }))
    await browser.signIn('mia')
    const app = new RelyingApp()
    const callback = await app.callbackFor(browser, { scope: 'openid profile offline_access' })

    // The registered client has these scopes.
    const tokens = await app.exchange(callback)

    expect(tokens.scope).toBe('openid')
    expect(tokens).not.toHaveProperty('refresh_token')
  })

  it('[A9] ignores an unknown parameter of any length, also after a sign-in (RFC 6749 §3.1)', async () => {
    const browser = new Browser(serviceWith(WITH_GITHUB))
    const app = new RelyingApp()
    const url = await app.authorizationUrl({ extra: 'x'.repeat(8000) })

    const afterSignIn = await signInOnPage(browser, await browser.get(url))
    const signedIn = await browser.get(url)

    for (const response of [afterSignIn, signedIn])
      expect((await app.exchange(redirectUrl(response))).claims()?.aud).toBe('web')
  })

  it.each([
    'response_type',
    'scope',
    'state',
    'nonce',
    'code_challenge',
    'code_challenge_method',
    'prompt',
    'max_age',
    'claims',
    'response_mode',
    'id_token_hint',
  ])('[A8] rejects %s sent twice, with equal or different values', async (name) => {
    const browser = await signedIn()
    const url = new URL(await new RelyingApp().authorizationUrl({ response_mode: 'query' }))
    const value = url.searchParams.get(name) ?? ''
    for (const secondValue of [value, 'other']) {
      const repeated = new URL(url)
      if (!repeated.searchParams.has(name)) repeated.searchParams.append(name, value)
      repeated.searchParams.append(name, secondValue)

      const parameters = await authorizationResponse(await browser.get(repeated.href))

      expect([parameters.get('error'), parameters.get('code')]).toEqual(['invalid_request', null])
    }
  })

  it.each([undefined, ''])(
    '[A3] says on a page that the redirect_uri is missing: %j',
    async (redirect_uri) => {
      const url = await new RelyingApp().authorizationUrl({ redirect_uri })

      const response = await (await signedIn()).get(url)

      expect([response.status, response.headers.get('Location')]).toEqual([400, null])
      const page = await response.text()
      expect(page).toContain('<p>The parameter redirect_uri is missing, so')
      expect(page).toContain('<dd>redirect_uri_missing</dd>')
      expect(page).not.toContain('has not registered')
    },
  )

  it.each(['client_id', 'redirect_uri'])(
    '[A8] does not redirect when %s is sent twice',
    async (name) => {
      const url = new URL(await new RelyingApp().authorizationUrl())
      url.searchParams.append(name, url.searchParams.get(name) ?? '')

      const response = await (await signedIn()).get(url.href)

      expect([response.status, response.headers.get('Location')]).toEqual([400, null])
    },
  )

  it('[A23] accepts a nonce of 384 and a state of 2048 characters, and rejects longer requests', async () => {
    const browser = await signedIn()
    const app = new RelyingApp()
    const long = { nonce: 'n'.repeat(384), state: 's'.repeat(2048) }

    const tokens = await app.exchange(await app.callbackFor(browser, long), {
      expectedNonce: long.nonce,
      expectedState: long.state,
    })
    const longerState = await app.callbackFor(browser, { state: `${long.state}s` })
    const longerUrl = await browser.get(`/oidc/authorize?x=${'x'.repeat(17_000)}`)

    expect(tokens.claims()?.nonce).toBe(long.nonce)
    expect(longerState.searchParams.get('error')).toBe('invalid_request')
    expect([longerUrl.status, longerUrl.headers.get('Location')]).toEqual([414, null])
  })

  it('[A31] ignores all members of claims except userinfo and id_token, whatever they contain', async () => {
    const browser = await signedIn()

    await fc.assert(
      fc.asyncProperty(fc.object({ maxDepth: 3, maxKeys: 4 }), async (members) => {
        const claims = JSON.stringify({
          other: members,
          userinfo: Object.values(members)[0],
          id_token: members,
        })
        fc.pre(claims.length <= 1024)
        const callback = await new RelyingApp().callbackFor(browser, { claims })

        expect(callback.searchParams.has('code')).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  it('[A20] does not use the redirect_uri in a request object instead of an unregistered one', async () => {
    const app = new RelyingApp()
    const request = unsignedJwt({ redirect_uri: app.redirectUri })
    const url = await app.authorizationUrl({ redirect_uri: 'https://web.example/other', request })

    const response = await (await signedIn()).get(url)

    expect([response.status, response.headers.get('Location')]).toEqual([400, null])
    expect(await response.text()).toContain('redirect_uri_refused')
  })

  it.each(['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH'])(
    '[A33] rejects the method %s',
    async (method) => {
      const url = await new RelyingApp().authorizationUrl()

      const response = await (await signedIn()).fetch(url, { method })

      expect([response.status, response.headers.get('Location')]).toEqual([405, null])
    },
  )
})

describe('POST /oidc/authorize', () => {
  it('[A9] ignores an unknown parameter of any length', async () => {
    const browser = await signedIn()
    const app = new RelyingApp()
    const { searchParams } = new URL(await app.authorizationUrl())
    // Longer than a URL may be once it is encoded.
    const body = `${searchParams}&extra=${'"'.repeat(8000)}`
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }

    const posted = await exports.default.fetch(
      new Request(`${LOGIN}/oidc/authorize`, { method: 'POST', body, headers, redirect: 'manual' }),
    )
    const callback = redirectUrl(await browser.get(redirectUrl(posted, 303).href))

    expect(callback.searchParams.has('code')).toBe(true)
  })

  it('[A21][A22] accepts a form from another site, without cookies and with the state unchanged', async () => {
    const app = new RelyingApp()
    const state = 'a+b %2B&ü'
    const form = Object.fromEntries(new URL(await app.authorizationUrl({ state })).searchParams)
    const headers = { Origin: 'https://web.example', 'Sec-Fetch-Site': 'cross-site' }

    const posted = await new Browser().post('/oidc/authorize', form, headers)
    const callback = redirectUrl(await (await signedIn()).get(redirectUrl(posted, 303).href))

    expect((await app.exchange(callback, { expectedState: state })).claims()?.aud).toBe('web')
  })

  /** The parameters of the response, or none where the request ends on a page. */
  async function responseTo(browser: Browser, path: string, form: URLSearchParams) {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const posted = await browser.fetch(path, { headers, form: form as never })
    const response = posted.status === 303 ? await browser.get(redirectUrl(posted).href) : posted
    return new URL(response.headers.get('Location') ?? LOGIN, LOGIN).searchParams
  }

  it.each(['client_id', 'redirect_uri', 'scope', 'state'])(
    '[A8] accepts %s once, and only in the body',
    async (name) => {
      const browser = await signedIn()
      const form = new URL(await new RelyingApp().authorizationUrl()).searchParams
      const value = form.get(name) ?? ''
      const repeated = new URLSearchParams([...form, [name, value]])
      const incomplete = new URLSearchParams(form)
      incomplete.delete(name)
      const pathWithParameter = `/oidc/authorize?${new URLSearchParams({ [name]: value })}`

      const toRepeated = await responseTo(browser, '/oidc/authorize', repeated)
      const toIncomplete = await responseTo(browser, pathWithParameter, incomplete)

      expect(toRepeated.has('code')).toBe(false)
      expect(toIncomplete.has('code') && toIncomplete.get(name) === value).toBe(false)
    },
  )
})
