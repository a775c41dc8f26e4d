import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { decodeJwt, SignJWT } from 'jose'
import * as client from 'openid-client'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { options } from '../../../src/deployment.ts'
import { senderConstrained } from '../../../src/features/sender-constrained/feature.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { type Browser, LOGIN, serviceOf, serviceWith } from '../../browser.ts'
import { advanceClock, stopClock } from '../../clock.ts'
import { issueToken, registerApi, registerMachine } from '../../core/oidc/machines.ts'
import { calls, recordedBindings } from '../../core/oidc/recorded-calls.ts'
import {
  basic,
  bearer,
  formRequest,
  OFFLINE_ACCESS,
  type ParameterChanges,
  postForm,
  RelyingApp,
  signedIn,
} from '../../core/oidc/relying-app.ts'
import { newIsolate } from '../../core/registrations/stored-clients.ts'
import { redirectUrl } from '../../redirect.ts'
import { clientsWith } from '../../registered-clients.ts'
import { userObject } from '../../storage.ts'
import { ProofKey } from './proof-key.ts'

const USERINFO = `${LOGIN}/oidc/userinfo`
const TOKEN = `${LOGIN}/oidc/token`

interface TokenResponse {
  access_token: string
  refresh_token: string
  token_type: string
  error: string
  error_description: string
}

type Service = ReturnType<typeof serviceWith>

const service = serviceWith({})
let browser: Browser
let key: ProofKey

beforeAll(async () => {
  browser = await signedIn()
  key = await ProofKey.create()
})

beforeEach(() => {
  stopClock()
})

/** Sends a token request of the public client `shop`, with this proof. */
async function requestTokens(
  form: Record<string, string>,
  proof: string | undefined,
  at: Service = service,
): Promise<{ response: Response; tokens: TokenResponse }> {
  const headers: Record<string, string> = proof === undefined ? {} : { DPoP: proof }
  const response = await at(formRequest('/oidc/token', { client_id: 'shop', ...form }, headers))
  return { response, tokens: await response.json<TokenResponse>() }
}

/** The form that redeems a new code of the client `shop`. */
async function codeForm(changes: ParameterChanges = {}): Promise<Record<string, string>> {
  const app = new RelyingApp('shop')
  return app.codeExchangeForm(await app.callbackFor(browser, { ...OFFLINE_ACCESS, ...changes }))
}

async function boundTokens(): Promise<TokenResponse> {
  const { tokens } = await requestTokens(await codeForm(), await key.proof())
  expect(tokens.token_type).toBe('DPoP')
  return tokens
}

function refreshForm({ refresh_token }: TokenResponse): Record<string, string> {
  return { grant_type: 'refresh_token', refresh_token }
}

function getUserinfo(headers: Record<string, string>, at: Service = service): Promise<Response> {
  return at(new Request(USERINFO, { headers }))
}

