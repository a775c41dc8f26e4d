import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import {
  base64url,
  CompactEncrypt,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  SignJWT,
} from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readKeyring } from '../../../src/core/tokens/keyring.ts'
import type { Algorithm } from '../../../src/core/tokens/keyring-object.ts'
import { verifyAccessToken } from '../../../src/core/tokens/verify.ts'
import { anyCharacter } from '../../any-character.ts'
import { Browser, LOGIN } from '../../browser.ts'
import { setClock } from '../../clock.ts'
import { readConfig } from '../../deployment.ts'
import { level } from '../../soak/level.ts'
import { publishedKeys, verifyWithPublishedKeys } from './published-metadata.ts'
import { basic, getUserinfo, logoutUrl, postForm, RelyingApp, signedIn } from './relying-app.ts'
import { encodeJson } from './unsigned-jwt.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** Every place that accepts a token, and whether it accepts this one. */
const CONSUMERS: Record<string, (token: string, browser: Browser) => Promise<boolean>> = {
  userinfo: async (token) => (await getUserinfo(token)).status === 200,
  introspection: async (token) => (await introspect(token)).active,
  id_token_hint: isAcceptedAsHint,
  code: async (token) =>
    (await requestTokens({ grant_type: 'authorization_code', code: token })).status === 200,
  refresh_token: async (token) =>
    (await requestTokens({ grant_type: 'refresh_token', refresh_token: token })).status === 200,
  'session cookie': async (token) => {
    const browser = new Browser()
    browser.cookies.set('__Host-vestibule.session', token)
    return (await browser.session()) !== null
  },
}

async function introspect(token: string): Promise<{ active: boolean }> {
  const response = await postForm('/oidc/introspect', { token }, basic('web'))
  expect(response.status).toBe(200)
  return response.json()
}

async function isAcceptedAsHint(token: string, browser: Browser): Promise<boolean> {
  const url = await new RelyingApp().authorizationUrl({ prompt: 'none', id_token_hint: token })
  return ((await browser.get(url)).headers.get('Location') ?? '').includes('code=')
}

function requestTokens(form: Record<string, string>): Promise<Response> {
  const app = new RelyingApp('web')
  return app.requestTokens({ ...form, redirect_uri: app.redirectUri })
}

/** The userinfo response of a client that is registered to have it signed. */
async function signedUserinfo(accessToken: string): Promise<string> {
  return new TextDecoder().decode(await (await getUserinfo(accessToken)).arrayBuffer())
}

/** A token with any content, signed with the service's own key. */
async function signWithOwnKey(
  header: object,
  claims: object,
  alg: Algorithm = 'ES256',
): Promise<string> {
  const { kid, key } = (await readKeyring(env, readConfig(env))).signingKey(alg)
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg, kid, ...header })
    .sign(key, { crit: { x: true } })
}

/** The claims of a valid access token. */
async function accessTokenClaims() {
  return decodeJwt((await new RelyingApp().tokens(await signedIn())).access_token)
}

