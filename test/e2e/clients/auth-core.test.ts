import { Auth, type AuthConfig } from '@auth/core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { choosePersona, continueAs, describeInBrowser, it, login } from '../visit.ts'
import { AUTH_JS, AUTH_JS_PORT, SECRET } from './registered.ts'
import { serve } from './serve.ts'

/** What the library has complained of, by the names of its errors. */
const troubles: string[] = []

const CONFIG: AuthConfig = {
  basePath: '/auth',
  secret: 'the secret with which this app seals its own cookies',
  trustHost: true,
  logger: { error: ({ name }) => troubles.push(name) },
  providers: [
    provider({ id: 'login', name: 'Login', clientId: 'auth-js' }),
    provider({
      id: 'login-userinfo',
      name: 'Userinfo',
      clientId: 'auth-js-userinfo',
      idToken: false,
    }),
  ],
  callbacks: {
    // The session names the person as the login service does.
    jwt: ({ token, account }) => ({ ...token, ...(account && { sub: account.providerAccountId }) }),
    session: ({ session, token }) => ({ ...session, sub: token.sub }),
  },
}

describeInBrowser('an app built on @auth/core', () => {
  let stop: () => Promise<void>

  beforeAll(async () => {
    stop = await serve(AUTH_JS_PORT, answer)
  })
  beforeEach(() => {
    troubles.length = 0
  })
  afterAll(() => stop())

  it.for([
    ['the ID token, where the client has id_token_claims = "full"', 'Login'],
    ['userinfo', 'Userinfo'],
  ] as const)(
    'signs a person in whose name it has from %s',
    async ([, name], { page, persona }) => {
      await pressSignIn(page, name)
      await continueAs(page, persona)

      await page.waitForURL(`${AUTH_JS}/auth/session`)
      expect(JSON.parse((await page.locator('body').textContent()) ?? '')).toEqual({
        sub: expect.stringMatching(/^usr_/),
        user: { name: 'Mia Lindqvist', image: expect.stringMatching(/^http/) },
        expires: expect.any(String),
      })
      expect(troubles).toEqual([])
    },
  )

  it('signs nobody in who changes their mind', async ({ page, persona }) => {
    await pressSignIn(page, 'Login')
    await page.getByRole('link', { name: 'Continue with TikTok' }).click()
    await choosePersona(page, persona)
    await page.getByTestId('deny').click()
    await page.getByRole('link', { name: 'Go back to where you came from' }).click()

    await page.waitForURL(`${AUTH_JS}/auth/signin?error=OAuthCallbackError`)
    expect(troubles).toEqual(['OAuthCallbackError'])
    const session = await page.request.get(`${AUTH_JS}/auth/session`)
    expect(await session.json()).toBeNull()
  })
})

function provider(
  settings: Pick<OidcProvider, 'id' | 'name' | 'clientId'> & { idToken?: boolean },
): OidcProvider {
  return {
    type: 'oidc',
    issuer: login,
    clientSecret: SECRET,
    checks: ['pkce', 'state', 'nonce'],
    // The library's sign-in page would fetch one from the internet.
    style: { logo: '' },
    ...settings,
  }
}

type OidcProvider = Extract<AuthConfig['providers'][number], { type: 'oidc' }>

/** The app is the library alone. */
function answer(request: Request): Response | Promise<Response> {
  const { pathname } = new URL(request.url)
  return pathname.startsWith('/auth/')
    ? Auth(request, CONFIG)
    : new Response('Nothing here', { status: 404 })
}

/** From the app's own sign-in page. Afterwards it shows who is signed in. */
async function pressSignIn(page: Page, name: string): Promise<void> {
  await page.goto(`${AUTH_JS}/auth/signin?callbackUrl=/auth/session`)
  await page.getByRole('button', { name: `Sign in with ${name}` }).click()
}
