import { exports } from 'cloudflare:workers'
import { Hono } from 'hono'
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createVerifier,
  TokenError,
  type TokenSource,
  type VerifierOptions,
} from '../../../src/verify.ts'
import { type Browser, LOGIN } from '../../browser.ts'
import { advanceClock, stopClock } from '../../clock.ts'
import { basic, bearer, postForm, RelyingApp, signedIn } from '../../core/oidc/relying-app.ts'
import { ProofKey } from './proof-key.ts'

const API = 'https://orders.example'
const ORDERS = `${API}/orders`

let browser: Browser
let key: ProofKey
let token: string
let unboundToken: string

/** An access token for the API, bound by this proof. */
async function issue(headers: Record<string, string> = {}): Promise<string> {
  const app = new RelyingApp('web')
  const form = app.codeExchangeForm(await app.callbackFor(browser, { resource: API }))
  const response = await postForm('/oidc/token', form, { ...basic('web'), ...headers })
  return (await response.json<{ access_token: string }>()).access_token
}

beforeAll(async () => {
  browser = await signedIn()
  key = await ProofKey.create()
  token = await issue({ DPoP: await key.proof() })
  unboundToken = await issue()
})

beforeEach(() => {
  stopClock()
})

const create = (options: Partial<VerifierOptions> = {}) =>
  createVerifier({
    issuer: LOGIN,
    audience: API,
    fetch: (url, init) => exports.default.fetch(new Request(url, init)),
    ...options,
  })

function request(headers: Record<string, string>, url = ORDERS): Request {
  return new Request(url, { headers })
}

async function errorOf(result: Promise<unknown>): Promise<TokenError> {
  const error = await result.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(TokenError)
  return error as TokenError
}

describe('an API that knows nothing of DPoP, with vestibule-auth/verify', () => {
  it('rejects a bound token that is sent as Bearer', async () => {
    const error = await errorOf(create().verify(request(bearer(token))))

    expect([error.status, error.code]).toEqual([401, 'invalid_token'])
    expect(error.headers['WWW-Authenticate']).toMatch(
      /^DPoP error="invalid_token", error_description="The token is bound to a key: .*", algs="ES256 /,
    )
  })

  it('rejects a bound token that is passed without its request', async () => {
    const error = await errorOf(create().verify(token))

    expect(error.message).toContain('must verify the request')
  })

  it('accepts a bound token with a proof, and other tokens as Bearer', async () => {
    const verifier = create()

    const bound = await verifier.verify(request(await key.headers(ORDERS, token)))
    const unbound = await verifier.verify(request(bearer(unboundToken)))

    expect(bound.claims.cnf).toEqual({ jkt: key.thumbprint })
    expect(bound.userId).toBe(decodeJwt(token).sub)
    expect(unbound.claims.cnf).toBeUndefined()
  })
})

describe('a bound token', () => {
  const CASES: [string, string, () => Promise<Record<string, string>>][] = [
    ['without a proof', 'invalid_dpop_proof', async () => ({ Authorization: `DPoP ${token}` })],
    [
      'with the proof of another key',
      'invalid_token',
      async () => (await ProofKey.create()).headers(ORDERS, token),
    ],
    [
      'with a proof for another token',
      'invalid_dpop_proof',
      () => key.headers(ORDERS, token, { ath: 'A'.repeat(43) }),
    ],
    [
      'with a proof for another method',
      'invalid_dpop_proof',
      () => key.headers(ORDERS, token, { method: 'DELETE' }),
    ],
    [
      'with a proof for another path',
      'invalid_dpop_proof',
      () => key.headers(`${API}/users`, token),
    ],
    [
      'with a proof for another API',
      'invalid_dpop_proof',
      () => key.headers('https://stock.example/orders', token),
    ],
    [
      'with two proofs',
      'invalid_dpop_proof',
      async () => {
        const { DPoP, ...headers } = await key.headers(ORDERS, token)
        return { ...headers, DPoP: `${DPoP}, ${DPoP}` }
      },
    ],
  ]

  it.each(CASES)('%s is rejected: %s', async (_, code, create_) => {
    const error = await errorOf(create().verify(request(await create_())))

    expect([error.status, error.code]).toEqual([401, code])
    expect(error.headers['WWW-Authenticate']).toMatch(/^DPoP /)
  })

  it('of a client with a wrong clock is rejected with how wrong it is', async () => {
    const iat = Math.floor(Date.now() / 1000) + 3600
    const error = await errorOf(create().verify(request(await key.headers(ORDERS, token, { iat }))))

    expect(error.message).toContain('the clock of the client is 3600 seconds ahead')
  })

  it('that is not bound is rejected with the scheme DPoP', async () => {
    const error = await errorOf(create().verify(request(await key.headers(ORDERS, unboundToken))))

    expect(error.code).toBe('invalid_token')
  })
})

