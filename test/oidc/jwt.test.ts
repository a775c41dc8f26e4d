import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import {
  base64url,
  CompactEncrypt,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  jwtVerify,
  SignJWT,
} from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { type Algorithm, signJwt, verifyJwt } from '../../src/tokens/jwk.ts'
import { readKeyring } from '../../src/tokens/keyring.ts'
import { Browser, LOGIN } from '../browser.ts'
import { level } from '../soak/level.ts'
import { basic, post, RelyingApp, SECRETS, signedIn } from './relying-app.ts'

const web = basic('web', SECRETS['web'] ?? '')

afterEach(() => {
  vi.useRealTimers()
})

/** Who takes a token, and whether it took this one. */
const CONSUMERS: Record<string, (token: string, browser: Browser) => Promise<boolean>> = {
  userinfo: async (token) => (await userinfo(token)).status === 200,
  introspection: async (token) => (await introspect(token)).active,
  id_token_hint: async (token, browser) => {
    const url = await new RelyingApp().authorizationUrl({ prompt: 'none', id_token_hint: token })
    return ((await browser.get(url)).headers.get('Location') ?? '').includes('code=')
  },
  code: async (token) =>
    (await redeem({ grant_type: 'authorization_code', code: token })).status === 200,
  refresh_token: async (token) =>
    (await redeem({ grant_type: 'refresh_token', refresh_token: token })).status === 200,
  'session cookie': async (token) => {
    const thief = new Browser()
    thief.cookies.set('__Host-vestibule.session', token)
    return (await thief.session()) !== null
  },
}

function userinfo(token: string): Promise<Response> {
  return new Browser().get('/oidc/userinfo', { Authorization: `Bearer ${token}` })
}

async function introspect(token: string): Promise<{ active: boolean }> {
  const response = await post('/oidc/introspect', { token }, web)
  expect(response.status).toBe(200)
  return response.json()
}

function redeem(form: Record<string, string>): Promise<Response> {
  return post('/oidc/token', { ...form, redirect_uri: 'https://web.example/callback' }, web)
}

async function jwks(): Promise<JSONWebKeySet> {
  return new Browser().json('/.well-known/jwks.json')
}

/** A token that our own key has signed, whatever it says. */
async function signedByUs(
  header: object,
  claims: object,
  alg: Algorithm = 'ES256',
): Promise<string> {
  const { kid, key } = (await readKeyring(env, readConfig(env))).signingKey(alg)
  return signJwt({ alg, kid, ...header }, { ...claims }, key)
}

function encode(value: unknown): string {
  return base64url.encode(JSON.stringify(value))
}

