/** Fields of a registration that belong together, in the order of the form, each with a hint. */
export interface FieldGroup {
  title: string
  /** By the name of the field. docs/operations.md has the details. */
  hints: Readonly<Record<string, string>>
  /** Few registrations need these fields, so the form shows them only on request. */
  isAdvanced?: boolean
}

export const CLIENT_FIELDS: readonly FieldGroup[] = [
  {
    title: 'Name and look',
    hints: {
      client_id: 'Identifies the app: letters, digits and . _ ~ -. It cannot be changed later.',
      client_name: 'The name that users see. By default the client_id.',
      logo_uri: 'The https address of its logo.',
      brand_color: 'The colour of its main button in hex, such as #1a73e8.',
      policy_uri: 'The https address of its privacy policy.',
      tos_uri: 'The https address of its terms of service.',
    },
  },
  {
    title: 'Addresses',
    hints: {
      redirect_uris:
        'Where users return: https, or http on loopback. Required if the app signs users in.',
      post_logout_redirect_uris: 'Where users may return after signing out. Compared exactly.',
      backchannel_logout_uri: 'The https address that is called when a session ends.',
    },
  },
  {
    title: 'Credentials',
    hints: {
      application_type: 'native: a program on the users’ own machines, which cannot keep a secret.',
      token_endpoint_auth_method:
        'Not set: a secret, or jwks if it has keys. none: no secret, such as for an app in the browser.',
      jwks: 'Its public keys, instead of a secret.',
    },
  },
  {
    title: 'Access',
    hints: {
      first_party: 'Your own app: it may read the session, and users are not asked for consent.',
      scope: 'The scopes it may have, separated by spaces.',
      required_scope: 'The scopes that users cannot decline on the consent page.',
      resources: 'The addresses of APIs that its access tokens may be for.',
    },
  },
  {
    title: 'Advanced',
    isAdvanced: true,
    hints: {
      grant_types:
        'authorization_code: signs users in. refresh_token: may have offline_access. client_credentials: gets tokens for itself.',
      skip_sign_in_page:
        'true: straight to the provider if there is only one. Not set: as first_party.',
      require_pkce:
        'Not set: required unless a request has openid and a nonce. true: always, which is recommended. false: never.',
      id_token_claims: 'minimal: only userinfo has the profile, not the ID token.',
      id_token_signed_response_alg: 'How ID tokens are signed. ES256 is cheaper.',
      userinfo_signed_response_alg: 'Not set: userinfo is JSON. Otherwise it is a signed JWT.',
      introspects: 'The APIs whose tokens it may introspect, because it is their credential.',
      upstream_scope: 'The provider’s scopes that users must have granted.',
      upstream_tokens:
        'The providers whose own tokens it may receive. Requires first_party, and a secret or jwks.',
    },
  },
]

export const API_FIELDS: readonly FieldGroup[] = [
  {
    title: 'Name',
    hints: {
      identifier:
        'Its address, exactly as clients list it in their resources. It cannot be changed later.',
      name: 'The name on the consent page. By default the identifier.',
    },
  },
  {
    title: 'Access',
    hints: {
      scopes: 'What clients may do.',
      clients: 'The IDs of clients that may use it, besides those that list it in their resources.',
      client_credentials: 'Machine clients may request tokens for it, without a user.',
    },
  },
  {
    title: 'Access tokens',
    hints: {
      access_token_lifetime: 'From 60 to 86400 seconds. By default that of the deployment.',
      access_token_type: 'JWT: for verifiers that do not accept at+jwt.',
    },
  },
]
