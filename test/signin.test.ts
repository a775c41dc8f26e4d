import { describe, expect, it } from 'vitest'
import { Browser, LOGIN, logLines, SHOP, serviceWith, standIn } from './browser.ts'

const LOOPBACK = 'http://localhost:8787'

describe('a sign-in through the video platform', () => {
  it('leads from the app to the platform and back, with a session', async () => {
    const browser = new Browser()

    const response = await browser.signIn('mia', { callbackUrl: `${SHOP}/cart?item=7` })

    expect(response.status).toBe(302)
    expect(response.headers.get('Location')).toBe(`${SHOP}/cart?item=7`)
    expect(await browser.session()).toMatchObject({
      user: { name: 'Mia Lindqvist', username: 'mia' },
    })
  })

  it.each(['ignore', 'verify-hex'])(
    'works whether the platform ignores or checks PKCE on the web: %s',
    async (webPkce) => {
      await standIn.post('switches', { webPkce })
      const browser = new Browser()

      expect((await browser.signIn('mia')).status).toBe(302)
    },
  )

  it('works on localhost without a tunnel, where the platform demands a hex challenge (better-auth#3114, SocialiteProviders#1368, passport-tiktok#1, passport-tiktok#9, react-native-tiktok#38)', async () => {
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

  it('[Q2] makes one user of 50 first sign-ins at once', async () => {
    await standIn.post('users', { handle: 'newcomer', displayName: 'New Comer' })
    const browsers = Array.from({ length: 50 }, () => new Browser())
    const callbacks = await Promise.all(
      browsers.map(async (browser) => browser.approve(await browser.start(), 'newcomer')),
    )

    const responses = await Promise.all(
      browsers.map((browser, index) => browser.get(callbacks[index] ?? '')),
    )

    expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(302))
    const people = await Promise.all(
      browsers.map(async (browser) => (await browser.session())?.user.id),
    )
    expect(new Set(people).size).toBe(1)
  })

  it('[S1] knows a person by provider and open_id, never by name', async () => {
    await standIn.post('users', { handle: 'twin-one', displayName: 'Same Name', username: 'same' })
    await standIn.post('users', { handle: 'twin-two', displayName: 'Same Name', username: 'same' })
    const [one, two] = [new Browser(), new Browser()]
    await one.signIn('twin-one')
    await two.signIn('twin-two')

    expect((await one.session())?.user.id).not.toBe((await two.session())?.user.id)
  })
})

describe('GET /api/auth/signin/tiktok', () => {
  it('asks for what the platform needs, in its own words (reactjs-social-login#152)', async () => {
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

  it('never brings the client secret to the browser (better-auth#4509)', async () => {
    const browser = new Browser()
    const authorization = await browser.start()

    expect(authorization.href).not.toContain('5yQ0cVnB7sTzKp3HgXwE9mRdU2fLaJ6o')
  })

  it.each(['login', 'consent', 'select_account'])(
    'shows the platform’s page again for prompt=%s',
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
  ])('[K23] lets no frontend set %s', async (parameter) => {
    const browser = new Browser()
    const plain = await browser.start()

    const response = await browser.get(`/api/auth/signin/tiktok?${parameter}=evil`)

    const authorization = new URL(response.headers.get('Location') ?? '')
    expect([...authorization.searchParams.keys()]).toEqual([...plain.searchParams.keys()])
    expect([...authorization.searchParams.values()]).not.toContain('evil')
  })

  it('[K10] shows a page with a button to who is sent by another site', async () => {
    const browser = new Browser()

    const response = await browser.get(`/api/auth/signin/tiktok?callbackUrl=${SHOP}/`, {
      'Sec-Fetch-Site': 'cross-site',
    })

    expect(response.status).toBe(200)
    expect(browser.cookieNames('attempt.')).toEqual([])
    expect(await response.text()).toContain('Sign in to The shop')
  })

  it.each(['same-origin', 'same-site', 'none'])(
    '[K10] starts at once for who comes from %s',
    async (site) => {
      const response = await new Browser().get('/api/auth/signin/tiktok', {
        'Sec-Fetch-Site': site,
      })

      expect(response.status).toBe(302)
    },
  )

  it.each(['cors', 'no-cors'])('[K10] is no picture and no script: %s', async (mode) => {
    const browser = new Browser()

    const response = await browser.get('/api/auth/signin/tiktok?prompt=login', {
      'Sec-Fetch-Site': 'same-site',
      'Sec-Fetch-Mode': mode,
    })

    expect(response.status).toBe(200)
    expect(browser.cookieNames('attempt.')).toEqual([])
  })

  it('[K11] takes a choice of account only from our own page or the person, not from a sibling', async () => {
    const browser = new Browser()
    await browser.signIn('mia')

    const started = await browser.get('/api/auth/signin/tiktok?prompt=login', {
      'Sec-Fetch-Site': 'same-site',
    })
    const callback = await browser.approve(new URL(started.headers.get('Location') ?? ''), 'noah')

    expect((await browser.get(callback)).status).toBe(409)
  })

  it('[K10] checks the address to return to at the start, and again at the end', async () => {
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
    const later = new Browser(withoutBlog)
    for (const [name, value] of browser.cookies) later.cookies.set(name, value)

    expect((await later.get(callback)).status).toBe(400)
    expect(await later.session()).toBeNull()
  })

  it.each(['google', 'TikTok', 'tiktok%00', '__proto__', 'constructor', '..%2Ftiktok'])(
    'knows no provider %s',
    async (id) => {
      const response = await new Browser().get(`/api/auth/signin/${id}`)

      expect(response.status).toBe(404)
    },
  )
})

describe('POST /api/auth/signin/tiktok', () => {
  it('[A22] leads to the platform with 303, so that nothing is posted there', async () => {
    const response = await new Browser().post('/api/auth/signin/tiktok', {
      callbackUrl: `${SHOP}/`,
    })

    expect(response.status).toBe(303)
    expect(response.headers.get('Location')).toContain('https://www.tiktok.com/v2/auth/authorize/')
  })
})

describe('GET /api/auth/providers', () => {
  it('answers what frontends need of each provider', async () => {
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
  it('names the app that asks, and offers the platform', async () => {
    const page = await (await new Browser().get(`/api/auth/signin?callbackUrl=${SHOP}/cart`)).text()

    expect(page).toContain('<title>Sign in to The shop</title>')
    expect(page).toContain(
      'href="/api/auth/signin/tiktok?callbackUrl=https%3A%2F%2Fshop.example%2Fcart"',
    )
    expect(page).toContain('Continue with TikTok')
  })

  it('tells who is signed in, and lets them go on, change the account, or leave', async () => {
    const browser = new Browser()
    await browser.signIn('mia')

    const page = await (await browser.get(`/api/auth/signin?callbackUrl=${SHOP}/cart`)).text()

    expect(page).toContain('You are signed in as \u2068Mia Lindqvist\u2069.')
    expect(page).toContain(`id="continue" href="${SHOP}/cart"`)
    expect(page).toContain('prompt=select_account')
    expect(page).toContain('action="/api/auth/signout"')
  })

  it('is where the front door leads', async () => {
    expect((await new Browser().get('/')).headers.get('Location')).toBe('/api/auth/signin')
  })
})

describe('GET /api/auth/error', () => {
  it('explains a code it knows', async () => {
    const response = await new Browser().get('/api/auth/error?error=access_denied')

    expect(response.status).toBe(200)
    expect(logLines.at(-1)).not.toContain('access_denied')
    expect(await response.text()).toContain('Sign-in cancelled')
  })

  it.each(['<script>alert(1)</script>', 'toString', '', '__proto__'])(
    '[M7] shows nothing of a code it does not know: %s',
    async (error) => {
      const page = await (
        await new Browser().get(`/api/auth/error?${new URLSearchParams({ error })}`)
      ).text()

      expect(page).toContain('<dd>request_invalid</dd>')
      expect(page).not.toContain('alert(1)')
    },
  )
})