describe('the origin that a proof must be for', () => {
  const EVIL = 'https://evil.example/orders'
  const NO_URL =
    'The audience of the API is no URL: it must set dpop.url, its own URL, to accept DPoP proofs.'
  const INTERNAL = 'http://10.0.0.3:8080/orders?page=2'

  const nodeRequest = async (url: string, requested: object) => {
    const { Authorization, DPoP } = await key.headers(url, token)
    return { headers: { authorization: Authorization, dpop: DPoP }, method: 'GET', ...requested }
  }

  it('is that of the audience, behind any proxy, and for any request of Node', async () => {
    const proxied = request(await key.headers(ORDERS, token), INTERNAL)
    const plain = await nodeRequest(ORDERS, { url: '/orders?page=2' })
    const routed = await nodeRequest(ORDERS, { url: '/', originalUrl: '/orders' })

    for (const incoming of [proxied, plain, routed]) {
      expect((await create().verify(incoming)).userId).toBeDefined()
    }
  })

  it('is that of any audience that is a URL', async () => {
    const audience = ['orders', 'urn:orders', 'https://stock.example/api', API]
    const other = 'https://stock.example/orders'

    for (const url of [ORDERS, other]) {
      const incoming = request(await key.headers(url, token), url)
      expect((await create({ audience }).verify(incoming)).userId).toBeDefined()
    }
  })

  it.each<[string, () => Promise<TokenSource>]>([
    ['a Host header', async () => request(await key.headers(EVIL, token), EVIL)],
    ['an absolute request line', () => nodeRequest(EVIL, { url: EVIL })],
    ['a path with two slashes', () => nodeRequest(EVIL, { url: '//evil.example/orders' })],
    ['a path that continues the host', () => nodeRequest(`${API}.evil/`, { url: 'a:.evil/' })],
  ])('cannot be chosen by its sender with %s [F6]', async (_, send) => {
    const error = await errorOf(create().verify(await send()))

    expect([error.status, error.code]).toEqual([401, 'invalid_dpop_proof'])
  })

  it('is reported with both URLs to the operator, and to the client without that of the API', async () => {
    const verifier = create({ dpop: { url: 'http://10.0.0.3:8080' } })

    const error = await errorOf(verifier.verify(request(await key.headers(ORDERS, token))))

    expect(error.message).toContain('dpop.url')
    expect(JSON.stringify([error.body, error.headers])).not.toContain('10.0.0.3')
    expect(String(error.cause)).toContain(`htu is ${ORDERS}`)
    expect(String(error.cause)).toContain('http://10.0.0.3:8080/orders')
  })

  it.each([
    ['origin', 'https://shop.example', 'https://shop.example/orders'],
    ['origin and path', 'https://shop.example/api', 'https://shop.example/api/orders'],
    ['origin and path', 'https://shop.example/api/', 'https://shop.example/api/orders'],
  ])('is the option url instead of the audience, with its %s: %s', async (_, url, requested) => {
    const verifier = create({ dpop: { url } })
    const accepted = request(await key.headers(requested, token), INTERNAL)
    const rejected = request(await key.headers(ORDERS, token))

    expect((await verifier.verify(accepted)).claims.cnf).toEqual({ jkt: key.thumbprint })
    expect((await errorOf(verifier.verify(rejected))).code).toBe('invalid_dpop_proof')
  })

  it('is not known without a URL: bound tokens are rejected, and options refused at the start', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const keys = [{ ...(await exportJWK(publicKey)), kid: '1', alg: 'ES256' }]
    const options = {
      audience: ['orders', 'urn:orders'],
      fetch: async () => Response.json({ keys }),
    }
    const named = await new SignJWT({ ...decodeJwt(token), aud: 'orders' })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: '1' })
      .sign(privateKey)
    const incoming = request(await key.headers(ORDERS, named))

    const error = await errorOf(create(options).verify(incoming))
    const verified = create({ ...options, dpop: { url: API } }).verify(incoming)

    expect([error.code, error.message]).toEqual(['invalid_dpop_proof', NO_URL])
    expect((await verified).userId).toBeDefined()
    expect(() => create({ ...options, dpop: { required: true } })).toThrow(NO_URL)
  })

  it.each(['', 'orders.example', 'urn:orders'])('cannot be %o', (url) => {
    expect(() => create({ dpop: { url } })).toThrow('dpop.url must be a URL with https.')
  })

  it('is not known of a request without a method and a URL, which is rejected', async () => {
    const incoming = await nodeRequest(ORDERS, { method: undefined })

    expect((await errorOf(create().verify(incoming))).code).toBe('invalid_dpop_proof')
  })
})