describe('a token request with a DPoP proof (RFC 9449 §5)', () => {
  it('of a client library returns bound tokens, which it refreshes and uses', async () => {
    const app = new RelyingApp('shop')
    const configuration = await app.configuration()
    const DPoP = client.getDPoPHandle(configuration, await client.randomDPoPKeyPair())
    const callback = await app.callbackFor(browser, OFFLINE_ACCESS)
    const checks = {
      pkceCodeVerifier: app.verifier,
      expectedNonce: app.nonce,
      expectedState: app.state,
    }

    const tokens = await client.authorizationCodeGrant(configuration, callback, checks, undefined, {
      DPoP,
    })
    const refreshed = await client.refreshTokenGrant(
      configuration,
      tokens.refresh_token ?? '',
      undefined,
      { DPoP },
    )
    const subject = tokens.claims()?.sub ?? ''
    const user = await client.fetchUserInfo(configuration, refreshed.access_token, subject, {
      DPoP,
    })

    expect(tokens.token_type).toBe('dpop')
    expect(refreshed.token_type).toBe('dpop')
    expect(user.sub).toBe(subject)
  })

  it.each(['ES256', 'PS256', 'RS256', 'EdDSA', 'Ed25519'])('accepts %s', async (alg) => {
    const other = await ProofKey.create(alg)

    const { tokens } = await requestTokens(await codeForm(), await other.proof())

    expect(tokens.token_type).toBe('DPoP')
    expect(decodeJwt(tokens.access_token)['cnf']).toEqual({ jkt: other.thumbprint })
  })

  const jwt = (changes: object = {}, header: object = {}) =>
    key.proof({ ...changes }, { ...header })
  const INVALID: [string, () => Promise<string> | string][] = [
    ['no JWT', () => 'x'],
    ['another type', () => jwt({}, { typ: 'JWT' })],
    ['no type', () => jwt({}, { typ: undefined })],
    ['no key', () => jwt({}, { jwk: undefined })],
    ['the key of someone else', async () => jwt({}, { jwk: (await ProofKey.create()).jwk })],
    ['the private key in it', async () => jwt({}, { jwk: await key.privateJwk() })],
    ['a key that is only named', () => jwt({}, { jwk: undefined, kid: 'one' })],
    ['a critical extension', () => jwt({}, { crit: ['b64'], b64: true })],
    ['no method', () => jwt({ htm: undefined })],
    ['another method', () => jwt({ htm: 'GET' })],
    ['the method in lower case', () => jwt({ htm: 'post' })],
    ['no URL', () => jwt({ htu: undefined })],
    ['the URL of another endpoint', () => jwt({ htu: USERINFO })],
    ['the URL of another service', () => jwt({ htu: 'https://evil.example/oidc/token' })],
    ['http instead of https', () => jwt({ htu: 'http://login.example/oidc/token' })],
    ['no time', () => jwt({ iat: undefined })],
    ['a text as time', () => jwt({ iat: 'now' })],
    ['no id', () => jwt({ jti: undefined })],
    ['an empty id', () => jwt({ jti: '' })],
    ['a long id', () => jwt({ jti: 'x'.repeat(257) })],
    ['a number as nonce', () => jwt({ nonce: 1 })],
    ['its own expiry, which has passed', () => jwt({ exp: Math.floor(Date.now() / 1000) - 60 })],
    ['too many characters', () => jwt({ x: 'x'.repeat(8192) })],
    ['another one in a second header', async () => `${await jwt()}, ${await jwt()}`],
    ['an algorithm that is not offered', async () => (await ProofKey.create('ES384')).proof()],
    ['an altered signature', async () => `${(await jwt()).slice(0, -8)}AAAAAAAA`],
    [
      'alg none',
      async () => {
        const [, payload] = (await jwt()).split('.')
        const header = btoa(JSON.stringify({ typ: 'dpop+jwt', alg: 'none', jwk: key.jwk }))
        return `${header.replaceAll('=', '')}.${payload}.`
      },
    ],
    [
      'a symmetric signature',
      () => {
        const secret = new Uint8Array(32)
        const jwk = { kty: 'oct', k: 'A'.repeat(43) }
        return new SignJWT({
          jti: 'a',
          htm: 'POST',
          htu: `${LOGIN}/oidc/token`,
          iat: Math.floor(Date.now() / 1000),
        })
          .setProtectedHeader({ alg: 'HS256', typ: 'dpop+jwt', jwk } as never)
          .sign(secret)
      },
    ],
  ]

  it.each(INVALID)('rejects %s, and leaves the code unspent (§4.3)', async (_, create) => {
    const form = await codeForm()

    const { response, tokens } = await requestTokens(form, await create())
    const retry = await requestTokens(form, await key.proof())

    expect([response.status, tokens.error]).toEqual([400, 'invalid_dpop_proof'])
    expect(tokens.error_description).toMatch(/\.$/)
    expect(retry.tokens.token_type).toBe('DPoP')
  })

  it.each([
    ['a query and a fragment', `${LOGIN}/oidc/token?x=1#y`],
    ['the default port and upper case', 'HTTPS://LOGIN.example:443/oidc/token'],
  ])('accepts a URL with %s', async (_, htu) => {
    const { tokens } = await requestTokens(await codeForm(), await key.proof({ htu }))

    expect(tokens.token_type).toBe('DPoP')
  })

  it('accepts a proof of up to a minute ago, or ten seconds ahead', async () => {
    for (const offset of [-59, 9]) {
      const iat = Math.floor(Date.now() / 1000) + offset
      const { tokens } = await requestTokens(await codeForm(), await key.proof({ iat }))
      expect(tokens.token_type).toBe('DPoP')
    }
  })

  it.each([
    ['late', -62, 'old'],
    ['early', 12, 'ahead'],
    ['a year early', 31_536_000, 'ahead'],
  ])(
    'that is %s must be repeated with a nonce, which proves its time (§8)',
    async (_, offset, text) => {
      const form = await codeForm()
      const iat = Math.floor(Date.now() / 1000) + offset

      const { response, tokens } = await requestTokens(form, await key.proof({ iat }))
      const nonce = response.headers.get('DPoP-Nonce')
      const repeated = await requestTokens(form, await key.proof({ iat, nonce }))

      expect([response.status, tokens.error]).toEqual([400, 'use_dpop_nonce'])
      expect(tokens.error_description).toContain(text)
      expect(repeated.tokens.token_type).toBe('DPoP')
      expect(repeated.response.headers.get('DPoP-Nonce')).toMatch(/^[\w-]+$/)
    },
  )

  it('with a nonce that is not ours, or has expired, must be repeated with another one', async () => {
    const form = await codeForm()
    const iat = Math.floor(Date.now() / 1000) + 60
    const { response } = await requestTokens(form, await key.proof({ iat }))
    const nonce = response.headers.get('DPoP-Nonce') ?? ''
    for (const invalid of ['x', `${nonce}A`, '']) {
      const { tokens } = await requestTokens(form, await key.proof({ nonce: invalid }))
      expect(tokens.error).toBe('use_dpop_nonce')
    }
    advanceClock(300)

    const expired = await requestTokens(form, await key.proof({ nonce }))

    expect(expired.tokens.error).toBe('use_dpop_nonce')
    expect(expired.response.headers.get('DPoP-Nonce')).not.toBe(nonce)
  })

  it('lets a page of another origin read the nonce', async () => {
    const proof = await key.proof({ iat: 1 })
    const headers = { DPoP: proof, Origin: 'https://shop.example' }

    const response = await service(
      formRequest('/oidc/token', { client_id: 'shop', ...(await codeForm()) }, headers),
    )

    expect(response.headers.get('Access-Control-Expose-Headers')).toContain('DPoP-Nonce')
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('https://shop.example')
  })

  it('is accepted once, for whichever grant of the user', async () => {
    const proof = await key.proof()
    const [first, second] = [await codeForm(), await codeForm()]
    const { tokens } = await requestTokens(first, proof)

    const replayed = await requestTokens(second, proof)
    const refreshed = await requestTokens(refreshForm(tokens), proof)
    const retry = await requestTokens(second, await key.proof())

    expect(replayed.tokens.error).toBe('invalid_dpop_proof')
    expect(replayed.tokens.error_description).toBe('The DPoP proof was already used.')
    expect(refreshed.tokens.error).toBe('invalid_dpop_proof')
    expect(retry.tokens.token_type).toBe('DPoP')
  })

  it('leaves nothing in the object of a user an hour after the proof has expired', async () => {
    const { tokens } = await requestTokens(await codeForm(), await key.proof())
    const { sub = '' } = decodeJwt(tokens.access_token)
    const object = userObject(sub)
    const read = () =>
      runInDurableObject(object, async (_, { storage }) => ({
        proofs: [...storage.kv.list({ prefix: 'proof:' })],
        alarm: (await storage.getAlarm()) ?? Number.POSITIVE_INFINITY,
      }))
    advanceClock(100)
    await runInDurableObject(object, (instance) => instance.alarm())
    await requestTokens(refreshForm(tokens), await key.proof())
    const used = await read()
    advanceClock(3700)

    await runInDurableObject(object, (instance) => instance.alarm())

    expect(used.proofs.length).toBeGreaterThan(0)
    expect(used.alarm).toBeLessThanOrEqual(Date.now())
    expect((await read()).proofs).toEqual([])
  })

  it.each([
    [
      'a refresh token that was revoked',
      TOKEN,
      async () => {
        const tokens = await boundTokens()
        await postForm('/oidc/revoke', { token: tokens.refresh_token, client_id: 'shop' })
        const valid = await codeForm()
        return (isValid: boolean, DPoP: string) =>
          postForm('/oidc/token', shopForm(isValid ? valid : refreshForm(tokens)), { DPoP })
      },
    ],
    [
      'an API that a machine may not use',
      TOKEN,
      async () => {
        const { identifier } = await registerApi()
        const { credentials } = await registerMachine({ resources: [identifier] })
        return (isValid: boolean, DPoP: string) => {
          const resource = isValid ? identifier : 'https://elsewhere.example'
          const form = { grant_type: 'client_credentials', resource }
          const headers = { ...credentials, DPoP }
          return newIsolate().service(formRequest('/oidc/token', form, headers))
        }
      },
    ],
    [
      'a redirect URI of a pushed request',
      `${LOGIN}/oidc/par`,
      async () => {
        const { searchParams } = new URL(await new RelyingApp('shop').authorizationUrl())
        return (isValid: boolean, DPoP: string) => {
          const params = Object.fromEntries(searchParams)
          const redirect_uri = isValid ? params['redirect_uri'] : 'https://elsewhere.example/'
          return postForm('/oidc/par', { ...params, redirect_uri: redirect_uri ?? '' }, { DPoP })
        }
      },
    ],
  ])('is not remembered if the request is rejected because of %s', async (_, htu, prepare) => {
    const send = await prepare()
    const proof = await key.proof({ htu })

    const rejected = await send(false, proof)
    const accepted = await send(true, proof)
    const replayed = await send(true, proof)

    expect(rejected.status).toBe(400)
    expect(accepted.ok).toBe(true)
    expect(await replayed.json()).toMatchObject({ error: 'invalid_dpop_proof' })
  })
})