describe('a token of one kind', () => {
  it('[E3][E4][F5] is accepted where it belongs and nowhere else', async () => {
    const browser = await signedIn()
    const tokens = await new RelyingApp().tokens(browser, { scope: 'openid offline_access' })
    const { access_token, id_token = '', refresh_token = '' } = tokens
    const otherClients = await new RelyingApp('post').tokens(browser)
    const callback = await new RelyingApp().callbackFor(browser)
    const browserWithAttempt = new Browser()
    await browserWithAttempt.start()
    const logoutToken = await signWithOwnKey({ typ: 'logout+jwt' }, { ...decodeJwt(id_token) })
    const kinds: [kind: string, token: string, consumers: string[]][] = [
      ['access token', access_token, ['userinfo', 'introspection']],
      ['ID token', id_token, ['id_token_hint']],
      ['refresh token', refresh_token, ['introspection', 'refresh_token']],
      ['code, without its verifier', callback.searchParams.get('code') ?? '', []],
      ['ID token of another client', otherClients.id_token ?? '', []],
      ['session token', (await browser.session())?.token ?? '', []],
      ['session cookie', browser.cookies.get('__Host-vestibule.session') ?? '', ['session cookie']],
      ['attempt cookie', [...browserWithAttempt.cookies.values()][0] ?? '', []],
      ['signed userinfo', await signedUserinfo(otherClients.access_token), []],
      ['logout token', logoutToken, []],
    ]

    for (const [kind, token, consumers] of kinds) {
      expect(token, kind).not.toBe('')
      const acceptedBy: string[] = []
      for (const [name, accepts] of Object.entries(CONSUMERS))
        if (await accepts(token, browser)) acceptedBy.push(name)

      expect([kind, acceptedBy]).toEqual([kind, consumers])
    }
  })

  it('[E3] that is a signed userinfo response is not accepted as a hint from its own client', async () => {
    const browser = await signedIn()
    const { access_token } = await new RelyingApp('post').tokens(browser)
    const hint = await signedUserinfo(access_token)

    const callback = await new RelyingApp('post').callbackFor(browser, { id_token_hint: hint })

    expect(callback.searchParams.get('error')).toBe('invalid_request')
  })

  it('[F5][F6] is distinguished from the others by the JWT library of an API', async () => {
    const browser = await signedIn()
    const tokens = await new RelyingApp().tokens(browser)
    const verify = (token: string, audience = 'https://orders.example') =>
      verifyWithPublishedKeys(token, { audience, typ: 'at+jwt', algorithms: ['ES256'] })

    expect((await verify(tokens.access_token)).payload['client_id']).toBe('web')
    await expect(verify(tokens.access_token, 'https://stock.example')).rejects.toThrow('aud')
    await expect(verify(tokens.id_token ?? '', 'web')).rejects.toThrow()
    await expect(verify((await browser.session())?.token ?? '', LOGIN)).rejects.toThrow('typ')
  })
})

