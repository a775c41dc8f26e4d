import { type Diagnosis, type Finding, goodOrProblems, problem } from '../finding.ts'
import { sendRequest } from '../http-request.ts'

const PATH = '/.well-known/openid-configuration'

/** The path of each endpoint, relative to the issuer. */
const ENDPOINTS: Readonly<Record<string, string>> = {
  authorization_endpoint: '/oidc/authorize',
  token_endpoint: '/oidc/token',
  userinfo_endpoint: '/oidc/userinfo',
  jwks_uri: '/.well-known/jwks.json',
}

/** The value that each list must contain for clients with default settings to work. */
const REQUIRED_VALUES: Readonly<Record<string, string>> = {
  response_types_supported: 'code',
  subject_types_supported: 'public',
  id_token_signing_alg_values_supported: 'RS256',
  code_challenge_methods_supported: 'S256',
}

/** {@link https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata} */
export async function checkDiscovery(origin: string): Promise<Finding[]> {
  const { status, json } = await sendRequest(`${origin}${PATH}`)
  if (status !== 200 || !json) return [noDocument(status)]
  const { issuer } = json
  return [
    ...goodOrProblems('issuer', issuer === origin ? [] : [wrongIssuer(origin, issuer)]),
    ...goodOrProblems('discovery', [...diagnoseEndpoints(json), ...diagnoseLists(json)]),
  ]
}

function noDocument(status: number): Finding {
  return problem('discovery', {
    what: status === 200 ? `${PATH} is not a JSON object.` : `${PATH} returned status ${status}.`,
    why: 'OpenID Connect clients read this document before anything else.',
    fix: 'Check that nothing in front of the service responds in its place (a firewall rule, a cache, another route).',
  })
}

function wrongIssuer(origin: string, issuer: unknown): Diagnosis {
  return {
    what: `The issuer is ${issuer} instead of ${origin}.`,
    why: 'Clients compare the issuer character by character, and reject tokens of any other issuer.',
    fix: `Set AUTH_URL to ${origin} and deploy, or run this check with the address of the issuer.`,
  }
}

function diagnoseEndpoints(json: Record<string, unknown>): Diagnosis[] {
  return Object.entries(ENDPOINTS)
    .filter(([name, path]) => json[name] !== `${json['issuer']}${path}`)
    .map(([name, path]) => ({
      what: `${name} is not ${json['issuer']}${path}.`,
      why: 'Clients would send their requests to another address.',
      fix: 'Check what rewrites the document in transit: the service derives all addresses from AUTH_URL.',
    }))
}

function diagnoseLists(json: Record<string, unknown>): Diagnosis[] {
  return Object.entries(REQUIRED_VALUES)
    .filter(([name, value]) => {
      const list = json[name]
      return !Array.isArray(list) || !list.includes(value)
    })
    .map(([name, value]) => ({
      what: `${name} does not contain ${value}.`,
      why: 'Clients with default settings refuse to start.',
      fix: 'Check what rewrites the document in transit, and that the deployed version matches this checkout.',
    }))
}