function shopForm(form: Record<string, string>): Record<string, string> {
  return { client_id: 'shop', ...form }
}

describe('a client that is registered with dpop_bound_access_tokens', () => {
  const CLIENTS = clientsWith({
    shop: { dpop_bound_access_tokens: true },
    web: { dpop_bound_access_tokens: true },
  })
  const strict = serviceWith({ CLIENTS })

  it('gets no tokens without a proof, and does not lose its code', async () => {
    const form = await codeForm()

    const { response, tokens } = await requestTokens(form, undefined, strict)
    const retry = await requestTokens(form, await key.proof(), strict)

    expect([response.status, tokens.error]).toEqual([400, 'invalid_dpop_proof'])
    expect(retry.tokens.token_type).toBe('DPoP')
  })

  it('can use a refresh token from before, which stays unbound', async () => {
    const before = await requestTokens(await codeForm(), undefined)

    const without = await requestTokens(refreshForm(before.tokens), undefined, strict)
    const { tokens } = await requestTokens(refreshForm(before.tokens), await key.proof(), strict)
    const other = await ProofKey.create()
    const next = await requestTokens(refreshForm(tokens), await other.proof(), strict)

    expect(without.tokens.error).toBe('invalid_dpop_proof')
    expect(decodeJwt(tokens.access_token)['cnf']).toEqual({ jkt: key.thumbprint })
    expect(decodeJwt(next.tokens.access_token)['cnf']).toEqual({ jkt: other.thumbprint })
  })

  it('that has a secret cannot refresh without a proof either', async () => {
    const app = new RelyingApp('web')
    const before = await app.tokens(browser, OFFLINE_ACCESS)
    const form = { grant_type: 'refresh_token', refresh_token: before.refresh_token ?? '' }

    const response = await strict(formRequest('/oidc/token', form, basic('web')))

    expect(await response.json()).toMatchObject({ error: 'invalid_dpop_proof' })
  })
})

