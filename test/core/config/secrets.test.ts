import { env } from 'cloudflare:workers'
import { CompactEncrypt, importJWK, type JSONWebKeySet, SignJWT } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { PURPOSES } from '../../../src/foundation/crypto/seal.ts'
import { Browser, LOGIN, serviceWith, WITH_GITHUB } from '../../browser.ts'
import { setClock } from '../../clock.ts'
import { readConfig } from '../../deployment.ts'
import { linkAddress, OWN_PAGE } from '../../link-account.ts'
import { signInNewUser } from '../../new-user.ts'
import { redeemCode } from '../../redeem-code.ts'
import { interactionOf, redirectUrl } from '../../redirect.ts'
import { basic, postForm, RelyingApp, SECRETS, signedIn, signingKey } from '../oidc/relying-app.ts'

const SECRET = SECRETS['web'] ?? ''
const AS_WEB = basic('web', SECRET)

/** The changes of a secret that a comparison must notice, some of which keep its length. */
const CHANGES: [string, (secret: string) => string][] = [
  ['another first character', (secret) => replaceAt(secret, 0)],
  ['another character in the middle', (secret) => replaceAt(secret, secret.length >> 1)],
  ['another last character', (secret) => replaceAt(secret, secret.length - 1)],
  ['another case', (secret) => secret.toUpperCase()],
  ['no last character', (secret) => secret.slice(0, -1)],
  ['one more character', (secret) => `${secret}x`],
  ['only its first character', (secret) => secret.slice(0, 1)],
]

function replaceAt(text: string, index: number): string {
  return `${text.slice(0, index)}${text[index] === 'x' ? 'y' : 'x'}${text.slice(index + 1)}`
}

describe('a secret', () => {
  it('[O8] of a client is accepted', async () => {
    const response = await postForm('/oidc/introspect', { token: 'x' }, AS_WEB)

    expect(response.status).toBe(200)
  })

  it.each(CHANGES)('[O8] of a client is rejected with %s', async (_, change) => {
    const response = await postForm(
      '/oidc/introspect',
      { token: 'x' },
      basic('web', change(SECRET)),
    )

    expect(response.status).toBe(401)
  })

  it.each(CHANGES)('[O8] against forged posts is rejected with %s', async (_, change) => {
    const browser = await signedIn()
    const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')

    const forged = await browser.fetch('/api/auth/signout', {
      form: { csrfToken: change(csrfToken) },
    })
    const genuine = await browser.fetch('/api/auth/signout', { form: { csrfToken } })

    expect([forged.status, genuine.status]).toEqual([403, 200])
  })

  it.each(CHANGES)('[B8] that is a code verifier is rejected with %s', async (_, change) => {
    const browser = await signedIn()
    const app = new RelyingApp()
    // Long enough to be a well-formed verifier without its last character as well.
    const verifier = `${app.verifier}-0`
    const callback = await app.callbackFor(browser, { code_challenge: await s256(verifier) })

    const response = await redeemCode(browser, app, callback, { code_verifier: change(verifier) })

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: expect.stringMatching(/^invalid_(grant|request)$/),
    })
  })

  it('[B8] that is a code verifier is accepted unchanged', async () => {
    const browser = await signedIn()
    const app = new RelyingApp()

    const response = await redeemCode(browser, app, await app.callbackFor(browser))

    expect(response.status).toBe(200)
  })

  it('[O12] does not depend on Math.random or the time', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.5)
    setClock(Date.now() / 1000)

    const secrets = await Promise.all([issueSecrets(), issueSecrets()])

    expect(random).not.toHaveBeenCalled()
    expect(new Set(secrets.flat()).size).toBe(secrets.flat().length)
    random.mockRestore()
  })
})

async function s256(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return new Uint8Array(digest).toBase64({ alphabet: 'base64url', omitPadding: true })
}

/** One value of everything that must be unpredictable or unique. */
async function issueSecrets(): Promise<string[]> {
  const { browser, userId } = await signInNewUser()
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  const authorization = await new Browser().start()
  const app = new RelyingApp()
  const callback = await app.callbackFor(browser, { scope: 'openid offline_access' })
  const tokens = await app.exchange(callback)
  return [
    userId,
    csrfToken,
    authorization.searchParams.get('state') ?? '',
    authorization.searchParams.get('code_challenge') ?? '',
    callback.searchParams.get('code') ?? '',
    tokens.refresh_token ?? '',
    tokens.access_token,
    ...secretCookies(browser),
  ]
}

/** All cookies except those of preferences, which are no secrets. */
function secretCookies({ cookies }: Browser): string[] {
  return [...cookies]
    .filter(([name]) => !/\.(provider|new-user)$/.test(name))
    .map(([, value]) => value)
}