describe('a forged token', () => {
  it('[E1] is rejected, whatever algorithm its header names', async () => {
    const { access_token } = await new RelyingApp().tokens(await signedIn())
    const { kid = '' } = decodeProtectedHeader(access_token)
    const [, claims = '', signature] = access_token.split('.')
    const publishedKey = (await publishedKeys()).keys.find((key) => key.kid === kid)
    const spki = await exportSPKI(
      (await importJWK(publishedKey ?? {}, 'ES256', { extractable: true })) as CryptoKey,
    )
    const forgeries = ['none', 'None', 'nOnE', '', 'HS256', 'RS256', undefined].flatMap((alg) => {
      const header = encodeJson({ alg, typ: 'at+jwt', kid })
      return [`${header}.${claims}.`, `${header}.${claims}`, `${header}.${claims}.${signature}`]
    })
    // The public key as an HMAC secret.
    for (const secret of [spki, spki.trim(), JSON.stringify(publishedKey), publishedKey?.x ?? '']) {
      const unsigned = new SignJWT(decodeJwt(access_token)).setProtectedHeader({
        alg: 'HS256',
        typ: 'at+jwt',
        kid,
      })
      forgeries.push(await unsigned.sign(new TextEncoder().encode(secret.padEnd(32))))
    }

    expect((await getUserinfo(access_token)).status).toBe(200)
    for (const forged of forgeries) {
      expect((await getUserinfo(forged)).status).toBe(401)
      expect(await introspect(forged)).toEqual({ active: false })
    }
  })

  it('[E2] is rejected when signed with another key, however its header refers to the key', async () => {
    const browser = await signedIn()
    const { access_token, id_token = '' } = await new RelyingApp().tokens(browser)
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const jwk = await exportJWK(publicKey)
    const { kid = '' } = decodeProtectedHeader(access_token)
    const headers = [
      { jwk },
      { jwk, kid },
      { jku: 'https://evil.example/jwks.json', kid: 'theirs' },
      { x5u: 'https://evil.example/x5u', kid },
      { x5c: ['MIIB'], kid },
      { kid },
      { kid: '__proto__' },
      {},
    ]

    for (const header of headers) {
      const forge = (token: string, typ: string) =>
        new SignJWT(decodeJwt(token))
          .setProtectedHeader({ alg: 'ES256', typ, ...header })
          .sign(privateKey)

      expect((await getUserinfo(await forge(access_token, 'at+jwt'))).status).toBe(401)
      expect(await isAcceptedAsHint(await forge(id_token, 'JWT'), browser)).toBe(false)
    }
  })

  it('[E2] is rejected with a critical header, even when signed with our key', async () => {
    const claims = await accessTokenClaims()
    const ordinary = await signWithOwnKey({ typ: 'at+jwt' }, claims)
    const critical = await signWithOwnKey({ typ: 'at+jwt', crit: ['x'], x: 1 }, claims)

    expect((await getUserinfo(ordinary)).status).toBe(200)
    expect((await getUserinfo(critical)).status).toBe(401)
  })

  it.each([
    ['another issuer', { iss: 'https://evil.example' }],
    ['no issuer', { iss: undefined }],
    ['an expiry in the past', { exp: 1 }],
    ['no expiry', { exp: undefined }],
    ['an expiry that is null', { exp: null }],
    ['an expiry that is not a number', { exp: 'never' }],
    ['an unknown grant', { jti: 'gnt_unknown.x' }],
    ['no jti', { jti: undefined }],
    ['another user', { sub: 'usr_unknown' }],
    ['no user', { sub: undefined }],
  ])('[E9] is rejected with %s, even when signed with our key', async (_, changes) => {
    const claims = await accessTokenClaims()
    const token = await signWithOwnKey({ typ: 'at+jwt' }, { ...claims, ...changes })

    expect((await getUserinfo(token)).status).toBe(401)
    expect(await introspect(token)).toEqual({ active: false })
  })

  it('[E10] is rejected beyond 8 KiB and when deeply nested, even when signed with our key', async () => {
    const claims = await accessTokenClaims()
    const long = await signWithOwnKey({ typ: 'at+jwt' }, { ...claims, x: 'x'.repeat(6000) })
    const nested = `${encodeJson({ alg: 'ES256' })}.${base64url.encode('['.repeat(6000))}.AA`

    expect(long.length).toBeGreaterThan(8192)
    for (const token of [long, nested]) {
      expect((await getUserinfo(token)).status).toBe(401)
      expect(await introspect(token)).toEqual({ active: false })
    }
  })

  it('[E13] is rejected when encrypted, even to one of our keys', async () => {
    const browser = await signedIn()
    const { access_token, id_token = '' } = await new RelyingApp().tokens(browser)
    const [{ n = '', e = '' } = {}] = (await publishedKeys()).keys.filter(
      ({ kty }) => kty === 'RSA',
    )
    const key = await importJWK({ kty: 'RSA', n, e }, 'RSA-OAEP-256')
    const { kid = '' } = decodeProtectedHeader(id_token)
    for (const token of [access_token, id_token]) {
      const typ = decodeProtectedHeader(token).typ ?? ''
      for (const header of [{}, { kid }, { kid, typ, cty: 'JWT' }]) {
        const encrypted = await new CompactEncrypt(new TextEncoder().encode(token))
          .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', ...header })
          .encrypt(key)

        for (const [name, accepts] of Object.entries(CONSUMERS))
          expect([name, await accepts(encrypted, browser)]).toEqual([name, false])
      }
    }
  })

  it('[E14] of any shape is rejected without an unexpected error', async () => {
    const browser = await signedIn()
    const { access_token } = await new RelyingApp().tokens(browser)
    const [header = '', claims = '', signature = ''] = access_token.split('.')
    const part = fc.oneof(
      fc.constantFrom(header, claims, signature, '', 'e30', 'bnVsbA', 'W10', '"'),
      fc.json().map((text) => base64url.encode(text)),
      fc.base64String(),
      fc.string(),
    )
    const anyToken = fc
      .oneof(
        fc.array(part, { maxLength: 5 }).map((parts) => parts.join('.')),
        fc.string({ unit: anyCharacter }),
      )
      .filter((token) => token !== access_token)

    await fc.assert(
      fc.asyncProperty(anyToken, async (token) => {
        expect(await verifyAccessToken(env, readConfig(env), token)).toBeUndefined()
      }),
      { numRuns: level.forgeries },
    )
    await fc.assert(
      fc.asyncProperty(anyToken, async (token) => {
        const userinfo = await postForm('/oidc/userinfo', { access_token: token })

        expect(userinfo.status).toBe(401)
        expect(await introspect(token)).toEqual({ active: false })
        expect(await isAcceptedAsHint(token || 'x', browser)).toBe(false)
      }),
      { numRuns: 200 },
    )
  })

  it.each(['kid', 'alg', 'typ', 'crit'])(
    '[E14][G2] with a %s of an unexpected type is rejected without an unexpected error',
    async (name) => {
      for (const value of [{ toString: 1 }, [], [{}], null, 7, true, '']) {
        const header = { alg: 'ES256', typ: 'at+jwt', kid: 'x', [name]: value }
        const claims = { sub: value, iss: value, exp: value }
        const token = `${encodeJson(header)}.${encodeJson(claims)}.AAAA`

        const responses = await Promise.all([
          getUserinfo(token),
          new Browser().get(logoutUrl({ id_token_hint: token })),
          postForm('/oidc/revoke', { token, client_id: 'shop' }),
          postForm('/oidc/token', {
            grant_type: 'refresh_token',
            client_assertion: token,
            client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          }),
        ])

        expect(responses.map(({ status }) => status)).toEqual([401, 400, 200, 401])
      }
    },
  )
})