describe('a refresh token', () => {
  it('of a public client is of no use without its key, and is not ended by whoever has stolen it', async () => {
    const tokens = await boundTokens()
    const thief = await ProofKey.create()

    const withoutProof = await requestTokens(refreshForm(tokens), undefined)
    const otherKey = await requestTokens(refreshForm(tokens), await thief.proof())
    const { tokens: next } = await requestTokens(refreshForm(tokens), await key.proof())
    advanceClock(120)
    const former = await requestTokens(refreshForm(tokens), await thief.proof())
    const own = await requestTokens(refreshForm(next), await key.proof())

    expect(withoutProof.tokens.error).toBe('invalid_grant')
    expect(otherKey.tokens.error).toBe('invalid_grant')
    expect(next.token_type).toBe('DPoP')
    expect(former.tokens.error).toBe('invalid_grant')
    expect(own.tokens.token_type).toBe('DPoP')
  })

  it('of a public client that is used again by its own key ends the grant', async () => {
    const tokens = await boundTokens()
    const { tokens: next } = await requestTokens(refreshForm(tokens), await key.proof())
    advanceClock(120)

    const again = await requestTokens(refreshForm(tokens), await key.proof())
    const own = await requestTokens(refreshForm(next), await key.proof())

    expect(again.tokens.error).toBe('invalid_grant')
    expect(own.tokens.error).toBe('invalid_grant')
  })

  it.each([
    ['no key', async () => undefined],
    ['a key of the owner', async () => key.proof()],
    ['the key of the thief', async (thief: ProofKey) => thief.proof()],
  ])(
    'that is not bound ends the grant if it is used again with %s, after a thief has used it with a key (RFC 9700 §4.14.2)',
    async (_, createProof) => {
      const { tokens } = await requestTokens(await codeForm(), undefined)
      const thief = await ProofKey.create()
      const stolen = await requestTokens(refreshForm(tokens), await thief.proof())
      advanceClock(120)

      const again = await requestTokens(refreshForm(tokens), await createProof(thief))
      const thiefs = await requestTokens(refreshForm(stolen.tokens), await thief.proof())

      expect(stolen.tokens.token_type).toBe('DPoP')
      expect(again.tokens.error).toBe('invalid_grant')
      expect(thiefs.tokens.error).toBe('invalid_grant')
    },
  )

  it('that is not bound can be used by its owner after a thief has used it with a key, for the grace period', async () => {
    const { tokens } = await requestTokens(await codeForm(), undefined)
    const thief = await ProofKey.create()
    await requestTokens(refreshForm(tokens), await thief.proof())

    const own = await requestTokens(refreshForm(tokens), undefined)

    expect(own.tokens.token_type).toBe('Bearer')
  })

  it('that two requests use at the same time gives both the same successor', async () => {
    const tokens = await boundTokens()
    const proofs = await Promise.all([key.proof(), key.proof()])

    const results = await Promise.all(
      proofs.map((proof) => requestTokens(refreshForm(tokens), proof)),
    )

    expect(results.map(({ response }) => response.status)).toEqual([200, 200])
  })
})