describe('a token of one kind', () => {
  it('[E3][E4][F5] is taken where it belongs, and nowhere else', async () => {
    const browser = await signedIn()
    const {
      access_token,
      id_token = '',
      refresh_token = '',
    } = await new RelyingApp().tokens(browser, {
      scope: 'openid offline_access',
    })
    const full = await new RelyingApp('post').tokens(browser)
    const callback = await new RelyingApp().callback(browser)
    const attempting = new Browser()
    await attempting.start()
    const kinds: [string, string, string[]][] = [
      ['access token', access_token, ['userinfo', 'introspection']],
      ['ID token', id_token, ['id_token_hint']],
      ['refresh token', refresh_token, ['refresh_token']],
      ['code, which wants a verifier', callback.searchParams.get('code') ?? '', []],
      ['ID token of another client', full.id_token ?? '', []],
      ['session token', (await browser.session())?.token ?? '', []],
      ['session cookie', browser.cookies.get('__Host-vestibule.session') ?? '', ['session cookie']],
      ['attempt cookie', [...attempting.cookies.values()][0] ?? '', []],
      [
        'signed userinfo',
        new TextDecoder().decode(await (await userinfo(full.access_token)).arrayBuffer()),
        [],
      ],
      ['logout token', await signedByUs({ typ: 'logout+jwt' }, { ...decodeJwt(id_token) }), []],
    ]
    for (const [kind, token, takers] of kinds) {
      expect(token, kind).not.toBe('')
      const took: string[] = []
      for (const [name, takes] of Object.entries(CONSUMERS))
        if (await takes(token, browser)) took.push(name)

      expect([kind, took]).toEqual([kind, takers])
    }
  })

  it('[E3] that is signed userinfo is no hint of its own client', async () => {
    const browser = await signedIn()
    const { access_token } = await new RelyingApp('post').tokens(browser)
    const hint = new TextDecoder().decode(await (await userinfo(access_token)).arrayBuffer())

    const callback = await new RelyingApp('post').callback(browser, { id_token_hint: hint })

    expect(callback.searchParams.get('error')).toBe('invalid_request')
  })

  it('[F5][F6] is told from the others by the verifier of any API', async () => {
    const browser = await signedIn()
    const tokens = await new RelyingApp().tokens(browser)
    const keys = createLocalJWKSet(await jwks())
    const verify = (token: string, audience = 'https://orders.example') =>
      jwtVerify(token, keys, { issuer: LOGIN, audience, typ: 'at+jwt', algorithms: ['ES256'] })

    expect((await verify(tokens.access_token)).payload['client_id']).toBe('web')
    await expect(verify(tokens.access_token, 'https://stock.example')).rejects.toThrow('aud')
    await expect(verify(tokens.id_token ?? '', 'web')).rejects.toThrow()
    await expect(verify((await browser.session())?.token ?? '', LOGIN)).rejects.toThrow('typ')
  })
})

