import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import type { Browser } from '../../browser.ts'
import { discoveryDocument } from '../oidc/published-metadata.ts'
import { bearer, getUserinfo, postForm, signedIn } from '../oidc/relying-app.ts'
import { ConformanceClient, RESPONSE_MODES, signedInWithEmail } from './conformance-client.ts'

type Claims = Record<string, unknown>

/** {@link https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims} */
const CLAIM_TYPES: Record<string, string> = {
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

const PROFILE_CLAIMS = ['name', 'picture', 'preferred_username', 'profile']
const EMAIL_CLAIMS = ['email', 'email_verified']

/** The claims of a userinfo response, whose format and types must be valid. */
async function readClaims(response: Response): Promise<Claims> {
  expect(response.status).toBe(200)
  expect(response.headers.get('Content-Type')).toMatch(/^application\/json/)
  const claims = await response.json<Claims>()
  for (const [name, value] of Object.entries(claims)) {
    expect(value, name).not.toBeNull()
    expect([name, typeof value]).toEqual([name, CLAIM_TYPES[name]])
  }
  return claims
}

describe.each(RESPONSE_MODES)('the Basic plan with response_mode=%s: userinfo', (mode) => {
  /** The claims that a client receives from userinfo and in its ID token. */
  async function claimsFor(browser: Browser, changes: Record<string, string>) {
    const client = new ConformanceClient(mode)
    const { access_token, id_token = '' } = await client.tokens(browser, changes)
    const userinfo = await readClaims(await getUserinfo(access_token))
    return { userinfo, idToken: decodeJwt(id_token) }
  }

  it.each<[string, (token: string) => Promise<Response>]>([
    ['oidcc-userinfo-get', getUserinfo],
    ['oidcc-userinfo-post-header', (token) => postForm('/oidc/userinfo', {}, bearer(token))],
    ['oidcc-userinfo-post-body', (access_token) => postForm('/oidc/userinfo', { access_token })],
  ])('[H1][H2] %s: returns the sub of the ID token, with valid types', async (_, request) => {
    const tokens = await new ConformanceClient(mode).tokens(await signedIn())

    const claims = await readClaims(await request(tokens.access_token))

    expect(claims['sub']).toBe(tokens.claims()?.sub)
  })

  it('[H3] oidcc-scope-profile: returns the profile from userinfo', async () => {
    const { userinfo, idToken } = await claimsFor(await signedIn(), { scope: 'openid profile' })

    expect(Object.keys(userinfo).sort()).toEqual([...PROFILE_CLAIMS, 'sub'].sort())
    for (const name of PROFILE_CLAIMS) expect(idToken).not.toHaveProperty(name)
  })

  it('[E8][H3] oidcc-scope-email: returns only the email from userinfo, and not in the ID token', async () => {
    const { scopes_supported } = await discoveryDocument()
    const browser = await signedInWithEmail()
    const { userinfo, idToken } = await claimsFor(browser, { scope: 'openid email' })

    expect(scopes_supported).toContain('email')
    expect(userinfo).toEqual({
      sub: idToken.sub,
      email: 'alice@mail.example',
      email_verified: true,
    })
    for (const name of EMAIL_CLAIMS) expect(idToken).not.toHaveProperty(name)
  })

  it.each([
    ['oidcc-scope-address', 'address'],
    ['oidcc-scope-phone', 'phone'],
  ])(
    '%s: is skipped, because discovery does not list the scope, which has no effect',
    async (_, scope) => {
      const { scopes_supported } = await discoveryDocument()
      const { userinfo, idToken } = await claimsFor(await signedIn(), { scope: `openid ${scope}` })

      expect(scopes_supported).not.toContain(scope)
      expect(userinfo).toEqual({ sub: idToken.sub })
    },
  )

  it('[H3] oidcc-scope-all: is skipped without address and phone; the other scopes work together', async () => {
    const { scopes_supported } = await discoveryDocument()
    const scope = 'openid profile email address phone'
    const { userinfo, idToken } = await claimsFor(await signedInWithEmail(), { scope })

    for (const name of ['address', 'phone']) expect(scopes_supported).not.toContain(name)
    expect(userinfo).toEqual({
      sub: idToken.sub,
      name: 'Alice Park',
      preferred_username: 'alice',
      email: 'alice@mail.example',
      email_verified: true,
    })
    for (const name of [...PROFILE_CLAIMS, ...EMAIL_CLAIMS])
      expect(idToken).not.toHaveProperty(name)
  })

  it('oidcc-claims-essential: returns an individually requested name from userinfo, not in the ID token', async () => {
    const claims = JSON.stringify({ userinfo: { name: { essential: true } } })
    const { userinfo, idToken } = await claimsFor(await signedIn(), { scope: 'openid', claims })

    expect(userinfo).toEqual({ sub: idToken.sub, name: 'Mia Lindqvist' })
    expect(idToken).not.toHaveProperty('name')
  })
})