describe('a code with dpop_jkt (RFC 9449 §10)', () => {
  it.each([
    ['no proof', async () => undefined],
    ['the proof of another key', async () => (await ProofKey.create()).proof()],
  ])('cannot be redeemed with %s, and then not at all', async (_, create) => {
    const form = await codeForm({ dpop_jkt: key.thumbprint })

    const stolen = await requestTokens(form, await create())
    const own = await requestTokens(form, await key.proof())

    expect(stolen.tokens.error).toBe('invalid_grant')
    expect(own.tokens.error).toBe('invalid_grant')
  })

  it('is not issued if it is malformed', async () => {
    const callback = await new RelyingApp('shop').callbackFor(browser, { dpop_jkt: 'x' })

    expect(callback.searchParams.get('error')).toBe('invalid_request')
  })

  it('is bound by a proof that is sent with a pushed request', async () => {
    const app = new RelyingApp('shop')
    const url = new URL(await app.authorizationUrl())
    const push = async (form: Record<string, string>, proof: string) => {
      const params = { ...Object.fromEntries(url.searchParams), ...form }
      const response = await postForm('/oidc/par', params, { DPoP: proof })
      return response.json<{ request_uri: string; error: string }>()
    }
    const htu = `${LOGIN}/oidc/par`
    const other = await ProofKey.create()
    const proof = await key.proof({ htu })

    const { request_uri } = await push({}, proof)
    const replayed = await push({}, proof)
    const differs = await push({ dpop_jkt: other.thumbprint }, await key.proof({ htu }))
    const wrongUrl = await push({}, await key.proof())
    const query = new URLSearchParams({ client_id: 'shop', request_uri })
    const callback = redirectUrl(await browser.get(`/oidc/authorize?${query}`), 303)
    const stolen = await requestTokens(app.codeExchangeForm(callback), await other.proof())

    expect([replayed.error, differs.error, wrongUrl.error]).toEqual(
      Array(3).fill('invalid_dpop_proof'),
    )
    expect(stolen.tokens.error).toBe('invalid_grant')
  })
})

