import { describe, expect, it } from 'vitest'
import { Browser, LOGIN, logLines, SHOP, serviceWith, standIn } from '../../browser.ts'
import { createPlatformUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'

const LOOPBACK = 'http://localhost:8787'

describe('a sign-in through the video platform', () => {
  it('redirects back to the app and opens a session', async () => {
    const browser = new Browser()

    const response = await browser.signIn('mia', { callbackUrl: `${SHOP}/cart?item=7` })

    expect(response.status).toBe(302)
    expect(response.headers.get('Location')).toBe(`${SHOP}/cart?item=7`)
    expect(await browser.session()).toMatchObject({
      user: { name: 'Mia Lindqvist', username: 'mia' },
    })
  })

  it.each(['ignore', 'verify-hex'])(
    'succeeds whether the platform ignores or verifies PKCE for web apps: %s',
    async (webPkce) => {
      await standIn.post('switches', { webPkce })
      const browser = new Browser()

      expect((await browser.signIn('mia')).status).toBe(302)
    },
  )

  it('succeeds on localhost without a tunnel, where the platform requires a hex challenge (better-auth#3114, SocialiteProviders#1368, passport-tiktok#1, passport-tiktok#9, react-native-tiktok#38)', async () => {
    const service = serviceWith({ AUTH_URL: LOOPBACK })
    const browser = new Browser(service, LOOPBACK)

    const authorization = await browser.start()

    expect(authorization.searchParams.get('redirect_uri')).toBe(
      `${LOOPBACK}/api/auth/callback/tiktok`,
    )
    expect(authorization.searchParams.get('code_challenge')).toMatch(/^[0-9a-f]{64}$/)
    expect((await browser.get(await browser.approve(authorization, 'mia'))).status).toBe(302)
    expect(await browser.session()).toMatchObject({ user: { name: 'Mia Lindqvist' } })
  })

  it('[Q2] creates one user for 50 simultaneous first sign-ins', async () => {
    const handle = await createPlatformUser()
    const browsers = Array.from({ length: 50 }, () => new Browser())
    const callbacks = await Promise.all(
      browsers.map(async (browser) => browser.approve(await browser.start(), handle)),
    )

    const responses = await Promise.all(
      browsers.map((browser, index) => browser.get(callbacks[index] ?? '')),
    )

    expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(302))
    const userIds = await Promise.all(
      browsers.map(async (browser) => (await browser.session())?.user.id),
    )
    expect(new Set(userIds).size).toBe(1)
  })

  it('[S1] identifies a user by provider and open_id, never by name', async () => {
    await standIn.post('users', { handle: 'twin-one', displayName: 'Same Name', username: 'same' })
    await standIn.post('users', { handle: 'twin-two', displayName: 'Same Name', username: 'same' })
    const [first, second] = [new Browser(), new Browser()]

    await first.signIn('twin-one')
    await second.signIn('twin-two')

    expect((await first.session())?.user.id).not.toBe((await second.session())?.user.id)
  })
})

describe('GET /api/auth/signin/tiktok', () => {
  it("sends the platform's parameters under its own names (reactjs-social-login#152)", async () => {
    const authorization = await new Browser().start()

    expect(authorization.origin + authorization.pathname).toBe(
      'https://www.tiktok.com/v2/auth/authorize/',
    )
    expect(Object.fromEntries(authorization.searchParams)).toEqual({
      client_key: 'sbaw8k2m5q9r4t7w1z',
      response_type: 'code',
      scope: 'user.info.basic,user.info.profile',
      redirect_uri: `${LOGIN}/api/auth/callback/tiktok`,
      state: expect.stringMatching(/^[\w-]{43}\.[\w-]+$/),
      code_challenge: expect.stringMatching(/^[0-9a-f]{64}$/),
      code_challenge_method: 'S256',
    })
  })

  it('does not send the client secret to the browser (better-auth#4509)', async () => {
    const authorization = await new Browser().start()

    expect(authorization.href).not.toContain('5yQ0cVnB7sTzKp3HgXwE9mRdU2fLaJ6o')
  })

  it.each(['login', 'consent', 'select_account'])(
    'makes the platform show its page again for prompt=%s',
    async (prompt) => {
      const authorization = await new Browser().start({ prompt })

      expect(authorization.searchParams.get('disable_auto_auth')).toBe('1')
    },
  )

  it.each([
    'client_id',
    'client_key',
    'redirect_uri',
    'state',
    'scope',
    'response_type',
    'code_challenge',
    'code_challenge_method',
    'disable_auto_auth',
  ])('[K23] ignores the parameter %s', async (parameter) => {
    const browser = new Browser()
    const plain = await browser.start()

    const response = await browser.get(`/api/auth/signin/tiktok?${parameter}=evil`)

    const authorization = redirectUrl(response)
    expect([...authorization.searchParams.keys()]).toEqual([...plain.searchParams.keys()])
    expect([...authorization.searchParams.values()]).not.toContain('evil')
  })

  it('[K10] leads to the sign-in page when another site links to it', async () => {
    const browser = new Browser()

    const response = await browser.get(`/api/auth/signin/tiktok?callbackUrl=${SHOP}/`, {
      'Sec-Fetch-Site': 'cross-site',
    })

    const page = await browser.get(redirectUrl(response, 302).href)
    expect(redirectUrl(response).pathname).toBe('/api/auth/signin')
    expect(browser.cookieNames('attempt.')).toEqual([])
    expect(await page.text()).toContain('Sign in to The shop')
  })

  it.each(['same-origin', 'same-site', 'none'])(
    '[K10] starts a sign-in for Sec-Fetch-Site: %s',
    async (site) => {
      const response = await new Browser().get('/api/auth/signin/tiktok', {
        'Sec-Fetch-Site': site,
      })

      expect(response.status).toBe(302)
    },
  )

  it.each(['cors', 'no-cors'])('[K10] starts no sign-in for Sec-Fetch-Mode: %s', async (mode) => {
    const browser = new Browser()

    const response = await browser.get('/api/auth/signin/tiktok?prompt=login', {
      'Sec-Fetch-Site': 'same-site',
      'Sec-Fetch-Mode': mode,
    })

    expect(response.headers.get('Location')).toMatch(/^\/api\/auth\/signin\?.*prompt=login$/)
    expect(browser.cookieNames('attempt.')).toEqual([])
  })

  it('[K11] ignores prompt=login from another host of our domain when a session would be replaced', async () => {
    const browser = new Browser()
    await browser.signIn('mia')

    const started = await browser.get('/api/auth/signin/tiktok?prompt=login', {
      'Sec-Fetch-Site': 'same-site',
    })
    const callback = await browser.approve(redirectUrl(started), 'noah')

    expect((await browser.get(callback)).status).toBe(409)
  })

  it('[K10] checks the return address at the start and again at the callback', async () => {
    const blog = 'https://blog.example'
    const browser = new Browser()
    expect(
      (await browser.get('/api/auth/signin/tiktok?callbackUrl=https://evil.example/')).status,
    ).toBe(400)
    const callback = await browser.approve(
      await browser.start({ callbackUrl: `${blog}/post` }),
      'mia',
    )

    const withoutBlog = serviceWith({
      CLIENTS: [{ client_id: 'shop', redirect_uris: [`${SHOP}/callback`] }],
    })
    const afterRemoval = new Browser(withoutBlog).withCookiesOf(browser)

    expect((await afterRemoval.get(callback)).status).toBe(400)
    expect(await afterRemoval.session()).toBeNull()
  })

  it.each(['google', 'TikTok', 'tiktok%00', '__proto__', 'constructor', '..%2Ftiktok'])(
    'responds with 404 to the unknown provider %s',
    async (id) => {
      const response = await new Browser().get(`/api/auth/signin/${id}`)

      expect(response.status).toBe(404)
    },
  )
})

