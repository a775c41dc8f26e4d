import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { base64url, calculateJwkThumbprint, decodeProtectedHeader, importJWK } from 'jose'
import * as client from 'openid-client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Browser, serviceWith } from '../../browser.ts'
import { DAY, setClock } from '../../clock.ts'
import { redirectUrl } from '../../redirect.ts'
import { EXPECTED_DOCUMENT } from './expected-document.ts'
import {
  DISCOVERY_PATH,
  JWKS_PATH,
  publishedKeys,
  verifyWithPublishedKeys,
} from './published-metadata.ts'
import { getUserinfo, RelyingApp, signedIn } from './relying-app.ts'
import { approveConsent } from './user-steps.ts'

afterEach(() => {
  vi.useRealTimers()
})

/**
 * The names of authorization server metadata registered with IANA, except those of features that
 * the service does not have (registration, mutual TLS, DPoP, CIBA, device flow). The suite warns
 * about any other name.
 */
const REGISTERED_NAMES = `
  issuer authorization_endpoint token_endpoint device_authorization_endpoint jwks_uri scopes_supported response_types_supported
  response_modes_supported grant_types_supported token_endpoint_auth_methods_supported
  token_endpoint_auth_signing_alg_values_supported service_documentation ui_locales_supported op_policy_uri
  op_tos_uri revocation_endpoint revocation_endpoint_auth_methods_supported
  revocation_endpoint_auth_signing_alg_values_supported introspection_endpoint
  introspection_endpoint_auth_methods_supported introspection_endpoint_auth_signing_alg_values_supported
  code_challenge_methods_supported userinfo_endpoint acr_values_supported subject_types_supported
  id_token_signing_alg_values_supported userinfo_signing_alg_values_supported
  request_object_signing_alg_values_supported display_values_supported claim_types_supported claims_supported
  claims_locales_supported claims_parameter_supported request_parameter_supported
  request_uri_parameter_supported require_request_uri_registration end_session_endpoint
  backchannel_logout_supported backchannel_logout_session_supported prompt_values_supported
  authorization_response_iss_parameter_supported protected_resources`
  .trim()
  .split(/\s+/)

