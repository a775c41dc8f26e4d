import { importJWK, type JSONWebKeySet, type JWK } from 'jose'
import { describe, expect, it } from 'vitest'
import { Browser, LOGIN } from '../../browser.ts'
import { DISCOVERY_PATH, discoveryDocument } from '../oidc/published-metadata.ts'

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

/** The private and symmetric members of RFC 7517 §4 and RFC 7518 §6. */
const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

describe('the Config plan', () => {
  it('[I7] oidcc-discovery-endpoint-verification: the metadata is complete and well formed, and has only registered names', async () => {
    const response = await new Browser().get(DISCOVERY_PATH)
    const metadata = await response.json<Record<string, unknown>>()

    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toMatch(/^application\/json\b/)
    expect(metadata['issuer']).toBe(LOGIN)
    expect(LOGIN).toMatch(/^https:\/\/[^?#]+$/)
    for (const [name, value] of Object.entries(metadata)) {
      expect(REGISTERED_NAMES).toContain(name)
      expectWellFormed(name, value)
    }
    expect(metadata).toMatchObject({
      response_types_supported: expect.arrayContaining(['code']),
      subject_types_supported: expect.arrayContaining(['public']),
      id_token_signing_alg_values_supported: expect.arrayContaining(['RS256']),
      claims_supported: expect.arrayContaining(['sub']),
      scopes_supported: expect.arrayContaining(['openid']),
      grant_types_supported: expect.arrayContaining(['authorization_code']),
      code_challenge_methods_supported: ['S256'],
      jwks_uri: expect.any(String),
    })
    for (const tag of metadata['ui_locales_supported'] as string[])
      expect(Intl.getCanonicalLocales(tag)).toEqual([tag])
  })

  it('[I4] oidcc-discovery-endpoint-verification: the keys are public, usable and distinct', async () => {
    const { jwks_uri } = await discoveryDocument()
    const { keys } = await new Browser().json<JSONWebKeySet>(String(jwks_uri))

    expect(keys.length).toBeGreaterThan(0)
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length)
    for (const key of keys) {
      expect(['RSA', 'EC']).toContain(key.kty)
      for (const member of SECRET_MEMBERS) expect(key).not.toHaveProperty(member)
      expect(await isUsable(key)).toBe(true)
    }
  })
})

/**
 * {@link https://www.rfc-editor.org/rfc/rfc8414#section-2}: the type of a value depends on its
 * name.
 */
function expectWellFormed(name: string, value: unknown): void {
  if (/_endpoint$|_uri$/.test(name)) {
    expect([name, URL.parse(String(value))?.protocol]).toEqual([name, 'https:'])
  } else if (/_(types|modes|methods|values|scopes|claims|locales)_supported$/.test(`_${name}`)) {
    expect([name, Array.isArray(value)]).toEqual([name, true])
    expect((value as unknown[]).length, name).toBeGreaterThan(0)
    for (const item of value as unknown[]) expect(item, name).toEqual(expect.stringMatching(/./))
  } else if (name !== 'issuer') {
    expect([name, typeof value]).toEqual([name, 'boolean'])
  }
}

async function isUsable(key: JWK): Promise<boolean> {
  const imported = await importJWK(key)
  return 'usages' in imported && imported.type === 'public' && imported.usages.includes('verify')
}
