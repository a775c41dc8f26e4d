import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseLanguage } from '../../../src/core/messages/choose.ts'
import { createLanguages } from '../../../src/core/messages/languages.ts'
import { providerRules } from '../../../src/core/pages/stylesheet.ts'
import { options } from '../../../src/deployment.ts'
import { signInErrorCodes } from '../../../src/foundation/errors/sign-in-error.ts'
import { Apple } from '../../../src/providers/apple.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { Browser, SHOP, serviceOf, serviceWith, standIn } from '../../browser.ts'
import { findLink } from '../../html.ts'
import { createPlatformUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'
import { RelyingApp } from '../oidc/relying-app.ts'

const PAGES = [
  '/api/auth/signin',
  `/api/auth/signin?callbackUrl=${SHOP}/`,
  '/api/auth/signout',
  '/api/auth/error',
  '/no-such-page',
]

/** A request of an app that needs consent. */
const KIOSK_REQUEST = new URLSearchParams({
  client_id: 'kiosk',
  redirect_uri: 'https://kiosk.example/callback',
  response_type: 'code',
  scope: 'openid',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  prompt: 'consent',
})

const ERROR_CODES = signInErrorCodes([])

/** Any text that is not empty, often with characters that have a meaning in HTML. */
const anyName = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
    fc.string({ unit: fc.constantFrom(...'<>"\'&;a/= '), minLength: 1, maxLength: 30 }),
  )
  .map((name) => `a${name}`)