describe('a forged token', () => {
  it('[E1] is refused, whatever algorithm it names', async () => {
    const { access_token } = await new RelyingApp().tokens(await signedIn())
    const { kid = '' } = decodeProtectedHeader(access_token)
    const [, claims = '', signature] = access_token.split('.')
    const published = (await jwks()).keys.find((key) => key.kid === kid)
    const spki = await exportSPKI(
      (await importJWK(published ?? {}, 'ES256', { extractable: true })) as CryptoKey,
    )
    const forgeries = ['none', 'None', 'nOnE', '', 'HS256', 'RS256', undefined].flatMap((alg) => {
      const header = encode({ alg, typ: 'at+jwt', kid })
      return [`${header}.${claims}.`, `${header}.${claims}`, `${header}.${claims}.${signature}`]
    })
    for (const secret of [spki, spki.trim(), JSON.stringify(published), published?.x ?? '']) {
      const forging = new SignJWT(decodeJwt(access_token)).setProtectedHeader({
        alg: 'HS256',
        typ: 'at+jwt',
        kid,
      })
      forgeries.push(await forging.sign(new TextEncoder().encode(secret.padEnd(32))))
    }

    expect((await userinfo(access_token)).status).toBe(200)
    for (const forged of forgeries) {
      expect((await userinfo(forged)).status).toBe(401)
      expect(await introspect(forged)).toEqual({ active: false })
    }
  })

  it('[E2] is refused with a key of its own, wherever it says the key is', async () => {
    const browser = await signedIn()
    const { access_token, id_token = '' } = await new RelyingApp().tokens(browser)
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const jwk = await exportJWK(publicKey)
    const { kid = '' } = decodeProtectedHeader(access_token)
    for (const more of [
      { jwk },
      { jwk, kid },
      { jku: 'https://evil.example/jwks.json', kid: 'theirs' },
      { x5u: 'https://evil.example/x5u', kid },
      { x5c: ['MIIB'], kid },
      { kid },
      { kid: '__proto__' },
      {},
    ]) {
      const forge = (token: string, typ: string) =>
        new SignJWT(decodeJwt(token))
          .setProtectedHeader({ alg: 'ES256', typ, ...more })
          .sign(privateKey)

      expect((await userinfo(await forge(access_token, 'at+jwt'))).status).toBe(401)
      expect(await CONSUMERS['id_token_hint']?.(await forge(id_token, 'JWT'), browser)).toBe(false)
    }
  })

  it('[E2] is refused for a critical header, even when we have signed it', async () => {
    const claims = decodeJwt((await new RelyingApp().tokens(await signedIn())).access_token)

    expect((await userinfo(await signedByUs({ typ: 'at+jwt' }, claims))).status).toBe(200)
    expect(
      (await userinfo(await signedByUs({ typ: 'at+jwt', crit: ['x'], x: 1 }, claims))).status,
    ).toBe(401)
  })

  it.each([
    ['another issuer', { iss: 'https://evil.example' }],
    ['no issuer', { iss: undefined }],
    ['an end in the past', { exp: 1 }],
    ['no end', { exp: undefined }],
    ['an end that is null', { exp: null }],
    ['an end that is no number', { exp: 'never' }],
    ['an unknown grant', { jti: 'gnt_unknown.x' }],
    ['no id', { jti: undefined }],
    ['another person', { sub: 'usr_unknown' }],
    ['no person', { sub: undefined }],
  ])('[E9] is refused with %s, even when we have signed it', async (_, changes) => {
    const claims = decodeJwt((await new RelyingApp().tokens(await signedIn())).access_token)
    const token = await signedByUs({ typ: 'at+jwt' }, { ...claims, ...changes })

    expect((await userinfo(token)).status).toBe(401)
    expect(await introspect(token)).toEqual({ active: false })
  })

  it('[E9] is refused a second after its end', async () => {
    const app = new RelyingApp()
    const { access_token } = await app.tokens(await signedIn(), { scope: 'openid offline_access' })
    vi.useFakeTimers({ now: ((decodeJwt(access_token).exp ?? 0) - 1) * 1000, toFake: ['Date'] })
    expect((await userinfo(access_token)).status).toBe(200)

    vi.useFakeTimers({ now: (decodeJwt(access_token).exp ?? 0) * 1000, toFake: ['Date'] })

    expect((await userinfo(access_token)).status).toBe(401)
    expect(await introspect(access_token)).toEqual({ active: false })
  })

  it('[E10] is refused beyond 8 KiB and however deep, even when we have signed it', async () => {
    const claims = decodeJwt((await new RelyingApp().tokens(await signedIn())).access_token)
    const long = await signedByUs({ typ: 'at+jwt' }, { ...claims, x: 'x'.repeat(6000) })
    const deep = `${encode({ alg: 'ES256' })}.${base64url.encode('['.repeat(6000))}.AA`

    expect(long.length).toBeGreaterThan(8192)
    for (const token of [long, deep]) {
      expect((await userinfo(token)).status).toBe(401)
      expect(await introspect(token)).toEqual({ active: false })
    }
  })

  it('[E13] is not read when it is encrypted, even to a key of ours', async () => {
    const browser = await signedIn()
    const { access_token, id_token = '' } = await new RelyingApp().tokens(browser)
    const [{ n = '', e = '' } = {}] = (await jwks()).keys.filter(({ kty }) => kty === 'RSA')
    const key = await importJWK({ kty: 'RSA', n, e }, 'RSA-OAEP-256')
    const { kid = '' } = decodeProtectedHeader(id_token)
    for (const token of [access_token, id_token]) {
      const typ = decodeProtectedHeader(token).typ ?? ''
      for (const more of [{}, { kid }, { kid, typ, cty: 'JWT' }]) {
        const encrypted = await new CompactEncrypt(new TextEncoder().encode(token))
          .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', ...more })
          .encrypt(key)

        for (const [name, takes] of Object.entries(CONSUMERS))
          expect([name, await takes(encrypted, browser)]).toEqual([name, false])
      }
    }
  })

  it('[E14] of any shape is refused, and breaks nothing', async () => {
    const browser = await signedIn()
    const { access_token } = await new RelyingApp().tokens(browser)
    const { verifyingKeys } = await readKeyring(env, readConfig(env))
    const [head = '', body = '', signature = ''] = access_token.split('.')
    const part = fc.oneof(
      fc.constantFrom(head, body, signature, '', 'e30', 'bnVsbA', 'W10', '"'),
      fc.json().map((text) => base64url.encode(text)),
      fc.base64String(),
      fc.string(),
    )
    const shapes = fc
      .oneof(
        fc.array(part, { maxLength: 5 }).map((parts) => parts.join('.')),
        fc.string({ unit: 'binary' }),
      )
      .filter((shape) => shape !== access_token)

    await fc.assert(
      fc.asyncProperty(shapes, async (shape) => {
        expect(await verifyJwt(shape, verifyingKeys)).toBeUndefined()
      }),
      { numRuns: level.forgeries },
    )
    await fc.assert(
      fc.asyncProperty(shapes, async (shape) => {
        const shown = await post('/oidc/userinfo', { access_token: shape })

        expect(shown.status).toBe(401)
        expect(await introspect(shape)).toEqual({ active: false })
        expect(await CONSUMERS['id_token_hint']?.(shape || 'x', browser)).toBe(false)
      }),
      { numRuns: 200 },
    )
  })
})