describe('POST /api/auth/signin/tiktok', () => {
  it('[A22] redirects to the platform with 303, so that the form is not posted there', async () => {
    const response = await new Browser().post('/api/auth/signin/tiktok', {
      callbackUrl: `${SHOP}/`,
    })

    expect(response.status).toBe(303)
    expect(response.headers.get('Location')).toContain('https://www.tiktok.com/v2/auth/authorize/')
  })
})

describe('GET /api/auth/providers', () => {
  it('describes each provider to frontends', async () => {
    expect(await new Browser().json('/api/auth/providers')).toMatchObject({
      tiktok: {
        id: 'tiktok',
        name: 'TikTok',
        type: 'oauth',
        signinUrl: `${LOGIN}/api/auth/signin/tiktok`,
        callbackUrl: `${LOGIN}/api/auth/callback/tiktok`,
      },
    })
  })
})

describe('GET /api/auth/signin', () => {
  it('names the app and offers the platform', async () => {
    const page = await (await new Browser().get(`/api/auth/signin?callbackUrl=${SHOP}/cart`)).text()

    expect(page).toContain('<title>Sign in to The shop</title>')
    expect(page).toMatch(/href="\/api\/auth\/signin\/tiktok\?interaction=[\w-]{22}"/)
    expect(page).toContain('Sign in with TikTok')
  })

  it('shows who is signed in, with links to continue, change the account or sign out', async () => {
    const browser = new Browser()
    await browser.signIn('mia')

    const page = await (await browser.get(`/api/auth/signin?callbackUrl=${SHOP}/cart`)).text()

    expect(page).toContain('<h1>You are signed in</h1>')
    expect(page).toContain('<strong class="grow">\u2068Mia Lindqvist\u2069</strong>')
    expect(page).toContain(`id="continue" href="${SHOP}/cart"`)
    expect(page).toContain('prompt=select_account')
    expect(page).toContain('action="/api/auth/signout"')
    expect(page).not.toContain('href="/account"')
  })

  it('leads a signed-in user who did not come from an app to the account page', async () => {
    const browser = new Browser()
    await browser.signIn('mia')

    const page = await (await browser.get('/api/auth/signin')).text()

    expect(page).toContain('<a class="primary" href="/account">Go to your account</a>')
    expect(page).not.toContain('id="continue"')
  })

  it('is the target of the root address', async () => {
    const response = await new Browser().get('/')

    expect(response.headers.get('Location')).toBe('/api/auth/signin')
  })
})

describe('GET /api/auth/error', () => {
  it('explains a known error code without logging it', async () => {
    const response = await new Browser().get('/api/auth/error?error=access_denied')

    expect(response.status).toBe(200)
    expect(logLines.at(-1)).not.toContain('access_denied')
    expect(await response.text()).toContain('<dd>access_denied</dd>')
  })

  it.each(['<script>alert(1)</script>', 'toString', '', '__proto__'])(
    '[M7] does not show an unknown error code: %s',
    async (error) => {
      const page = await (
        await new Browser().get(`/api/auth/error?${new URLSearchParams({ error })}`)
      ).text()

      expect(page).toContain('<dd>request_invalid</dd>')
      expect(page).not.toContain('alert(1)')
    },
  )
})
