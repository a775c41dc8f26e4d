import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Browser, LOGIN } from '../browser.ts'
import { answerOf } from './answer.ts'
import { basic, post, RelyingApp, SECRETS, signedIn } from './relying-app.ts'

type Changes = Record<string, string | undefined>

describe.each(['query', 'form_post'])('GET /oidc/authorize?response_mode=%s', (response_mode) => {
  it('[A7][A32] answers with code, state and iss, to nobody but the app', async () => {
    const app = new RelyingApp()

    const response = await (await signedIn()).get(await app.authorizationUrl({ response_mode }))

    const target = response.headers.get('Location') ?? (await response.clone().text())
    expect(response.status).toBe(response_mode === 'query' ? 303 : 200)
    expect(target).toContain(app.redirectUri)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(response.headers.get('Referrer-Policy')).toBe('no-referrer')
    const answer = await answerOf(response)
    expect([...answer.keys()].sort()).toEqual(['code', 'iss', 'state'])
    const tokens = await app.exchange(new URL(`${app.redirectUri}?${answer}`))
    expect(tokens.claims()?.iss).toBe(LOGIN)
  })

  it.each<[string, Changes]>([
    ['[A30] values of acr_values that nobody knows', { acr_values: '1 2' }],
    ['[A9] resource, more than once', { resource: 'https://stock.example' }],
    ['[A14] an unknown prompt', { prompt: 'create' }],
    ['[A13] an unknown scope', { scope: 'openid address phone x:y' }],
    [
      '[A10] empty parameters',
      { prompt: '', max_age: '', claims: '', request: '', response_type: 'code', client_id: 'web' },
    ],
  ])('%s: is no error', async (_, changes) => {
    const app = new RelyingApp()
    const url = await app.authorizationUrl({ response_mode, ...changes })

    const answer = await answerOf(await (await signedIn()).get(url))

    const claims = (await app.exchange(new URL(`${app.redirectUri}?${answer}`))).claims()
    expect(claims).toMatchObject({ acr: 'federated', auth_time: expect.any(Number) })
    expect(claims).not.toHaveProperty('name')
  })

  it.each<[string, string, Changes]>([
    ['no response_type', 'invalid_request', { response_type: undefined }],
    ['[A10] an empty response_type', 'invalid_request', { response_type: '' }],
    ['[A11] token', 'unsupported_response_type', { response_type: 'token' }],
    ['[A11] id_token', 'unsupported_response_type', { response_type: 'id_token' }],
    ['[A11] hybrid', 'unsupported_response_type', { response_type: 'code id_token' }],
    ['[A11] none', 'unsupported_response_type', { response_type: 'none' }],
    ['[A13] a scope it may not ask for', 'invalid_scope', { scope: 'openid email' }],
    ['[A14] prompt=none and login', 'invalid_request', { prompt: 'none login' }],
    ['[A14] prompt=none and nonsense', 'invalid_request', { prompt: 'x none' }],
    ['[A15] prompt=none and nobody', 'login_required', { prompt: 'none' }],
    ['[A18] max_age=-1', 'invalid_request', { max_age: '-1' }],
    ['[A18] max_age=NaN', 'invalid_request', { max_age: 'NaN' }],
    ['[A18] max_age=1.5', 'invalid_request', { max_age: '1.5' }],
    ['[A18] max_age=1e3', 'invalid_request', { max_age: '1e3' }],
    ['[A20] a request object', 'request_not_supported', { request: 'e30.e30.' }],
    ['[A20] its address', 'request_uri_not_supported', { request_uri: 'https://post.example/r' }],
    ['[A31] claims that are no JSON', 'invalid_request', { claims: '{' }],
    ['[A31] claims that are a list', 'invalid_request', { claims: '[]' }],
    ['[A31] claims that are a word', 'invalid_request', { claims: '"name"' }],
    ['[A31] claims that are null', 'invalid_request', { claims: 'null' }],
    ['[A31] claims nested without end', 'invalid_request', { claims: '{"a":'.repeat(900) }],
    [
      '[F3] a resource it may not ask for',
      'invalid_target',
      { resource: 'https://orders.example' },
    ],
    ['[A23] a long nonce', 'invalid_request', { nonce: 'n'.repeat(513) }],
    ['[A23] a long scope', 'invalid_request', { scope: `openid ${'s'.repeat(1024)}` }],
    ['[A23] a long unknown parameter', 'invalid_request', { extra: 'x'.repeat(1025) }],
  ])('[A6][A7] %s: %s', async (_, error, changes) => {
    const app = new RelyingApp('post')
    const url = await app.authorizationUrl({ response_mode, state: 's'.repeat(128), ...changes })

    const response = await new Browser().get(url)

    expect(response.headers.get('Cache-Control')).toBe('no-store')
    const { error_description, ...answer } = Object.fromEntries(await answerOf(response))
    expect(answer).toEqual({ error, state: 's'.repeat(128), iss: LOGIN })
    // RFC 6749 §4.1.2.1
    expect(error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  })

  it('[A6] names no state when none was sent', async () => {
    for (const state of [undefined, '']) {
      const url = await new RelyingApp().authorizationUrl({ response_mode, state, prompt: 'none' })

      expect((await answerOf(await new Browser().get(url))).has('state')).toBe(false)
    }
  })

  it('[A24] gives every state back as it came, and never as markup', async () => {
    const browser = new Browser()
    const app = new RelyingApp()
    const texts = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 128 })
    const any = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 64 })
    const known = [
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
      fc.asyncProperty(fc.oneof(texts, any, fc.constantFrom(...known)), async (state) => {
        const url = await app.authorizationUrl({ response_mode, state, prompt: 'none' })
        const response = await browser.get(url)

        expect(await response.clone().text()).not.toContain('<script>')
        expect((await answerOf(response)).get('state')).toBe(state)
      }),
      { numRuns: 200 },
    )
  })
})