describe('a bound access token at userinfo', () => {
  it('is accepted with a proof, by GET and POST', async () => {
    const { access_token } = await boundTokens()

    for (const method of ['GET', 'POST']) {
      const headers = await key.headers(USERINFO, access_token, { method })
      const response = await service(new Request(USERINFO, { method, headers }))
      expect(response.status).toBe(200)
    }
  })

  it.each([
    ['as Bearer', async (token: string) => bearer(token), 'invalid_token'],
    [
      'as Bearer with a proof',
      async (token: string) => ({ ...(await key.headers(USERINFO, token)), ...bearer(token) }),
      'invalid_token',
    ],
    [
      'without a proof',
      async (token: string) => ({ Authorization: `DPoP ${token}` }),
      'invalid_dpop_proof',
    ],
    [
      'with the proof of another key',
      async (token: string) => (await ProofKey.create()).headers(USERINFO, token),
      'invalid_token',
    ],
    [
      'with a proof for another token',
      (token: string) => key.headers(USERINFO, token, { ath: 'A'.repeat(43) }),
      'invalid_dpop_proof',
    ],
    [
      'with a proof for no token',
      (token: string) => key.headers(USERINFO, token, { ath: undefined }),
      'invalid_dpop_proof',
    ],
    [
      'with a proof for another method',
      (token: string) => key.headers(USERINFO, token, { method: 'POST' }),
      'invalid_dpop_proof',
    ],
    [
      'with a proof for the token endpoint',
      (token: string) => key.headers(`${LOGIN}/oidc/token`, token),
      'invalid_dpop_proof',
    ],
    [
      'with a late proof',
      (token: string) => key.headers(USERINFO, token, { iat: Math.floor(Date.now() / 1000) - 62 }),
      'use_dpop_nonce',
    ],
  ] as [string, (token: string) => Promise<Record<string, string>>, string][])(
    'is rejected %s',
    async (_, create, error) => {
      const { access_token } = await boundTokens()

      const response = await getUserinfo(await create(access_token))

      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ error })
      const challenge = response.headers.get('WWW-Authenticate') ?? ''
      expect(challenge).toMatch(/^DPoP /)
      expect(challenge).toContain(`error="${error}"`)
      expect(challenge).toContain('algs="ES256 PS256 EdDSA Ed25519 RS256"')
    },
  )

  it('is rejected after a revocation, and its proof is not remembered', async () => {
    const { access_token, refresh_token } = await boundTokens()
    await postForm('/oidc/revoke', { token: refresh_token, client_id: 'shop' })
    const recorded = serviceWith(recordedBindings)
    calls.length = 0

    const response = await getUserinfo(await key.headers(USERINFO, access_token), recorded)

    expect(response.status).toBe(401)
    expect(calls).not.toContain('GUARDS.useOnce')
  })

  it('is rejected in the body of a POST', async () => {
    const { access_token } = await boundTokens()

    const response = await postForm('/oidc/userinfo', { access_token })

    expect(response.status).toBe(401)
  })

  it('is rejected with a proof that was used before', async () => {
    const { access_token } = await boundTokens()
    const headers = await key.headers(USERINFO, access_token)

    const statuses = [await getUserinfo(headers), await getUserinfo(headers)]

    expect(statuses.map(({ status }) => status)).toEqual([200, 401])
  })

  it('is accepted with a late proof that has a nonce', async () => {
    const { access_token } = await boundTokens()
    const late = await getUserinfo(await key.headers(USERINFO, access_token, { iat: 1 }))
    const nonce = late.headers.get('DPoP-Nonce')

    const response = await getUserinfo(await key.headers(USERINFO, access_token, { iat: 1, nonce }))

    expect(response.status).toBe(200)
  })

  it('that is not bound is rejected with the scheme DPoP', async () => {
    const { tokens } = await requestTokens(await codeForm(), undefined)

    const response = await getUserinfo(await key.headers(USERINFO, tokens.access_token))

    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ error: 'invalid_token' })
  })

  it('is rejected by a deployment that no longer has the feature', async () => {
    const { access_token } = await boundTokens()
    const features = (options.features ?? []).filter(({ id }) => id !== 'sender-constrained')
    const without = serviceOf(createVestibule({ ...options, features }))

    for (const headers of [bearer(access_token), await key.headers(USERINFO, access_token)]) {
      expect((await getUserinfo(headers, without)).status).toBe(401)
    }
  })
})