describe('the discovery document', () => {
  it('[I1][I3][I7] contains exactly the expected metadata', async () => {
    for (const path of [DISCOVERY_PATH, '/.well-known/oauth-authorization-server']) {
      const response = await new Browser().get(path)

      expect(response.status).toBe(200)
      expect(response.headers.get('Content-Type')).toMatch(/^application\/json/)
      expect(await response.json()).toEqual(EXPECTED_DOCUMENT)
    }
  })

  it('[I7] lists only https addresses and no empty arrays, under registered names', () => {
    for (const [name, value] of Object.entries(EXPECTED_DOCUMENT)) {
      expect(REGISTERED_NAMES).toContain(name)
      if (/_endpoint$|_uri$/.test(name)) expect(value).toMatch(/^https:\/\/[^?#]+$/)
      if (Array.isArray(value)) expect(value.length).toBeGreaterThan(0)
    }
    expect(EXPECTED_DOCUMENT.id_token_signing_alg_values_supported).toContain('RS256')
    expect(EXPECTED_DOCUMENT.id_token_signing_alg_values_supported).not.toContain('none')
    for (const tag of EXPECTED_DOCUMENT.ui_locales_supported)
      expect(Intl.getCanonicalLocales(tag)).toEqual([tag])
  })

  it.each<Record<string, string>>([
    { 'X-Forwarded-Host': 'evil.example' },
    { 'X-Forwarded-Proto': 'http', 'X-Forwarded-Port': '8080' },
    { Forwarded: 'host=evil.example;proto=http' },
    { 'X-Original-Host': 'evil.example', 'X-Original-URL': '/evil' },
    { Origin: 'https://evil.example' },
  ])('[I2] does not depend on request headers: %o', async (headers) => {
    expect(await new Browser().json(DISCOVERY_PATH, headers)).toEqual(EXPECTED_DOCUMENT)
  })

  it('[I2] does not depend on the host of the request', async () => {
    const browser = new Browser(serviceWith({}), 'https://evil.example')

    expect(await browser.json(DISCOVERY_PATH)).toEqual(EXPECTED_DOCUMENT)
  })

  it('[I5] is readable from every origin without credentials, like the JWKS', async () => {
    for (const path of [DISCOVERY_PATH, JWKS_PATH]) {
      const { headers } = await new Browser().get(path, { Origin: 'https://anybody.example' })

      expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
      expect(headers.get('Access-Control-Allow-Credentials')).toBeNull()
      expect(headers.get('Set-Cookie')).toBeNull()
      const [, seconds] = headers.get('Cache-Control')?.match(/^public, max-age=(\d+)$/) ?? []
      expect(Number(seconds)).toBeLessThanOrEqual(300)
      expect(Number(seconds)).toBeGreaterThan(0)
    }
  })
})

describe.each([DISCOVERY_PATH, '/.well-known/oauth-authorization-server', JWKS_PATH])(
  'OPTIONS %s',
  (path) => {
    it.each<[string, Record<string, string>]>([
      ['a plain request', {}],
      [
        'the preflight request of a browser client with headers of its own',
        {
          Origin: 'https://anybody.example',
          'Access-Control-Request-Method': 'GET',
          'Access-Control-Request-Headers': 'mcp-protocol-version',
        },
      ],
    ])('[I5] returns 204 to %s', async (_, headers) => {
      const response = await new Browser().fetch(path, { method: 'OPTIONS', headers })

      expect([response.status, await response.text()]).toEqual([204, ''])
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
      expect(response.headers.get('Access-Control-Allow-Methods')).toContain('GET')
      expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull()
      expect(response.headers.get('Access-Control-Allow-Headers')).toBe(
        headers['Access-Control-Request-Headers'] ?? null,
      )
    })
  },
)

describe('what the discovery document lists is supported', () => {
  const CLIENT_BY_METHOD: Record<string, string> = {
    client_secret_basic: 'web',
    client_secret_post: 'post',
    private_key_jwt: 'signer',
    none: 'native',
  }
  const CLIENT_BY_ALGORITHM: Record<string, string> = { RS256: 'web', ES256: 'post' }

  it.each(EXPECTED_DOCUMENT.token_endpoint_auth_methods_supported)(
    '[I3] token and revocation requests authenticated by %s',
    async (method) => {
      const app = new RelyingApp(CLIENT_BY_METHOD[method])
      const browser = await signedIn()
      const consentPage = await browser.get(await app.authorizationUrl({ prompt: 'consent' }))
      const approved = await approveConsent(browser, consentPage)

      const tokens = await app.exchange(redirectUrl(approved))
      const before = await getUserinfo(tokens.access_token)
      await client.tokenRevocation(await app.configuration(), tokens.access_token)
      const after = await getUserinfo(tokens.access_token)

      expect(tokens.claims()?.aud).toBe(CLIENT_BY_METHOD[method])
      expect([before.status, after.status]).toEqual([200, 401])
    },
  )

  it.each(EXPECTED_DOCUMENT.introspection_endpoint_auth_methods_supported)(
    '[I3] introspection requests authenticated by %s',
    async (method) => {
      const app = new RelyingApp(CLIENT_BY_METHOD[method])
      const { access_token } = await app.tokens(await signedIn())

      const result = await client.tokenIntrospection(await app.configuration(), access_token)

      expect(result.active).toBe(true)
    },
  )

  it.each(EXPECTED_DOCUMENT.id_token_signing_alg_values_supported)(
    '[I3] ID tokens signed with %s',
    async (alg) => {
      const app = new RelyingApp(CLIENT_BY_ALGORITHM[alg])
      const { id_token = '' } = await app.tokens(await signedIn())

      const { protectedHeader } = await verifyWithPublishedKeys(id_token, { algorithms: [alg] })

      expect(protectedHeader.alg).toBe(alg)
    },
  )

  it('[I3] scopes and grant types', async () => {
    const app = new RelyingApp()
    // A client has the scope `platform` only if it is registered for it; it has its own tests.
    const scope = EXPECTED_DOCUMENT.scopes_supported.filter((name) => name !== 'platform').join(' ')

    const tokens = await app.tokens(await signedIn(), { scope })
    const refreshed = await app.refresh(tokens.refresh_token ?? '')

    expect(tokens.scope).toBe(scope)
    expect(refreshed.scope).toBe(scope)
  })

  it('[I3] and other grant types and endpoints are rejected', async () => {
    const app = new RelyingApp()

    const response = await app.requestTokens({ grant_type: 'password', scope: 'openid' })

    expect(response.status).toBe(400)
    for (const path of ['/oidc/par', '/oidc/session'])
      expect((await new Browser().get(path)).status).toBe(404)
  })
})

describe('GET /.well-known/jwks.json', () => {
  it('[I4][E12] returns public, strong keys, identified by their thumbprints', async () => {
    const { keys } = await publishedKeys()

    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length)
    for (const key of keys) {
      expect(key.kid).toBe(await calculateJwkThumbprint(key))
      expect(key.use).toBe('sig')
      const members = key.kty === 'EC' ? ['crv', 'x', 'y'] : ['e', 'n']
      expect(Object.keys(key).sort()).toEqual(['alg', 'kid', 'kty', 'use', ...members].sort())
      expect(await importJWK(key)).toMatchObject({ type: 'public' })
      if (key.kty === 'EC') expect([key.alg, key.crv]).toEqual(['ES256', 'P-256'])
      else expect(base64url.decode(key.n ?? '').length).toBeGreaterThanOrEqual(256)
    }
  })

  it('[I5] returns 304 for the current ETag', async () => {
    const first = await new Browser().get(JWKS_PATH)
    const etag = first.headers.get('ETag') ?? ''

    const current = await new Browser().get(JWKS_PATH, { 'If-None-Match': etag })
    const outdated = await new Browser().get(JWKS_PATH, { 'If-None-Match': '"old"' })

    expect(etag).toMatch(/^"[^"]+"$/)
    expect([current.status, await current.text(), current.headers.get('ETag')]).toEqual([
      304,
      '',
      etag,
    ])
    expect(outdated.status).toBe(200)
  })

  it.each([
    ['weak', (etag: string) => `W/${etag}`],
    ['in a list', (etag: string) => `"old", ${etag}`],
    ['any', () => '*'],
  ])('[I5] returns 304 for an ETag that is %s (RFC 9110 §13.1.2)', async (_, toHeader) => {
    const first = await new Browser().get(JWKS_PATH)
    const header = toHeader(first.headers.get('ETag') ?? '')

    const response = await new Browser().get(JWKS_PATH, { 'If-None-Match': header })

    expect(response.status).toBe(304)
  })

  it('[I6] contains the next key before it signs, and the last one while its ID tokens are valid as hints', async () => {
    const keyring = env.KEYRING.get(env.KEYRING.newUniqueId())
    const service = serviceWith({ KEYRING: { idFromName: () => 'any', get: () => keyring } })
    const browser = new Browser(service)
    const publishedKeyIds = async () => (await publishedKeys(browser)).keys.map(({ kid }) => kid)
    const signingKeyId = async () => {
      await browser.signIn('mia')
      return decodeProtectedHeader((await browser.session())?.token ?? '').kid
    }
    const [before, first] = [await publishedKeyIds(), await signingKeyId()]
    const { rotatesAt } = await keyring.list()

    // Isolates cache the keyring for five minutes.
    setClock(rotatesAt + 301)
    await runDurableObjectAlarm(keyring)
    const second = await signingKeyId()

    expect(second).not.toBe(first)
    expect(before).toContain(second)
    expect(await publishedKeyIds()).toEqual(expect.arrayContaining([first, second]))
    // An ID token is accepted as a hint for as long as its session may last: a month.
    setClock(rotatesAt + 301 + 29 * DAY)
    expect(await publishedKeyIds()).toContain(first)
    setClock(rotatesAt + 700 + 32 * DAY)
    await runDurableObjectAlarm(keyring)
    expect(await publishedKeyIds()).not.toContain(first)
  })
})