describe('GET /oidc/authorize', () => {
  it('[A12] refuses other response modes', async () => {
    for (const response_mode of ['fragment', 'web_message', 'jwt', 'query.jwt', 'QUERY']) {
      const url = await new RelyingApp().authorizationUrl({ response_mode })

      expect((await answerOf(await new Browser().get(url))).get('error')).toBe('invalid_request')
    }
  })

  it('[A12] lets the form of its answer lead to the app and nowhere else', async () => {
    const url = await new RelyingApp().authorizationUrl({ response_mode: 'form_post' })

    const policy = (await (await signedIn()).get(url)).headers.get('Content-Security-Policy')

    expect(policy).toContain("form-action 'self' https://web.example;")
    expect(policy).toContain("default-src 'none'")
  })

  it('[A13] gives no ID token without openid, and the scope it gives is the one it knows', async () => {
    const app = new RelyingApp()
    const callback = await app.callback(await signedIn(), {
      nonce: undefined,
      scope: 'profile x:y',
    })

    const response = await post(
      '/oidc/token',
      {
        grant_type: 'authorization_code',
        code: callback.searchParams.get('code') ?? '',
        redirect_uri: app.redirectUri,
        code_verifier: app.verifier,
      },
      basic('web', SECRETS['web'] ?? ''),
    )

    const tokens = await response.json()
    expect(tokens).toMatchObject({ scope: 'profile', access_token: expect.any(String) })
    expect(tokens).not.toHaveProperty('id_token')
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
  ])('[A8] refuses %s sent twice, even alike', async (name) => {
    const browser = await signedIn()
    const url = new URL(await new RelyingApp().authorizationUrl({ response_mode: 'query' }))
    const value = url.searchParams.get(name) ?? ''
    for (const again of [value, 'other']) {
      const twice = new URL(url)
      if (!twice.searchParams.has(name)) twice.searchParams.append(name, value)
      twice.searchParams.append(name, again)

      const answer = await answerOf(await browser.get(twice.href))

      expect([answer.get('error'), answer.get('code')]).toEqual(['invalid_request', null])
    }
  })

  it.each(['client_id', 'redirect_uri'])(
    '[A8] redirects nowhere when %s is sent twice',
    async (name) => {
      const url = new URL(await new RelyingApp().authorizationUrl())
      url.searchParams.append(name, url.searchParams.get(name) ?? '')

      const response = await (await signedIn()).get(url.href)

      expect([response.status, response.headers.get('Location')]).toEqual([400, null])
    },
  )

  it('[A23] carries a nonce of 384 and a state of 2048 letters through, and refuses longer ones', async () => {
    const browser = await signedIn()
    const app = new RelyingApp()
    const long = { nonce: 'n'.repeat(384), state: 's'.repeat(2048) }

    const tokens = await app.exchange(await app.callback(browser, long), {
      expectedNonce: long.nonce,
      expectedState: long.state,
    })

    expect(tokens.claims()?.nonce).toBe(long.nonce)
    const longer = await app.callback(browser, { state: `${long.state}s` })
    expect(longer.searchParams.get('error')).toBe('invalid_request')
    const whole = await browser.get(`/oidc/authorize?x=${'x'.repeat(17_000)}`)
    expect([whole.status, whole.headers.get('Location')]).toEqual([414, null])
  })

  it('[A31] uses no member of claims but userinfo and id_token, whatever they hold', async () => {
    const browser = await signedIn()
    await fc.assert(
      fc.asyncProperty(fc.object({ maxDepth: 3, maxKeys: 4 }), async (claims) => {
        const text = JSON.stringify({
          other: claims,
          userinfo: Object.values(claims)[0],
          id_token: claims,
        })
        fc.pre(text.length <= 1024)
        const callback = await new RelyingApp().callback(browser, { claims: text })

        expect(callback.searchParams.has('code')).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  it.each(['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH'])(
    '[A33] %s is no way to ask',
    async (method) => {
      const response = await (await signedIn()).fetch(await new RelyingApp().authorizationUrl(), {
        method,
      })

      expect([response.status, response.headers.get('Location')]).toEqual([405, null])
    },
  )
})

describe('POST /oidc/authorize', () => {
  const formOf = (url: string) => Object.fromEntries(new URL(url).searchParams)

  it.each(['client_id', 'redirect_uri', 'scope', 'state'])(
    '[A8] takes %s once, and from the body alone',
    async (name) => {
      const browser = await signedIn()
      const form = new URLSearchParams(formOf(await new RelyingApp().authorizationUrl()))
      const value = form.get(name) ?? ''
      const ask = async (path: string, body: URLSearchParams) => {
        const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
        const response = await browser.fetch(path, { headers, form: body as never })
        const next =
          response.status === 303
            ? await browser.get(response.headers.get('Location') ?? '')
            : response
        return new URL(next.headers.get('Location') ?? LOGIN, LOGIN).searchParams
      }

      const doubled = new URLSearchParams([...form, [name, value]])
      expect((await ask('/oidc/authorize', doubled)).has('code')).toBe(false)

      const split = new URLSearchParams(form)
      split.delete(name)
      const answer = await ask(`/oidc/authorize?${new URLSearchParams({ [name]: value })}`, split)
      expect(answer.has('code') && answer.get(name) === value).toBe(false)
    },
  )
})
