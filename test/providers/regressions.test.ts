import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import {
  Browser,
  lastLogEntry,
  SHOP,
  serviceWith,
  standIn,
  TOKEN_PATH,
  USER_INFO_PATH,
} from '../browser.ts'
import { RelyingApp } from '../core/oidc/relying-app.ts'
import { errorCode } from '../html.ts'
import { startLinking } from '../link-account.ts'
import { createPlatformUser, signInNewUser } from '../new-user.ts'
import { redirectUrl } from '../redirect.ts'

const CLIENT_KEY = env.AUTH_TIKTOK_ID

/** A deployment with the required settings of the platform only. */
const requiredSettings = serviceWith({ AUTH_TIKTOK_SCOPE: undefined })

afterEach(async () => {
  await standIn.post('switches', { accessTtl: 7200, webPkce: 'ignore' })
})

/** The requests to this path that the platform received, optionally with this grant type. */
async function receivedRequests(path: string, grantType?: string) {
  return (await standIn.log()).filter(
    (entry) => entry.path === path && (!grantType || entry.parameters['grant_type'] === grantType),
  )
}

describe('a bug of another library in the authorization request', () => {
  it('better-auth#3828, better-auth#10696, next-auth#11468: the client is identified by client_key only', async () => {
    const browser = new Browser()
    const authorization = await browser.start()

    expect((await browser.get(await browser.approve(authorization, 'mia'))).status).toBe(302)

    expect(authorization.searchParams.get('client_key')).toBe(CLIENT_KEY)
    expect(authorization.searchParams.has('client_id')).toBe(false)
    const [redemption] = await receivedRequests(TOKEN_PATH, 'authorization_code')
    expect(redemption).toMatchObject({ parameters: { client_key: CLIENT_KEY }, status: 200 })
    expect(redemption?.parameters).not.toHaveProperty('client_id')
  })

  it.each(['text/html', 'application/json', '*/*'])(
    'better-auth#3258: starting a sign-in redirects, even with Accept: %s',
    async (Accept) => {
      const byGet = await new Browser().get('/api/auth/signin/tiktok', { Accept })
      const byPost = await new Browser().post('/api/auth/signin/tiktok', {}, { Accept })

      expect([byGet.status, byPost.status]).toEqual([302, 303])
      for (const response of [byGet, byPost])
        expect(response.headers.get('Location')).toMatch(/^https:\/\/www\.tiktok\.com\/v2\/auth\//)
    },
  )

  it('next-auth#9790, next-auth#9791, next-auth#10726, next-auth#10727: a key and a secret are the only settings required to sign in', async () => {
    const browser = new Browser(requiredSettings)

    expect((await browser.get('/healthz')).status).toBe(200)
    expect(await (await browser.get('/api/auth/signin')).text()).toContain('Sign in with TikTok')
    expect((await browser.signIn('mia')).status).toBe(302)
    expect(await browser.session()).toMatchObject({ user: { name: 'Mia Lindqvist' } })
  })

  it('arctic#251: scopes are separated by commas, and every path ends with a slash', async () => {
    const browser = new Browser()
    const authorization = await browser.start()

    await browser.get(await browser.approve(authorization, 'mia'))

    expect(authorization.searchParams.get('scope')).toBe('user.info.basic,user.info.profile')
    const paths = (await standIn.log()).map(({ path }) => path)
    expect(paths).toEqual(['/v2/auth/authorize/', TOKEN_PATH, USER_INFO_PATH])
  })

  it('better-auth (unreported): the verifier is sent whenever a challenge was, and matches it', async () => {
    await standIn.post('switches', { webPkce: 'verify-hex' })
    const browser = new Browser()
    const authorization = await browser.start()

    expect(authorization.searchParams.get('code_challenge')).toMatch(/^[0-9a-f]{64}$/)
    expect((await browser.get(await browser.approve(authorization, 'mia'))).status).toBe(302)
    const [redemption] = await receivedRequests(TOKEN_PATH, 'authorization_code')
    expect(redemption?.parameters).toHaveProperty('code_verifier')
  })
})

describe("a bug of another library in the platform's responses", () => {
  it('next-auth#5662: tokens inside of data, as in version 1 of the API, are rejected', async () => {
    const browser = new Browser()
    const data = {
      access_token: 'act.x',
      expires_in: 7200,
      open_id: '-000x',
      scope: 'user.info.basic',
      token_type: 'Bearer',
    }
    await standIn.fault({ path: TOKEN_PATH, body: { data, message: 'success' } })

    const response = await browser.signIn('mia')

    expect(await errorCode(response)).toBe('provider_invalid')
    expect(await browser.session()).toBeNull()
    expect(await receivedRequests(USER_INFO_PATH)).toEqual([])
  })

  it('composio#3980, passport-tiktok#1: a wrong secret is logged as such, with the log_id that support asks for', async () => {
    const browser = new Browser(
      serviceWith({ AUTH_TIKTOK_SECRET: 'Wb4nVq8sLw2tZp7mXc9bHd3fGj6yTa1e' }),
    )

    const response = await browser.signIn('mia')

    expect(await errorCode(response)).toBe('provider_refused')
    expect(await receivedRequests(TOKEN_PATH)).toMatchObject([{ status: 200 }])
    expect(lastLogEntry('provider_refused')).toMatchObject({
      upstreamError: 'invalid_client',
      logId: expect.stringMatching(/^\d{14}[0-9A-F]{20}$/),
    })
  })

  it('next-auth (unreported): the default scope does not include the username, which is optional', async () => {
    const browser = new Browser(requiredSettings)
    const authorization = await browser.start()

    await browser.get(await browser.approve(authorization, 'noah'))

    expect(authorization.searchParams.get('scope')).toBe('user.info.basic')
    const { user } = (await browser.session()) ?? {}
    expect(user).toMatchObject({ name: 'Noah Adeyemi' })
    expect(user).not.toHaveProperty('username')
  })

  it('SocialiteProviders#1073: a user without a union_id signs in, and is the same user the next time', async () => {
    const [first, second] = [new Browser(), new Browser()]

    expect((await first.signIn('uma')).status).toBe(302)
    expect((await second.signIn('uma')).status).toBe(302)

    const session = await first.session()
    expect(session?.user.name).toBe('Uma Castell')
    expect((await second.session())?.user.id).toBe(session?.user.id)
  })
})

describe('a bug of another library with users without an email address', () => {
  it('better-auth#9124, better-auth#3100: they sign in, and apps get no email claim', async () => {
    const browser = new Browser()
    await browser.signIn('mia', { callbackUrl: `${SHOP}/` })
    const app = new RelyingApp('web')

    const tokens = await app.tokens(browser, { scope: 'openid profile email' })

    const claims = await app.userinfo(tokens.access_token, tokens.claims()?.sub ?? '')
    expect(claims.name).toBe('Mia Lindqvist')
    expect(Object.keys({ ...claims, ...tokens.claims() }).join()).not.toContain('email')
  })

  it('better-auth#2172: they link another account without one', async () => {
    const { browser, userId } = await signInNewUser()
    const secondAccount = await createPlatformUser()
    const authorization = redirectUrl(await startLinking(browser, 'tiktok'))

    await browser.get(await browser.approve(authorization, secondAccount))

    const secondBrowser = new Browser()
    await secondBrowser.signIn(secondAccount)
    expect((await secondBrowser.session())?.user.id).toBe(userId)
    expect(userId).toMatch(/^usr_/)
  })
})