describe('an access token', () => {
  it('[E9] is accepted until its expiry and rejected from then on', async () => {
    const { access_token } = await new RelyingApp().tokens(await signedIn(), {
      scope: 'openid offline_access',
    })
    const { exp = 0 } = decodeJwt(access_token)
    setClock(exp - 1)
    expect((await getUserinfo(access_token)).status).toBe(200)

    setClock(exp)

    expect((await getUserinfo(access_token)).status).toBe(401)
    expect(await introspect(access_token)).toEqual({ active: false })
  })
})

describe('an ID token', () => {
  it('[E5][E6] contains exactly the expected claims', async () => {
    const app = new RelyingApp()
    const { id_token = '' } = await app.tokens(await signedIn())

    const claims = decodeJwt(id_token)

    expect(claims).toEqual({
      iss: LOGIN,
      sub: expect.stringMatching(/^usr_[\w-]{22}$/),
      aud: 'web',
      iat: expect.closeTo(Date.now() / 1000, -1),
      exp: (claims.iat ?? 0) + 3600,
      auth_time: expect.closeTo(Date.now() / 1000, -1),
      sid: expect.stringMatching(/^ses_/),
      acr: 'federated',
      at_hash: expect.any(String),
      nonce: app.nonce,
      // The claims of the scope `profile`.
      name: 'Mia Lindqvist',
      preferred_username: 'mia',
      picture: expect.stringMatching(/^https:/),
      profile: expect.stringMatching(/^https:/),
    })
  })

  it('[E6] has the same sub for a user at every sign-in and app', async () => {
    const subjectOf = async (clientId: string, persona: string) =>
      (await new RelyingApp(clientId).tokens(await signedIn(persona))).claims()?.sub
    const subject = await subjectOf('web', 'mia')

    expect(await subjectOf('post', 'mia')).toBe(subject)
    expect(await subjectOf('web', 'noah')).not.toBe(subject)
  })

  it.each(['web', 'post'])('[E7] of %s has the hash of its access token', async (clientId) => {
    const tokens = await new RelyingApp(clientId).tokens(await signedIn())
    const hash = await crypto.subtle.digest(
      'SHA-256',
      new TextEncoder().encode(tokens.access_token),
    )

    expect(tokens.claims()?.['at_hash']).toBe(base64url.encode(new Uint8Array(hash, 0, 16)))
  })

  it('[E8] contains individually requested claims, and no claim that must not be overridden', async () => {
    const requested = {
      id_token: { name: null, email: null, iss: { value: 'https://evil.example' }, sub: null },
    }
    const tokens = await new RelyingApp().tokens(await signedIn(), {
      scope: 'openid',
      claims: JSON.stringify(requested),
    })

    const claims = tokens.claims()

    expect(claims).toMatchObject({ name: 'Mia Lindqvist', iss: LOGIN })
    expect(claims).not.toHaveProperty('email')
    expect(claims).not.toHaveProperty('picture')
  })
})
