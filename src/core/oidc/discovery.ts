import type { Config } from '../config/config.ts'
import { OPENID_SCOPES } from '../registration-schemas/apis.ts'
import { SIGNING_ALGORITHMS } from '../registration-schemas/clients.ts'
import { supportedAcrValues } from '../tokens/acr.ts'
import { PROFILE_CLAIM_NAMES } from '../upstream/user-schema.ts'
import { RESPONSE_MODES } from './authorization-error.ts'
import { ASSERTION_ALGORITHMS } from './client-assertion.ts'
import { grantTypes } from './token.ts'

const cache = new WeakMap<Config, string>()

/** The JSON document that {@link createDocument} describes, serialized once per configuration. */
export function discoveryDocument(config: Config): string {
  const document = cache.get(config) ?? JSON.stringify(createDocument(config))
  cache.set(config, document)
  return document
}

/** {@link https://www.rfc-editor.org/rfc/rfc8414} and OpenID Connect Discovery, in one document. */
function createDocument(config: Config) {
  const { issuer, languages } = config
  const authMethods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt']
  const assertionAlgorithms = ASSERTION_ALGORITHMS
  return {
    issuer,
    authorization_endpoint: `${issuer}/oidc/authorize`,
    token_endpoint: `${issuer}/oidc/token`,
    userinfo_endpoint: `${issuer}/oidc/userinfo`,
    revocation_endpoint: `${issuer}/oidc/revoke`,
    introspection_endpoint: `${issuer}/oidc/introspect`,
    end_session_endpoint: `${issuer}/oidc/logout`,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    response_types_supported: ['code'],
    response_modes_supported: RESPONSE_MODES,
    grant_types_supported: [...new Set(grantTypes(config).map(({ name }) => name))],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: SIGNING_ALGORITHMS,
    userinfo_signing_alg_values_supported: SIGNING_ALGORITHMS,
    token_endpoint_auth_methods_supported: [...authMethods, 'none'],
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    revocation_endpoint_auth_methods_supported: [...authMethods, 'none'],
    revocation_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    introspection_endpoint_auth_methods_supported: authMethods,
    introspection_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    code_challenge_methods_supported: ['S256'],
    scopes_supported: OPENID_SCOPES,
    claims_supported: [
      'sub',
      'iss',
      'aud',
      'exp',
      'iat',
      'auth_time',
      'nonce',
      'acr',
      'amr',
      'sid',
      'at_hash',
      'name',
      ...PROFILE_CLAIM_NAMES,
      'preferred_username',
      'picture',
      'profile',
      'email',
      'email_verified',
      'platform',
    ],
    acr_values_supported: supportedAcrValues(config),
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    ui_locales_supported: Array.from(languages.values(), ({ tag }) => tag),
    claims_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    authorization_response_iss_parameter_supported: true,
    ...Object.assign({}, ...config.features.map(({ discovery }) => discovery?.(config))),
  }
}