describe('a sealed value', () => {
  const { seal } = readConfig(env)

  it.each(PURPOSES)('[O2] opens only for its purpose: %s', async (purpose) => {
    const sealed = await seal.seal(purpose, 'context', 'text')

    const openedFor = []
    for (const other of PURPOSES)
      if ((await seal.open(other, 'context', sealed)) !== undefined) openedFor.push(other)

    expect(openedFor).toEqual([purpose])
    expect(await seal.open(purpose, 'context', sealed)).toBe('text')
  })

  it('[O2] opens only in its context, and only unchanged', async () => {
    const sealed = await seal.seal('link', 'usr_a', 'text')

    expect(await seal.open('link', 'usr_b', sealed)).toBeUndefined()
    expect(await seal.open('link', 'usr_a', replaceAt(sealed, 20))).toBeUndefined()
    expect(await seal.open('link', 'usr_a', sealed.slice(0, -2))).toBeUndefined()
  })

  it('[O2] is accepted by the service only where it was issued for', async () => {
    const { values, acceptedBy } = await issueSealedValues()

    const accepted: string[] = []
    for (const [kind, value] of Object.entries(values))
      for (const [place, isAccepted] of Object.entries(acceptedBy))
        if (await isAccepted(value)) accepted.push(`${kind} as ${place}`)

    expect(accepted).toEqual(Object.keys(values).map((kind) => `${kind} as ${kind}`))
  })
})

/** A sealed value of each kind that leaves the service, and a request that accepts that kind. */
async function issueSealedValues() {
  const { browser } = await signInNewUser()
  await browser.json('/api/auth/csrf')
  const authorization = await browser.start()
  const callback = await browser.approve(authorization, 'mia')
  const [attemptCookie = ''] = browser.cookieNames('attempt.')
  const app = new RelyingApp()
  const appCallback = await app.callbackFor(browser)
  const tokens = await new RelyingApp().tokens(browser, { scope: 'openid offline_access' })
  const signIn = await browser.get(await app.authorizationUrl({ prompt: 'login' }))
  const interaction = interactionOf(signIn)
  const link = new URL(await linkAddress(browser, 'tiktok'), LOGIN)
  const cookie = (name: string) => browser.cookies.get(`__Host-vestibule.${name}`) ?? ''

  const values = {
    session: cookie('session'),
    csrf: cookie('csrf'),
    attempt: browser.cookies.get(attemptCookie) ?? '',
    interaction: cookie(`interaction.${interaction}`),
    link: link.searchParams.get('link') ?? '',
    refresh: (tokens.refresh_token ?? '').replace('rt_', ''),
    code: (appCallback.searchParams.get('code') ?? '').replace('ac_', ''),
  }
  const redeem = async (form: Record<string, string>) =>
    (await postForm('/oidc/token', form, AS_WEB)).status === 200

  const acceptedBy: Record<keyof typeof values, (value: string) => Promise<boolean>> = {
    session: async (value) =>
      (await new Browser().session({ Cookie: `__Host-vestibule.session=${value}` })) !== null,
    csrf: async (value) => {
      const headers = { Cookie: `__Host-vestibule.csrf=${value}` }
      const response = await new Browser().get('/api/auth/csrf', headers)
      return response.headers.getSetCookie().length === 0
    },
    attempt: async (value) => {
      const interactions = browser
        .cookieNames('interaction.')
        .map((name) => `${name}=${browser.cookies.get(name)}`)
      const cookies = [`${attemptCookie}=${value}`, ...interactions]
      const response = await new Browser().get(callback, { Cookie: cookies.join('; ') })
      return response.headers.get('Location') === `${LOGIN}/`
    },
    interaction: async (value) => {
      const headers = { Cookie: `__Host-vestibule.interaction.${interaction}=${value}` }
      const path = `/api/auth/signin?interaction=${interaction}`
      return (await new Browser(serviceWith(WITH_GITHUB)).get(path, headers)).status === 200
    },
    link: async (value) =>
      redirectUrl(await browser.get(`/api/auth/signin/tiktok?link=${value}`, OWN_PAGE)).host ===
      'www.tiktok.com',
    refresh: (value) => redeem({ grant_type: 'refresh_token', refresh_token: `rt_${value}` }),
    code: (value) =>
      redeem({
        grant_type: 'authorization_code',
        code: `ac_${value}`,
        redirect_uri: app.redirectUri,
        code_verifier: app.verifier,
      }),
  }
  return { values, acceptedBy }
}

describe('encryption by others', () => {
  it.each(['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'])(
    '[E13] is not announced in %s',
    async (path) => {
      const metadata = await new Browser().json<Record<string, unknown>>(path)

      expect(Object.keys(metadata).filter((name) => name.includes('encrypt'))).toEqual([])
    },
  )

  it('[E13] of a client assertion is rejected, even with a key of ours', async () => {
    const { keys } = await new Browser().json<JSONWebKeySet>('/.well-known/jwks.json')
    const { kid = '', n = '', e = '' } = keys.find(({ kty }) => kty === 'RSA') ?? {}
    const now = Math.floor(Date.now() / 1000)
    const assertion = await new SignJWT({ jti: crypto.randomUUID() })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setIssuer('signer')
      .setSubject('signer')
      .setAudience(LOGIN)
      .setIssuedAt(now)
      .setExpirationTime(now + 60)
      .sign(await signingKey())
    const encrypted = await new CompactEncrypt(new TextEncoder().encode(assertion))
      .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', cty: 'JWT', kid })
      .encrypt(await importJWK({ kty: 'RSA', n, e }, 'RSA-OAEP-256'))
    const introspect = (client_assertion: string) =>
      postForm('/oidc/introspect', {
        token: 'x',
        client_id: 'signer',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion,
      })

    expect((await introspect(encrypted)).status).toBe(401)
    expect((await introspect(assertion)).status).toBe(200)
  })
})