describe('the introspection of a bound token', () => {
  it('returns its key and type', async () => {
    const app = new RelyingApp('web')
    const form = app.codeExchangeForm(await app.callbackFor(browser))
    const headers = { ...basic('web'), DPoP: await key.proof() }
    const tokens = await (await postForm('/oidc/token', form, headers)).json<TokenResponse>()

    const response = await postForm(
      '/oidc/introspect',
      { token: tokens.access_token },
      basic('web'),
    )

    expect(await response.json()).toMatchObject({
      active: true,
      token_type: 'DPoP',
      cnf: { jkt: key.thumbprint },
    })
  })
})

describe('a machine client', () => {
  it('gets a bound token, and a proof works once, although no user remembers it', async () => {
    const { identifier } = await registerApi()
    const { credentials } = await registerMachine({ resources: [identifier] })
    const headers = { ...credentials, DPoP: await key.proof() }
    const send = () =>
      newIsolate().service(
        formRequest('/oidc/token', { grant_type: 'client_credentials' }, headers),
      )

    const responses = [await send(), await send()]

    const tokens = await responses[0]?.json<TokenResponse>()
    expect(tokens?.token_type).toBe('DPoP')
    expect(decodeJwt(tokens?.access_token ?? '')['cnf']).toEqual({ jkt: key.thumbprint })
    expect(await responses[1]?.json()).toMatchObject({ error: 'invalid_dpop_proof' })
  })

  it('gets no token without a proof for an API that requires it', async () => {
    const { identifier } = await registerApi({ dpop_bound_access_tokens_required: true })
    const machine = await registerMachine({ resources: [identifier] })

    const response = await machine.request()

    expect(await response.json()).toMatchObject({
      error: 'invalid_dpop_proof',
      error_description: expect.stringContaining(identifier),
    })
  })
})

describe('an API that requires bound tokens', () => {
  const OTHER = 'https://stock.example'
  const resource = 'https://orders.example'
  const APIS = [{ identifier: resource, dpop_bound_access_tokens_required: true }]
  const strict = serviceWith({ APIS })

  it.each([
    ['first', [...APIS, { identifier: OTHER }]],
    ['last', [{ identifier: OTHER }, ...APIS]],
  ])(
    'is named if a token for it and another one is requested without a proof: registered %s',
    async (_place, apis) => {
      const app = new RelyingApp('web')
      const url = new URL(await app.authorizationUrl())
      for (const one of [resource, OTHER]) url.searchParams.append('resource', one)
      const form = app.codeExchangeForm(redirectUrl(await browser.get(url.href), 303))

      const response = await serviceWith({ APIS: apis })(
        formRequest('/oidc/token', form, basic('web')),
      )

      expect(await response.json()).toMatchObject({
        error: 'invalid_dpop_proof',
        error_description: expect.stringContaining(resource),
      })
    },
  )

  it.each([
    [1, undefined],
    [2, 'invalid_grant'],
  ])(
    '[D3][D4] lets a former refresh token be used again for one grace period: after %i failed requests, the error is %s',
    async (times, error) => {
      const app = new RelyingApp('web')
      const { refresh_token = '' } = await app.tokens(browser, { ...OFFLINE_ACCESS, resource })
      const request = formRequest(
        '/oidc/token',
        { grant_type: 'refresh_token', refresh_token },
        basic('web'),
      )

      for (let n = 0; n < times; n++) {
        const failed = await strict(request.clone())
        expect(await failed.json()).toMatchObject({ error: 'invalid_dpop_proof' })
        advanceClock(15)
      }

      const { error: found } = await (await service(request)).json<TokenResponse>()
      expect(found).toBe(error)
    },
  )
})

