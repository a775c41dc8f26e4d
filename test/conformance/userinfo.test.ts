import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { Browser } from '../browser.ts'
import { post, signedIn } from '../oidc/relying-app.ts'
import { Certifier, discovery, RESPONSE_MODES, signedInWithEmail } from './certifier.ts'

type Claims = Record<string, unknown>

/** {@link https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims} */
const TYPES: Record<string, string> = {
  ...Object.fromEntries(
    `sub name given_name family_name middle_name nickname preferred_username profile picture website
     email gender birthdate zoneinfo locale phone_number`
      .split(/\s+/)
      .map((name) => [name, 'string']),
  ),
  email_verified: 'boolean',
  phone_number_verified: 'boolean',
  address: 'object',
  updated_at: 'number',
}

const PROFILE = ['name', 'picture', 'preferred_username', 'profile']
const EMAIL = ['email', 'email_verified']

function get(token: string): Promise<Response> {
  return new Browser().get('/oidc/userinfo', { Authorization: `Bearer ${token}` })
}

/** The claims of an answer that is what a userinfo answer must be. */
async function claimsIn(response: Response): Promise<Claims> {
  expect(response.status).toBe(200)
  expect(response.headers.get('Content-Type')).toMatch(/^application\/json/)
  const claims = await response.json<Claims>()
  for (const [name, value] of Object.entries(claims)) {
    expect(value, name).not.toBeNull()
    expect([name, typeof value]).toEqual([name, TYPES[name]])
  }
  return claims
}

describe.each(RESPONSE_MODES)('the Basic plan in %s: userinfo', (mode) => {
  /** What an app with this request is told at userinfo, and in its ID token. */
  async function told(browser: Browser, changes: Record<string, string>) {
    const { access_token, id_token = '' } = await new Certifier(mode).tokens(browser, changes)
    return { userinfo: await claimsIn(await get(access_token)), idToken: decodeJwt(id_token) }
  }

  it.each<[string, (token: string) => Promise<Response>]>([
    ['oidcc-userinfo-get', get],
    [
      'oidcc-userinfo-post-header',
      (token) => post('/oidc/userinfo', {}, { Authorization: `Bearer ${token}` }),
    ],
    ['oidcc-userinfo-post-body', (access_token) => post('/oidc/userinfo', { access_token })],
  ])('[H1][H2] %s: says who the ID token is about, in the right types', async (_, ask) => {
    const tokens = await new Certifier(mode).tokens(await signedIn())

    const claims = await claimsIn(await ask(tokens.access_token))

    expect(claims['sub']).toBe(tokens.claims()?.sub)
  })

  it('[H3] oidcc-scope-profile: the profile at userinfo', async () => {
    const { userinfo, idToken } = await told(await signedIn(), { scope: 'openid profile' })

    expect(Object.keys(userinfo).sort()).toEqual([...PROFILE, 'sub'].sort())
    for (const name of PROFILE) expect(idToken).not.toHaveProperty(name)
  })

  it('[E8][H3] oidcc-scope-email: the email at userinfo, and neither in the ID token nor with a name', async () => {
    const { scopes_supported } = await discovery()
    const { userinfo, idToken } = await told(await signedInWithEmail(), { scope: 'openid email' })

    expect(scopes_supported).toContain('email')
    expect(userinfo).toEqual({
      sub: idToken.sub,
      email: 'alice@mail.example',
      email_verified: true,
    })
    for (const name of EMAIL) expect(idToken).not.toHaveProperty(name)
  })

  it.each([
    ['oidcc-scope-address', 'address'],
    ['oidcc-scope-phone', 'phone'],
  ])('%s: is skipped, because the scope is not announced, and gives nothing', async (_, scope) => {
    const { scopes_supported } = await discovery()
    const { userinfo, idToken } = await told(await signedIn(), { scope: `openid ${scope}` })

    expect(scopes_supported).not.toContain(scope)
    expect(userinfo).toEqual({ sub: idToken.sub })
  })

  it('[H3] oidcc-scope-all: is skipped for lack of two, and the scopes there are go together', async () => {
    const { scopes_supported } = await discovery()
    const scope = 'openid profile email address phone'
    const { userinfo, idToken } = await told(await signedInWithEmail(), { scope })

    for (const name of ['address', 'phone']) expect(scopes_supported).not.toContain(name)
    expect(userinfo).toEqual({
      sub: idToken.sub,
      name: 'Alice Park',
      preferred_username: 'alice',
      email: 'alice@mail.example',
      email_verified: true,
    })
    for (const name of [...PROFILE, ...EMAIL]) expect(idToken).not.toHaveProperty(name)
  })

  it('oidcc-claims-essential: a name asked for by itself is at userinfo, and not in the ID token', async () => {
    const claims = JSON.stringify({ userinfo: { name: { essential: true } } })
    const { userinfo, idToken } = await told(await signedIn(), { scope: 'openid', claims })

    expect(userinfo).toEqual({ sub: idToken.sub, name: 'Mia Lindqvist' })
    expect(idToken).not.toHaveProperty('name')
  })
})
