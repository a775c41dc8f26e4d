import type * as z from 'zod/mini'
import { type Api, apiSchema } from '../core/registration-schemas/apis.ts'
import { clientSchema, type Registration } from '../core/registration-schemas/clients.ts'
import { onFirstUse } from '../foundation/values/schemas.ts'
import { advanced, FIELD_DESCRIPTIONS, field } from './registration-fields.ts'

/** What is said about the fields of features, and about those of the core, by schema. */
export const fieldDescriptions = onFirstUse(() => {
  addDescriptions(clientSchema().shape, CLIENT_FIELDS)
  addDescriptions(apiSchema().shape, API_FIELDS)
  return FIELD_DESCRIPTIONS
})

/** The title and the description of each field, by group. */
type Descriptions<Fields> = Readonly<
  Record<
    string,
    { readonly [Name in keyof Fields]?: readonly [title: string, description: string] }
  >
>

function addDescriptions<Fields extends Record<string, z.ZodMiniType>>(
  shape: Fields,
  groups: Descriptions<NoInfer<Fields>>,
): void {
  for (const [group, fields] of Object.entries(groups)) {
    for (const [name, schema] of Object.entries(shape)) {
      const [title, description] = fields[name] ?? []
      if (title && description) field(group, title, description, schema)
    }
  }
}

/** Those of the core. The service creates the secrets of clients, so they are not entered. */
const CLIENT_FIELDS: Descriptions<Registration> = {
  'Name and addresses': {
    client_name: ['Name', 'The name that users see. By default the client_id.'],
    client_id: [
      'Client ID',
      'Identifies the app: letters, digits and . _ ~ -. It cannot be changed later.',
    ],
    redirect_uris: [
      'Where users return',
      'Where users return: https, http on loopback, or com.example.app:/… for a native app. Required if the app signs users in. With previews(), one may have a wildcard.',
    ],
  },
  Look: {
    logo_uri: ['Logo', 'The https URL of its logo.'],
    brand_color: ['Colour', 'The colour of its main button in hex, such as #1a73e8.'],
  },
  [advanced('Other addresses')]: {
    policy_uri: ['Privacy policy', 'The https URL of its privacy policy.'],
    tos_uri: ['Terms of service', 'The https URL of its terms of service.'],
    post_logout_redirect_uris: [
      'Where users return after signing out',
      'Where users may return after signing out. Compared exactly.',
    ],
    backchannel_logout_uri: [
      'Where to announce that a session has ended',
      'The https URL that is called when a session ends.',
    ],
  },
  [advanced('Credentials')]: {
    application_type: [
      'Where it runs',
      'native: a program on the users’ own machines, which cannot keep a secret.',
    ],
    token_endpoint_auth_method: [
      'How it proves who it is',
      'Not set: a secret, or jwks if it has keys. none: no secret, such as for an app in the browser.',
    ],
    jwks: ['Public keys', 'Its public keys, instead of a secret.'],
    jwks_uri: [
      'URL of its public keys',
      'The public https URL of its public keys, instead of jwks.',
    ],
  },
  [advanced('Access')]: {
    first_party: [
      'Our own app',
      'Your own app: it may read the session, and users are not asked for consent.',
    ],
    scope: ['Scopes', 'The scopes it may have, separated by spaces.'],
    required_scope: [
      'Scopes that users cannot decline',
      'The scopes that users cannot decline on the consent page.',
    ],
    resources: ['APIs', 'The URLs of APIs that its access tokens may be for.'],
  },
  [advanced('Other')]: {
    grant_types: [
      'How it gets tokens',
      'authorization_code: signs users in. refresh_token: may have offline_access. client_credentials: gets tokens for itself. Features such as device() add further ones.',
    ],
    client_assertion_audience: [
      'Audience of its assertions',
      'token_endpoint: assertions may name the token endpoint as aud, as those of older libraries do.',
    ],
    skip_sign_in_page: [
      'Skip the sign-in page',
      'true: straight to the provider if there is only one. Not set: as first_party.',
    ],
    require_pkce: [
      'Require PKCE',
      'Not set: required unless a request has openid and a nonce. true: always, which is recommended. false: never.',
    ],
    id_token_claims: [
      'Profile in ID tokens',
      'minimal: only userinfo has the profile, not the ID token.',
    ],
    id_token_signed_response_alg: [
      'Signature of ID tokens',
      'How ID tokens are signed. ES256 is cheaper.',
    ],
    userinfo_signed_response_alg: [
      'Signature of userinfo',
      'Not set: userinfo is JSON. Otherwise it is a signed JWT.',
    ],
    placeholder_email: [
      'Placeholder email address',
      'Users without an email address get an unverified one that cannot exist, for apps that require one.',
    ],
    introspects: [
      'APIs that it introspects for',
      'The APIs whose tokens it may introspect, because it is their credential.',
    ],
    upstream_scope: [
      'Scopes of the provider',
      'The provider’s scopes that users must have granted, as the provider spells them.',
    ],
  },
}

const API_FIELDS: Descriptions<Api> = {
  Name: {
    identifier: [
      'Identifier',
      'Its URL, exactly as clients list it in their resources. It cannot be changed later.',
    ],
    name: ['Name', 'The name on the consent page. By default the identifier.'],
  },
  Access: {
    scopes: ['Scopes', 'What clients may do.'],
    clients: [
      'Clients',
      'The IDs of clients that may use it, besides those that list it in their resources.',
    ],
    client_credentials: [
      'For machines',
      'Machine clients may request tokens for it, without a user.',
    ],
  },
  'Access tokens': {
    access_token_lifetime: [
      'Lifetime',
      'From 60 to 86400 seconds. By default that of the deployment.',
    ],
    access_token_type: ['Type', 'JWT: for verifiers that do not accept at+jwt.'],
    access_token_signing_alg: ['Signature', 'RS256: for verifiers that do not accept ES256.'],
    single_audience: [
      'Single audience',
      'aud is only its identifier, as a string: for verifiers that do not accept a list.',
    ],
  },
}