describe('a page', () => {
  it.each(PAGES)(
    '[M1] contains no script but its own, loads nothing from other origins and cannot be framed: %s',
    async (path) => {
      const response = await new Browser().get(path)

      const policy = response.headers.get('Content-Security-Policy') ?? ''
      const nonce = policy.match(/style-src 'nonce-([\w-]+)'/)?.[1]
      expect(policy).toContain("default-src 'none'; ")
      expect(policy).toContain("frame-ancestors 'none'; base-uri 'none'")
      expect(policy).toContain("form-action 'self'")
      expect(policy).toContain(`; script-src 'nonce-${nonce}'; `)
      expect(policy).not.toMatch(/unsafe|\*/)
      const page = await response.text()
      expect(page).toContain(`<style nonce="${nonce}">`)
      expect(page.match(/<script[^>]*>/g)).toEqual([`<script nonce="${nonce}">`])
      expect(page).not.toMatch(/javascript:| on\w+=| style=/)
      expect(page).not.toMatch(/src="(?!data:)/)
    },
  )

  it.each([
    `/api/auth/signout?callbackUrl=${SHOP}/bye`,
    '/oidc/logout',
    '/account',
    `/oidc/authorize?${KIOSK_REQUEST}`,
  ])('[M2] allows its form to be submitted to this service only: %s', async (path) => {
    const browser = new Browser()
    await browser.signIn('mia')

    const response = await browser.get(path)

    expect(response.headers.get('Content-Security-Policy')).toContain("form-action 'self';")
    expect(await response.text()).toContain('<form method="post"')
  })

  it.each([
    ...PAGES,
    '/api/auth/session',
    '/api/auth/signin/tiktok',
    '/.well-known/jwks.json',
    '/healthz',
    '/readyz',
    '/no/such/page',
  ])('[M3] has the security headers: %s', async (path) => {
    const { headers } = await new Browser().get(path)

    expect(Object.fromEntries(headers)).toMatchObject({
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=63072000',
      'x-content-type-options': 'nosniff',
      'cache-control': expect.stringMatching(/^(no-store|public, max-age=300)$/),
    })
    if (headers.get('Content-Type')?.startsWith('text/html')) {
      expect(Object.fromEntries(headers)).toMatchObject({
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
        'x-frame-options': 'DENY',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      })
    } else expect(PAGES).not.toContain(path)
  })

  it('[M7][CVE-2022-31127] escapes the names of users', async () => {
    const browser = new Browser()
    await browser.signIn('zoe')

    const page = await (await browser.get('/api/auth/signin')).text()

    expect(page).toContain('&lt;script&gt;alert(&quot;zoe&quot;)&lt;/script&gt;')
    expect(page).not.toContain('<script>')
  })

  it('[M7] escapes a display name on the consent page', async () => {
    const browser = new Browser()
    await browser.signIn('zoe')

    const page = await (await browser.get(await new RelyingApp('kiosk').authorizationUrl())).text()

    expect(page).toContain('&lt;script&gt;alert(&quot;zoe&quot;)&lt;/script&gt;')
    expect(page).not.toContain('<script>')
  })

  it('[M7] has the same elements and attributes for every display name', async () => {
    const handle = await createPlatformUser()
    const browser = new Browser()
    const countMarkup = async (displayName: string) => {
      await standIn.post('users', { handle, displayName })
      await browser.signIn(handle)
      const page = await (await browser.get('/account')).text()
      // Everything that can start or end an element or an attribute.
      return page.match(/[<>"]/g)?.length
    }
    // The first page of a new user says that the account was created.
    await countMarkup('plain')
    const expected = await countMarkup('plain')

    await fc.assert(
      fc.asyncProperty(anyName, async (name) => {
        expect(await countMarkup(name)).toBe(expected)
      }),
      { numRuns: 30 },
    )
  })

  it('[M7] does not let a display name end its bidi isolate (UAX #9)', async () => {
    const handle = await createPlatformUser()
    const browser = new Browser()
    const characters = fc.constantFrom(
      ...'aא1.\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2029\u0085\n',
    )

    await fc.assert(
      fc.asyncProperty(fc.string({ unit: characters, maxLength: 12 }), async (name) => {
        await standIn.post('users', { handle, displayName: `a${name}` })
        await browser.signIn(handle)
        const page = await (await browser.get('/account')).text()
        const isolates = page.match(/\u2068[^<]*/g) ?? []
        expect(isolates.length).toBeGreaterThanOrEqual(2)
        for (const text of isolates)
          expect(text).toMatch(
            /^\u2068[^\u202a-\u202e\u2066-\u2069\u2029\u0085\n]+\u2069[^\u202a-\u202e\u2066-\u2069]*$/,
          )
      }),
      { numRuns: 40 },
    )
  })

  it('[M7] does not show the parameters of a callback', async () => {
    const browser = new Browser()
    const state = (await browser.start()).searchParams.get('state') ?? ''
    const evil = '"><script>alert(1)</script>'

    const response = await browser.get(
      `/api/auth/callback/tiktok?${new URLSearchParams({ state, error: evil, error_description: evil, error_type: evil })}`,
    )

    expect(await response.text()).not.toContain('alert(1)')
  })

  it('[M10] has a language, a title, one heading and a main landmark', async () => {
    const page = await (await new Browser().get('/api/auth/signin')).text()

    expect(page).toMatch(/^<!doctype html><html lang="en">/i)
    expect(page.match(/<h1>/g)).toHaveLength(1)
    expect(page).toContain('<main>')
    expect(page).toContain('<title>Sign in</title>')
  })

  it('is in the language of the browser', async () => {
    const browser = new Browser()

    const page = await (
      await browser.get('/api/auth/signin', { 'Accept-Language': 'es-MX,es;q=0.9,en;q=0.8' })
    ).text()

    expect(page).toContain('lang="es"')
    expect(page).toContain('Iniciar sesión con TikTok')
  })
})

describe('language negotiation', () => {
  it.each([
    ['es', 'es'],
    ['ES-419', 'es'],
    ['sv, es;q=0.5, en;q=0.1', 'es'],
    ['en;q=0.1, es;q=0.9', 'es'],
    ['es;q=0', 'en'],
    ['es ; q=0.9 , en ; q=0.5', 'es'],
    ['sv', 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['est', 'en'],
    [';;q=,,=', 'en'],
    ['de-CH', 'de'],
    ['zh', 'zh-Hans'],
    ['zh-CN', 'zh-Hans'],
    ['zh-SG', 'zh-Hans'],
    ['zh-Hans-CN', 'zh-Hans'],
    ['zh-TW,zh;q=0.9,en;q=0.8', 'zh-Hans'],
    ['cmn', 'zh-Hans'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['in', 'id'],
    ['ar-EG', 'ar'],
    ['i-klingon, ja', 'ja'],
    ['x-private, ko', 'ko'],
    ['toString, fr', 'fr'],
  ])('resolves "%s" to %s', (acceptLanguage, language) => {
    expect(chooseLanguage(createLanguages({}), acceptLanguage).tag).toBe(language)
  })
})

describe('an error page', () => {
  it.each(ERROR_CODES)('explains %s in every language', async (error) => {
    for (const { tag } of createLanguages({}).values()) {
      const page = await (
        await new Browser().get(`/api/auth/error?error=${error}`, { 'Accept-Language': tag })
      ).text()
      expect(page).toContain(`<html lang="${tag}"`)
      expect(page).toContain(`<dd>${error}</dd>`)
      expect(page).not.toContain('undefined')
    }
  })

  it.each(['passkey_rejected', 'passkey_unknown', 'toString'])(
    'does not explain %s, which no feature of the deployment has',
    async (error) => {
      const response = await new Browser().get(`/api/auth/error?error=${error}`, {
        Accept: 'application/json',
      })

      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: 'request_invalid', parameter: 'error' })
    },
  )

  it('does not offer to try again when only the operator can fix the problem', async () => {
    const browser = new Browser()
    const callbackUrl = `${SHOP}/cart`
    const state = (await browser.start({ callbackUrl })).searchParams.get('state') ?? ''

    const response = await browser.get(
      `/api/auth/callback/tiktok?${new URLSearchParams({ state, error: 'invalid_scope' })}`,
    )

    const page = await response.text()
    expect(page).toContain('provider_refused')
    expect(page).toContain(`<a class="primary" href="${callbackUrl}">`)
    expect(page).not.toContain('Try again')
    expect(page).not.toContain('/api/auth/signin/tiktok')
  })

  it.each([
    ['id_token_hint_refused', '/oidc/logout?id_token_hint=x', '/api/auth/signout'],
    ['not_found', '/nothing?a=1', '/api/auth/signin?callbackUrl=%2Fnothing%3Fa%3D1'],
    ['method_not_allowed', '/oidc/consent', '/api/auth/signin'],
  ])('offers one primary action for %s', async (code, path, href) => {
    const page = await (await new Browser().get(path)).text()

    expect(page).toContain(`<dd>${code}</dd>`)
    expect(page.match(/class="primary" href="([^"]*)"/g)).toEqual([
      `class="primary" href="${href}"`,
    ])
  })

  it.each([
    '//evil.example/x',
    '/\\evil.example/x',
    '/.//evil.example/x',
    '/%5Cevil.example',
    '/@evil.example',
    '/api/auth/callback',
    '/nothing?callbackUrl=https://evil.example/',
  ])('[N1] returns from the sign-in page to no other origin than its own: %s', async (path) => {
    const browser = new Browser()
    const notFound = await browser.get(browser.origin + path)
    const link = findLink(await notFound.text(), '/api/auth/signin')
    const callbackUrl = new URL(link, browser.origin).searchParams.get('callbackUrl') ?? ''

    const signedIn = await browser.signIn(await createPlatformUser(), { callbackUrl })

    expect([notFound.status, link.startsWith('/api/auth/signin')]).toEqual([404, true])
    expect(redirectUrl(signedIn).origin).toBe(browser.origin)
  })

  it.each([
    ['client_unknown', 'client_id', '/oidc/authorize?client_id=nobody'],
    [
      'redirect_uri_refused',
      'redirect_uri',
      '/oidc/authorize?client_id=web&redirect_uri=https://evil.example/',
    ],
    ['return_url_refused', 'callbackUrl', '/api/auth/signin?callbackUrl=https://evil.example/'],
    ['request_invalid', 'prompt', '/api/auth/signin?prompt=x'],
  ])(
    'has no primary action for %s, which only the app can solve, and names %s in the small print',
    async (code, parameter, path) => {
      const page = await (await new Browser().get(path)).text()

      expect(page).toContain(`<dd>${code}</dd><dt>Parameter</dt><dd>${parameter}</dd>`)
      expect(page.match(/<p>([^<]*)<\/p>/)?.[1]).not.toContain(parameter)
      expect(page).not.toContain('class="primary"')
      expect(page).toContain('<a href="/account">Go to your account</a>')
    },
  )

  it('offers to try again, except after a posted form and on a page that only explains a code', async () => {
    const unavailable = {
      idFromName() {
        throw new Error('The object does not respond.')
      },
    }
    const signedIn = new Browser()
    await signedIn.signIn('mia')
    const browser = new Browser(serviceWith({ USERS: unavailable })).withCookiesOf(signedIn)

    const opened = await (await browser.get('/account')).text()
    const posted = await (await browser.post('/account/sessions', { sid: 'others' })).text()
    const explained = await (await browser.get('/api/auth/error?error=unavailable')).text()

    for (const page of [opened, posted, explained]) expect(page).toContain('<dd>unavailable</dd>')
    expect(opened).toContain('<a class="primary" href="">Try again</a>')
    expect(posted).not.toContain('Try again')
    expect(explained).not.toContain('Try again')
  })

  it('offers another provider, if there is one, when this one does not work', async () => {
    const settings = { AUTH_GITHUB_ID: 'id', AUTH_GITHUB_SECRET: 'secret' }
    const browser = new Browser(serviceWith(settings))
    const state = (await browser.start()).searchParams.get('state') ?? ''

    const response = await browser.get(
      `/api/auth/callback/tiktok?${new URLSearchParams({ state, error: 'invalid_scope' })}`,
    )

    expect(await response.text()).toMatch(/class="primary" href="\/api\/auth\/signin\?/)
  })

  it.each([
    [{}, 'TikTok is not responding', 'TikTok is overloaded'],
    [{ AUTH_TIKTOK_NAME: 'Clips & more' }, 'Clips &amp; more is not', 'Clips & more is overloaded'],
  ])('names the provider as it is configured: %o', async (settings, title, description) => {
    const browser = new Browser(serviceWith(settings))
    const open = async (accept: string) => {
      const state = (await browser.start()).searchParams.get('state') ?? ''
      const params = new URLSearchParams({
        state,
        error: 'server_error',
        error_description: 'Evil',
      })
      return browser.get(`/api/auth/callback/tiktok?${params}`, { Accept: accept })
    }

    const page = await (await open('text/html')).text()
    const problem = await (await open('application/json')).json<{ error_description: string }>()

    expect(page).toContain(`<h1>${title}`)
    expect(page).not.toContain('Evil')
    expect(problem.error_description).toContain(description)
  })

  it('isolates the name of the provider in a right-to-left language (UAX #9)', async () => {
    const browser = new Browser()
    const state = (await browser.start()).searchParams.get('state') ?? ''

    const response = await browser.get(
      `/api/auth/callback/tiktok?${new URLSearchParams({ state, error: 'server_error' })}`,
      { Accept: 'text/html', 'Accept-Language': 'ar' },
    )

    expect(await response.text()).toContain('من \u2068TikTok\u2069</h1>')
  })

  it.each(['en', 'ar', 'de'])(
    'has a neutral text if no provider is known: %s',
    async (language) => {
      const response = await new Browser().get('/api/auth/error?error=provider_unavailable', {
        Accept: 'text/html',
        'Accept-Language': language,
      })
      const page = await response.text()

      expect(page).toContain('<dd>provider_unavailable</dd>')
      expect(page).not.toContain('TikTok')
      expect(page).not.toContain('undefined')
    },
  )

  it.each([
    [`${SHOP}/cart`, 'Go back to \u2068The shop\u2069'],
    ['/account', 'Go back'],
  ])('names the app that the user goes back to: %s', async (callbackUrl, label) => {
    const browser = new Browser()
    const state = (await browser.start({ callbackUrl })).searchParams.get('state') ?? ''

    const response = await browser.get(
      `/api/auth/callback/tiktok?${new URLSearchParams({ state, error: 'server_error' })}`,
    )

    const page = await response.text()
    expect(page).toContain(`>${label}</a>`)
    expect(page).toContain('<dt>Error code</dt>')
  })

  it('offers a different account when the platform does not allow this one', async () => {
    await standIn.post('switches', { nonTargetAt: 'callback' })

    const page = await (await new Browser().signIn('tova')).text()

    expect(page).toContain('not_eligible')
    expect(page).toMatch(/<a class="primary" href="[^"]*prompt=select_account">/)
    expect(page).not.toContain('Try again')
  })
})

describe('a provider button', () => {
  it.each([
    [{ brandColor: '#000000' }, 'background:#000000;color:#ffffff'],
    [{ brandColor: '#fee500' }, 'background:#fee500;color:#000000'],
    [{ bg: '#112233', text: '#ddeeff' }, 'background:#112233;color:#ddeeff'],
    [{ brandColor: '#fee500', bg: '#112233', text: '#ddeeff' }, 'background:#fee500;color:#000000'],
    [{ bg: '#112233', text: '#223344' }, 'background:#112233;color:#ffffff'],
    [{ brandColor: '#112233', text: '#ddeeff' }, 'background:#112233;color:#ddeeff'],
    [{ brandColor: '#112233', text: '#223344' }, 'background:#112233;color:#ffffff'],
    [{ brandColor: '#639' }, 'background:#663399;color:#ffffff'],
    [{ brandColor: '#fc0' }, 'background:#ffcc00;color:#000000'],
    [{ brandColor: 'red;}body{display:none' }, undefined],
    [{}, undefined],
  ])('has readable text, and its style %o cannot inject CSS', (style, declarations) => {
    const rule = declarations ? `.brand-x{${declarations}}` : ''

    expect(providerRules([{ id: 'x', style }])).toBe(rule)
  })

  it('has the bare logo of Apple, and no other one', () => {
    const { style } = Apple({})
    const own = { brandColor: '#000000', logo: 'https://cdn.example/apple.svg' }

    expect(providerRules([{ id: 'apple', style }])).toContain('.mark.brand-apple{background:none')
    expect(providerRules([{ id: 'apple', style: own }])).not.toContain('.mark')
    expect(providerRules([{ id: 'x', style }])).not.toContain('.mark')
  })

  it('has the words that the deployment chooses', async () => {
    const messages = { en: { 'signIn.signInWith': 'Continue with {provider}' } }
    const service = serviceOf(createVestibule({ ...options, messages }))

    const page = await (await new Browser(service).get('/api/auth/signin')).text()

    expect(page).toContain('Continue with TikTok')
    expect(page).not.toContain('Sign in with TikTok')
  })

  it('is selected by an id with characters that have a meaning in CSS', () => {
    const rules = providerRules([{ id: 'a.b~c', style: { brandColor: '#000' } }])

    expect(rules).toMatch(/^\.brand-a\\\.b\\~c\{/)
  })
})