describe('the admin API', () => {
  const URL_OF_CLIENTS = `${LOGIN}/admin/api/clients`
  const identifier = `${LOGIN}/admin/api`

  async function adminToken(): Promise<string> {
    const { credentials } = await registerMachine({
      resources: [identifier],
      scope: 'admin:read',
    })
    const headers = { ...credentials, DPoP: await key.proof() }
    const response = await newIsolate().service(
      formRequest('/oidc/token', { grant_type: 'client_credentials' }, headers),
    )
    return (await response.json<TokenResponse>()).access_token
  }

  it('accepts a bound token with a proof only', async () => {
    const token = await adminToken()
    const { token: unbound } = await issueToken()
    const { service: isolate } = newIsolate()
    const send = (headers: Record<string, string>) =>
      isolate(new Request(URL_OF_CLIENTS, { headers }))

    const own = await send(await key.headers(URL_OF_CLIENTS, token))
    const asBearer = await send(bearer(token))
    const foreign = await send(await key.headers(URL_OF_CLIENTS, unbound))
    const stolen = await send(await (await ProofKey.create()).headers(URL_OF_CLIENTS, token))

    expect(own.status).toBe(200)
    for (const response of [asBearer, stolen, foreign]) {
      expect(response.status).toBe(401)
      expect(response.headers.get('WWW-Authenticate')).toMatch(/^DPoP error="invalid_token"/)
    }
  })
})

describe('a deployment that requires nonces', () => {
  const strict = serviceOf(
    createVestibule({
      ...options,
      features: [
        ...(options.features ?? []).filter(({ id }) => id !== 'sender-constrained'),
        senderConstrained({ requireNonce: true }),
      ],
    }),
  )

  it('accepts no proof without one', async () => {
    const form = await codeForm()

    const { response, tokens } = await requestTokens(form, await key.proof(), strict)
    const nonce = response.headers.get('DPoP-Nonce')
    const retry = await requestTokens(form, await key.proof({ nonce }), strict)
    const next = retry.response.headers.get('DPoP-Nonce')
    const headers = await key.headers(USERINFO, retry.tokens.access_token, { nonce: next })

    expect(tokens.error).toBe('use_dpop_nonce')
    expect(retry.tokens.token_type).toBe('DPoP')
    expect((await getUserinfo(headers, strict)).status).toBe(200)
  })
})

describe('the calls to storage of bound tokens', () => {
  it('are one each for an exchange and a refresh, and none for a nonce', async () => {
    const recorded = serviceWith(recordedBindings)
    const form = await codeForm()
    await requestTokens(await codeForm(), await key.proof(), recorded)
    calls.length = 0

    await requestTokens(form, await key.proof({ iat: 1 }), recorded)
    expect(calls).toEqual([])
    const { tokens } = await requestTokens(form, await key.proof(), recorded)
    expect(calls).toEqual(['USERS.redeemCode'])
    calls.length = 0
    await requestTokens(refreshForm(tokens), await key.proof(), recorded)

    expect(calls).toEqual(['USERS.rotateRefreshToken'])
  })

  it('that fail mean that nothing is issued', async () => {
    const { api, machine } = await issueToken()
    const GUARDS = {
      idFromName: () => '',
      get: () => ({ useOnce: () => Promise.reject(new Error('broken')) }),
    }
    const broken = serviceOf(createVestibule(options), { GUARDS, ...{ DIRECTORY: env.DIRECTORY } })
    const form = { grant_type: 'client_credentials', resource: api.identifier }
    const headers = { ...machine.credentials, DPoP: await key.proof() }

    const response = await broken(formRequest('/oidc/token', form, headers))

    expect(response.status).toBe(503)
  })
})
