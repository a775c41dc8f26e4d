import { type Finding, goodUnless, problem, type Trouble } from '../finding.ts'
import { visit } from '../visit.ts'

/** Where each endpoint is, below the issuer. */
const ENDPOINTS: Readonly<Record<string, string>> = {
  authorization_endpoint: '/oidc/authorize',
  token_endpoint: '/oidc/token',
  userinfo_endpoint: '/oidc/userinfo',
  jwks_uri: '/.well-known/jwks.json',
}

/** What every list must hold for ordinary clients to work. */
const LISTS: Readonly<Record<string, string>> = {
  response_types_supported: 'code',
  subject_types_supported: 'public',
  id_token_signing_alg_values_supported: 'RS256',
  code_challenge_methods_supported: 'S256',
}

/** {@link https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata} */
export async function checkDiscovery(origin: string): Promise<Finding[]> {
  const { status, json } = await visit(`${origin}/.well-known/openid-configuration`)
  if (status !== 200 || !json) return [missing(status)]
  return [
    ...goodUnless('issuer', json['issuer'] === origin ? [] : [otherIssuer(origin, json['issuer'])]),
    ...goodUnless('discovery', [...endpointTroubles(json), ...listTroubles(json)]),
  ]
}

function missing(status: number): Finding {
  return problem('discovery', {
    what: `/.well-known/openid-configuration answers ${status}, and no JSON object.`,
    why: 'OpenID Connect clients read it before anything else.',
    fix: 'See that nothing in front of the service answers in its place (a firewall rule, a cache, another route).',
  })
}

function otherIssuer(origin: string, issuer: unknown): Trouble {
  return {
    what: `The issuer is ${issuer}, and not ${origin}.`,
    why: 'Clients compare it letter for letter, and refuse tokens of another one.',
    fix: `Set AUTH_URL to ${origin} and deploy, or check the address that the issuer names.`,
  }
}

function endpointTroubles(json: Record<string, unknown>): Trouble[] {
  return Object.entries(ENDPOINTS)
    .filter(([name, path]) => json[name] !== `${json['issuer']}${path}`)
    .map(([name, path]) => ({
      what: `${name} is not ${json['issuer']}${path}.`,
      why: 'Clients would go somewhere else.',
      fix: 'See what rewrites the document on its way: the service makes it of AUTH_URL.',
    }))
}

function listTroubles(json: Record<string, unknown>): Trouble[] {
  return Object.entries(LISTS)
    .filter(([name, value]) => !toList(json[name]).includes(value))
    .map(([name, value]) => ({
      what: `${name} does not hold ${value}.`,
      why: 'Clients with ordinary settings refuse to begin.',
      fix: 'See what rewrites the document on its way, and that the deployed version is this one.',
    }))
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
