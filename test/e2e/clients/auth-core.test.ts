import { Auth, type AuthConfig } from '@auth/core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { NAME } from '../../user-name.ts'
import { describeInBrowser, it, login } from '../browser-fixtures.ts'
import type { LoopbackServer } from '../loopback-server.ts'
import { choosePersona, chooseTikTok, deny, signInWithTikTok } from '../page-steps.ts'
import { PORTS } from '../ports.ts'
import { AUTH_JS, SECRET } from './registrations.ts'
import { serveApp } from './serve-app.ts'

/** The names of the errors that the library has logged. */
const loggedErrors: string[] = []

const CONFIG: AuthConfig = {
  basePath: '/auth',
  secret: 'the secret that this app encrypts its own cookies with',
  trustHost: true,
  logger: { error: ({ name }) => loggedErrors.push(name) },
  providers: [
    provider({ id: 'login', name: 'Login', clientId: 'auth-core' }),
    provider({
      id: 'login-userinfo',
      name: 'Userinfo',
      clientId: 'auth-core-userinfo',
      idToken: false,
    }),
  ],
  callbacks: {
    // The session has the user id of the login service.
    jwt: ({ token, account }) => ({ ...token, ...(account && { sub: account.providerAccountId }) }),
    session: ({ session, token }) => ({ ...session, sub: token.sub }),
  },
}

describeInBrowser('an app built on @auth/core', () => {
  let server: LoopbackServer

  beforeAll(async () => {
    server = await serveApp(PORTS.authJs, handle)
  })
  beforeEach(() => {
    loggedErrors.length = 0
  })
  afterAll(() => server.close())

  it.for([
    ['the ID token', 'Login'],
    ['userinfo, if the client has id_token_claims = "minimal"', 'Userinfo'],
  ] as const)('signs a user in and reads the name from %s', async ([, name], { page, persona }) => {
    await pressSignIn(page, name)
    await signInWithTikTok(page, persona)

    await page.waitForURL(`${AUTH_JS}/auth/session`)
    expect(JSON.parse((await page.locator('body').textContent()) ?? '')).toEqual({
      sub: expect.stringMatching(/^usr_/),
      user: { name: NAME, image: expect.stringMatching(/^http/) },
      expires: expect.any(String),
    })
    expect(loggedErrors).toEqual([])
  })

  it('does not sign in a user who cancels', async ({ page, persona }) => {
    await pressSignIn(page, 'Login')
    await chooseTikTok(page)
    await choosePersona(page, persona)
    await deny(page)
    await page.getByRole('link', { name: /^Go back to / }).click()

    await page.waitForURL(`${AUTH_JS}/auth/signin?error=OAuthCallbackError`)
    expect(loggedErrors).toEqual(['OAuthCallbackError'])
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
    // By default the library's sign-in page loads a logo from the internet.
    style: { logo: '' },
    ...settings,
  }
}

type OidcProvider = Extract<AuthConfig['providers'][number], { type: 'oidc' }>

/** The app consists of the library alone. */
function handle(request: Request): Response | Promise<Response> {
  const { pathname } = new URL(request.url)
  return pathname.startsWith('/auth/')
    ? Auth(request, CONFIG)
    : new Response('Not found', { status: 404 })
}

/** Starts on the app's own sign-in page; after the sign-in the app shows its session. */
async function pressSignIn(page: Page, name: string): Promise<void> {
  await page.goto(`${AUTH_JS}/auth/signin?callbackUrl=/auth/session`)
  await page.getByRole('button', { name: `Sign in with ${name}` }).click()
}
