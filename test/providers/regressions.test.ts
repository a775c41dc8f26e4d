import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import { Browser, logLines, SHOP, serviceWith, standIn } from '../browser.ts'
import { basic, RelyingApp, SECRETS } from '../oidc/relying-app.ts'

const TOKEN = '/v2/oauth/token/'
const USER_INFO = '/v2/user/info/'
const KEY = env.AUTH_TIKTOK_ID

const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'navigate' }

/** A deployment that says of the platform what it must, and nothing else. */
const plain = serviceWith({ AUTH_TIKTOK_SCOPE: undefined })

/** A deployment that keeps the platform's tokens for one of its clients. */
const keeping = serviceWith({
  AUTH_TIKTOK_TOKENS: 'keep',
  CLIENTS: (env as unknown as { CLIENTS: { client_id: string }[] }).CLIENTS.map((client) =>
    client.client_id === 'web' ? { ...client, upstream_tokens: ['tiktok'] } : client,
  ),
})

/** Shorter than we keep a token without asking for the next, so that each question needs a refresh. */
const ALWAYS_OVER = 30 // seconds

afterEach(async () => {
  await standIn.post('switches', { accessTtl: 7200, webPkce: 'ignore' })
})

async function newcomer(more: Record<string, unknown> = {}): Promise<string> {
  const handle = `r${crypto.randomUUID().slice(0, 8)}`
  await standIn.post('users', { handle, ...more })
  return handle
}

/** The requests of this kind that the platform received. */
async function received(path: string, grantType?: string) {
  return (await standIn.log()).filter(
    (entry) => entry.path === path && (!grantType || entry.parameters['grant_type'] === grantType),
  )
}

async function codeOf(response: Response): Promise<string | undefined> {
  return (await response.text()).match(/<dt>Code<\/dt><dd>(\w+)<\/dd>/)?.[1]
}

/** Asks for the platform's own token of whoever is signed in here. */
async function platformToken(browser: Browser, accessToken: string) {
  const response = await browser.fetch(TOKEN_ENDPOINT, {
    form: {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: accessToken,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      audience: 'tiktok',
    },
    headers: basic('web', SECRETS['web'] ?? ''),
  })
  return response.json<{ access_token?: string; error?: string; error_description?: string }>()
}

const TOKEN_ENDPOINT = '/oidc/token'

/** Somebody signed in where tokens are kept, and our access token for them. */
async function somebodyKept() {
  const browser = new Browser(keeping)
  await browser.signIn(await newcomer())
  const { access_token } = await new RelyingApp('web').tokens(browser)
  return { browser, access_token }
}

describe('what went wrong elsewhere: the way to the platform', () => {
  it('better-auth#3828, better-auth#10696, next-auth#11468: the client key is the only name we have there', async () => {
    const browser = new Browser(keeping)
    const authorization = await browser.start()

    expect((await browser.get(await browser.approve(authorization, 'mia'))).status).toBe(302)

    expect(authorization.searchParams.get('client_key')).toBe(KEY)
    expect(authorization.searchParams.has('client_id')).toBe(false)
    const [redemption] = await received(TOKEN, 'authorization_code')
    expect(redemption).toMatchObject({ parameters: { client_key: KEY }, status: 200 })
    expect(redemption?.parameters).not.toHaveProperty('client_id')
  })

  it.each(['text/html', 'application/json', '*/*'])(
    'better-auth#3258: who starts a sign-in is redirected, and asking for %s changes nothing',
    async (Accept) => {
      const followed = await new Browser().get('/api/auth/signin/tiktok', { Accept })
      const posted = await new Browser().post('/api/auth/signin/tiktok', {}, { Accept })

      expect([followed.status, posted.status]).toEqual([302, 303])
      for (const response of [followed, posted])
        expect(response.headers.get('Location')).toMatch(/^https:\/\/www\.tiktok\.com\/v2\/auth\//)
    },
  )

  it('next-auth#9790, next-auth#9791, next-auth#10726, next-auth#10727: a key and a secret are enough to start and to sign in', async () => {
    const browser = new Browser(plain)

    expect((await browser.get('/healthz')).status).toBe(200)
    expect(await (await browser.get('/api/auth/signin')).text()).toContain('Continue with TikTok')
    expect((await browser.signIn('mia')).status).toBe(302)
    expect(await browser.session()).toMatchObject({ user: { name: 'Mia Lindqvist' } })
  })

  it('arctic#251: scopes are joined by commas, and every address ends with a slash', async () => {
    const browser = new Browser()
    const authorization = await browser.start()
    await browser.get(await browser.approve(authorization, 'mia'))

    expect(authorization.searchParams.get('scope')).toBe('user.info.basic,user.info.profile')
    const paths = (await standIn.log()).map(({ path }) => path)
    expect(paths).toEqual(['/v2/auth/authorize/', TOKEN, USER_INFO])
  })

  it('better-auth (unreported): a verifier follows a challenge, and fits it', async () => {
    await standIn.post('switches', { webPkce: 'verify-hex' })
    const browser = new Browser()
    const authorization = await browser.start()

    expect(authorization.searchParams.get('code_challenge')).toMatch(/^[0-9a-f]{64}$/)
    expect((await browser.get(await browser.approve(authorization, 'mia'))).status).toBe(302)
    const [redemption] = await received(TOKEN, 'authorization_code')
    expect(redemption?.parameters).toHaveProperty('code_verifier')
  })
})

describe('what went wrong elsewhere: the platform’s answers', () => {
  it('next-auth#5662: tokens inside of data, as the first version of the API sent them, are no tokens', async () => {
    const browser = new Browser()
    const data = {
      access_token: 'act.x',
      expires_in: 7200,
      open_id: '-000x',
      scope: 'user.info.basic',
      token_type: 'Bearer',
    }
    await standIn.fault({ path: TOKEN, body: { data, message: 'success' } })

    const response = await browser.signIn('mia')

    expect(await codeOf(response)).toBe('provider_invalid')
    expect(await browser.session()).toBeNull()
    expect(await received(USER_INFO)).toEqual([])
  })

  it('composio#3980, passport-tiktok#1: a wrong secret is called one, with the number that support asks for', async () => {
    const browser = new Browser(
      serviceWith({ AUTH_TIKTOK_SECRET: 'Wb4nVq8sLw2tZp7mXc9bHd3fGj6yTa1e' }),
    )

    const response = await browser.signIn('mia')

    expect(await codeOf(response)).toBe('provider_refused')
    expect(await received(TOKEN)).toMatchObject([{ status: 200 }])
    const line = logLines.findLast((text) => text.includes('provider_refused'))
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      upstreamError: 'invalid_client',
      logId: expect.stringMatching(/^\d{14}[0-9A-F]{20}$/),
    })
  })

  it('next-auth (unreported): the default scope tells no username, which nobody misses', async () => {
    const browser = new Browser(plain)
    const authorization = await browser.start()

    await browser.get(await browser.approve(authorization, 'noah'))

    expect(authorization.searchParams.get('scope')).toBe('user.info.basic')
    const { user } = (await browser.session()) ?? {}
    expect(user).toMatchObject({ name: 'Noah Adeyemi' })
    expect(user).not.toHaveProperty('username')
  })

  it('SocialiteProviders#1073: who has no union_id signs in, and is known the next time', async () => {
    const [first, second] = [new Browser(), new Browser()]

    expect((await first.signIn('uma')).status).toBe(302)
    expect((await second.signIn('uma')).status).toBe(302)

    const [one, other] = [await first.session(), await second.session()]
    expect(one?.user.name).toBe('Uma Castell')
    expect(other?.user.id).toBe(one?.user.id)
  })
})