describe('the algorithm of a proof', () => {
  const algorithms = ['ES256', 'PS256', 'EdDSA', 'Ed25519'] as const

  it.each(['ES256', 'PS256', 'Ed25519', 'RS256'])('can be %s by default', async (alg) => {
    const other = await ProofKey.create(alg)
    const bound = await issue({ DPoP: await other.proof() })

    const incoming = request(await other.headers(ORDERS, bound))
    expect((await create().verify(incoming)).claims.cnf).toEqual({ jkt: other.thumbprint })
  })

  it('must be one that the API lists, for example those of FAPI 2.0', async () => {
    const verifier = create({ dpop: { required: true, algorithms } })
    const rsa = await ProofKey.create('RS256')
    const bound = await issue({ DPoP: await rsa.proof() })

    const error = await errorOf(verifier.verify(request(await rsa.headers(ORDERS, bound))))
    const missing = await errorOf(verifier.verify(request({})))
    const verified = await verifier.verify(request(await key.headers(ORDERS, token)))

    expect([error.status, error.code]).toEqual([401, 'invalid_dpop_proof'])
    expect(error.message).toMatch(/signed with ES256, PS256, EdDSA, Ed25519\.$/)
    for (const { headers } of [error, missing]) {
      expect(headers['WWW-Authenticate']).toContain('algs="ES256 PS256 EdDSA Ed25519"')
    }
    expect(verified.userId).toBeDefined()
    expect(verifier.metadata.dpop_signing_alg_values_supported).toEqual(algorithms)
  })

  it.each([[[]], [['none']], [['HS256', 'ES256']]])('cannot be one of %j', (unknown) => {
    expect(() => create({ dpop: { algorithms: unknown as never } })).toThrow(
      'dpop.algorithms must be some of ES256, PS256, EdDSA, Ed25519, RS256.',
    )
  })
})

describe('an API that requires bound tokens', () => {
  it('rejects others', async () => {
    const verifier = create({ dpop: { required: true } })

    const error = await errorOf(verifier.verify(request(bearer(unboundToken))))
    const missing = await errorOf(verifier.verify(request({})))
    const verified = await verifier.verify(request(await key.headers(ORDERS, token)))

    expect(error.message).toBe('The token is not bound to a key.')
    expect(missing.headers['WWW-Authenticate']).toMatch(/^DPoP algs="/)
    expect(verified.userId).toBeDefined()
    expect(verifier.metadata).toMatchObject({ dpop_bound_access_tokens_required: true })
  })
})

describe('an API that requires nonces', () => {
  const options = { dpop: { nonceSecret: 'a secret of the API' } }

  it('returns one with the error, which works in another isolate and whatever the clock says', async () => {
    const error = await errorOf(create(options).verify(request(await key.headers(ORDERS, token))))
    const nonce = error.headers['DPoP-Nonce']
    const headers = await key.headers(ORDERS, token, { nonce, iat: 1 })

    const verifier = create(options)
    const verified = await verifier.verify(request(headers))
    const replayed = await errorOf(verifier.verify(request(headers)))

    expect([error.status, error.code]).toEqual([401, 'use_dpop_nonce'])
    expect(verified.userId).toBeDefined()
    expect(replayed.message).toBe('The DPoP proof was already used.')
  })

  it('accepts one in the next period of five minutes, too', async () => {
    const first = await key.headers(ORDERS, token)
    const error = await errorOf(create(options).verify(request(first)))
    advanceClock(300)
    const fresh = await issue({ DPoP: await key.proof() })

    const nonce = error.headers['DPoP-Nonce']
    const headers = await key.headers(ORDERS, fresh, { nonce })

    expect((await create(options).verify(request(headers))).userId).toBeDefined()
  })

  it('rejects those that have expired, are of another secret, or were invented', async () => {
    const nonceOf = async (nonceSecret: string) => {
      const verifier = create({ dpop: { nonceSecret } })
      const error = await errorOf(verifier.verify(request(await key.headers(ORDERS, token))))
      return error.headers['DPoP-Nonce']
    }
    const own = await nonceOf(options.dpop.nonceSecret)
    const others = [await nonceOf('another'), 'x', '']
    for (const nonce of others) {
      const headers = await key.headers(ORDERS, token, { nonce })
      expect((await errorOf(create(options).verify(request(headers)))).code).toBe('use_dpop_nonce')
    }
    token = await issue({ DPoP: await key.proof() })
    advanceClock(600)

    const fresh = await issue({ DPoP: await key.proof() })
    const late = await key.headers(ORDERS, fresh, { nonce: own })

    expect((await errorOf(create(options).verify(request(late)))).code).toBe('use_dpop_nonce')
  })
})

describe('the middleware', () => {
  it('of Hono accepts a bound token, and responds with the challenge otherwise', async () => {
    const { hono, tokenOf } = create()
    const app = new Hono().use(hono()).get('/orders', (c) => c.json(tokenOf(c).claims.cnf ?? null))

    const accepted = await app.request(ORDERS, { headers: await key.headers(ORDERS, token) })
    const rejected = await app.request(ORDERS, { headers: bearer(token) })

    expect(await accepted.json()).toEqual({ jkt: key.thumbprint })
    expect(rejected.status).toBe(401)
    expect(rejected.headers.get('WWW-Authenticate')).toMatch(/^DPoP /)
  })
})