describe('an ID token', () => {
  it('[E5][E6] says what it must, and of the right kind', async () => {
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
    })
  })

  it('[E6] names a person alike at every sign-in and app', async () => {
    const subjects = [
      (await new RelyingApp().tokens(await signedIn())).claims()?.sub,
      (await new RelyingApp('post').tokens(await signedIn())).claims()?.sub,
    ]

    expect(new Set(subjects).size).toBe(1)
    expect((await new RelyingApp().tokens(await signedIn('noah'))).claims()?.sub).not.toBe(
      subjects[0],
    )
  })

  it.each(['web', 'post'])('[E7] of %s vouches for its access token', async (clientId) => {
    const tokens = await new RelyingApp(clientId).tokens(await signedIn())
    const hash = await crypto.subtle.digest(
      'SHA-256',
      new TextEncoder().encode(tokens.access_token),
    )

    expect(tokens.claims()?.['at_hash']).toBe(base64url.encode(new Uint8Array(hash, 0, 16)))
  })

  it('[E8] holds what was asked for it one by one, and nothing it must not', async () => {
    const asked = {
      id_token: { name: null, email: null, iss: { value: 'https://evil.example' }, sub: null },
    }
    const claims = (
      await new RelyingApp().tokens(await signedIn(), { claims: JSON.stringify(asked) })
    ).claims()

    expect(claims).toMatchObject({ name: 'Mia Lindqvist', iss: LOGIN })
    expect(claims).not.toHaveProperty('email')
    expect(claims).not.toHaveProperty('picture')
  })

  it.each(['kid', 'alg', 'typ', 'crit'])(
    '[E14][G2] with a %s of any kind is refused, and nothing breaks',
    async (name) => {
      const encode = (value: unknown) => btoa(JSON.stringify(value)).replaceAll('=', '')
      for (const odd of [{ toString: 1 }, [], [{}], null, 7, true, '']) {
        const header = { alg: 'ES256', typ: 'at+jwt', kid: 'x', [name]: odd }
        const token = `${encode(header)}.${encode({ sub: odd, iss: odd, exp: odd })}.AAAA`
        const asked = await Promise.all([
          new Browser().get('/oidc/userinfo', { Authorization: `Bearer ${token}` }),
          new Browser().get(`/oidc/logout?id_token_hint=${token}`),
          post('/oidc/revoke', { token, client_id: 'shop' }),
          post('/oidc/token', {
            grant_type: 'refresh_token',
            client_assertion: token,
            client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          }),
        ])
        expect(asked.map(({ status }) => status)).toEqual([401, 400, 200, 401])
      }
    },
  )
})