describe('what went wrong elsewhere: people without an email address', () => {
  it('better-auth#9124, better-auth#3100: sign in, and no app is told of one', async () => {
    const browser = new Browser()
    await browser.signIn('mia', { callbackUrl: `${SHOP}/` })
    const app = new RelyingApp('web')

    const tokens = await app.tokens(browser, { scope: 'openid profile email' })

    const claims = await app.userinfo(tokens.access_token, tokens.claims()?.sub ?? '')
    expect(claims.name).toBe('Mia Lindqvist')
    expect(Object.keys({ ...claims, ...tokens.claims() }).join()).not.toContain('email')
  })

  it('better-auth#2172: link another account that has none either', async () => {
    const [first, second] = [await newcomer(), await newcomer()]
    const browser = new Browser()
    await browser.signIn(first, { prompt: 'login' })
    const { user } = (await browser.session()) ?? {}
    const page = await (await browser.get('/account')).text()
    const [, link = ''] = page.match(/href="([^"]*signin\/tiktok\?link[^"]*)"/) ?? []
    const start = await browser.get(link.replaceAll('&amp;', '&'), OWN_PAGE)

    await browser.get(await browser.approve(new URL(start.headers.get('Location') ?? ''), second))

    const elsewhere = new Browser()
    await elsewhere.signIn(second)
    expect((await elsewhere.session())?.user.id).toBe(user?.id)
    expect(user?.id).toMatch(/^usr_/)
  })
})

describe('what went wrong elsewhere: the platform’s tokens', () => {
  it('better-auth#4437, better-auth#10696: are refreshed in the name of the client key', async () => {
    await standIn.post('switches', { accessTtl: ALWAYS_OVER })
    const { browser, access_token } = await somebodyKept()

    const first = await platformToken(browser, access_token)
    const second = await platformToken(browser, access_token)

    expect(first.access_token).toMatch(/^act\./)
    expect(second.access_token).toMatch(/^act\./)
    expect(second.access_token).not.toBe(first.access_token)
    const refreshes = await received(TOKEN, 'refresh_token')
    expect(refreshes).toMatchObject([
      { parameters: { client_key: KEY }, status: 200 },
      { parameters: { client_key: KEY }, status: 200 },
    ])
    for (const { parameters } of refreshes) expect(parameters).not.toHaveProperty('client_id')
  })

  it('better-auth (unreported): end a year after the first of them, and the app learns that a sign-in is needed', async () => {
    await standIn.post('switches', { accessTtl: ALWAYS_OVER })
    const { browser, access_token } = await somebodyKept()
    expect(await platformToken(browser, access_token)).toHaveProperty('access_token')
    await standIn.post('clock', { advance: 366 * 24 * 3600 })

    expect(await platformToken(browser, access_token)).toMatchObject({
      error: 'invalid_grant',
      error_description: expect.stringContaining('sign in again'),
    })
  })
})
