/** What the operator of the other system enters there. */
interface Provider {
  issuer: string
  clientId: string
}

/** A login system with users of its own, which this service is an OpenID Connect provider of. */
interface LoginSystem {
  title: string
  /** An example of its redirect URI. */
  redirectUri: string
  /** The fields of its registration. */
  fields: Record<string, unknown>
  /** The fields that follow from its redirect URI. */
  fieldsOf?: (redirectUri: string) => Record<string, unknown>
  /** Where its settings for providers are. */
  place: string
  settings: (provider: Provider) => Record<string, string>
}

const SECRET = 'the client_secret above'

/** Your own app: nobody is asked for consent. Such systems need no refresh tokens. */
const COMMON = { first_party: true, scope: 'openid profile email' }

const WITH_PKCE = { ...COMMON, require_pkce: true }

/** The secret authenticates it instead. */
const WITHOUT_PKCE = { ...COMMON, require_pkce: false }

/** The systems of `clients add --for`, as in docs/other-login-systems.md. */
export const LOGIN_SYSTEMS: Readonly<Record<string, LoginSystem>> = {
  keycloak: {
    title: 'Keycloak',
    redirectUri: 'https://sso.example.com/realms/shop/broker/vestibule/endpoint',
    fields: { ...WITH_PKCE, token_endpoint_auth_method: 'client_secret_basic' },
    fieldsOf: (redirectUri) => {
      const [, realm] = /^(.+\/realms\/[^/]+)\/broker\/[^/]+\/endpoint$/.exec(redirectUri) ?? []
      return {
        post_logout_redirect_uris: [`${redirectUri}/logout_response`],
        ...(realm && {
          backchannel_logout_uri: `${realm}/protocol/openid-connect/logout/backchannel-logout`,
        }),
      }
    },
    place: 'Identity providers, Add provider, OpenID Connect v1.0',
    settings: ({ issuer, clientId }) => ({
      Alias: 'vestibule',
      'Discovery endpoint': discoveryUrl(issuer),
      'Client authentication': 'Client secret sent as basic auth',
      'Client ID': clientId,
      'Client Secret': SECRET,
      Scopes: 'openid profile email',
      'Use PKCE': 'On',
      'PKCE Method': 'S256',
      'Trust Email': 'On',
    }),
  },
  supabase: {
    title: 'Supabase',
    redirectUri: 'https://<project>.supabase.co/auth/v1/callback',
    fields: WITH_PKCE,
    place: 'Auth Providers, New Provider, Auto-discovery (OIDC)',
    settings: ({ issuer, clientId }) => ({
      Identifier: 'custom:vestibule',
      'Issuer URL': issuer,
      'Client ID': clientId,
      'Client Secret': SECRET,
      Scopes: 'openid profile email',
      email_optional: 'on',
    }),
  },
  firebase: {
    title: 'Firebase',
    redirectUri: 'https://<project>.firebaseapp.com/__/auth/handler',
    fields: WITHOUT_PKCE,
    place: 'Authentication, Sign-in method, Add new provider, OpenID Connect',
    settings: ({ issuer, clientId }) => ({
      'Grant type': 'Code flow',
      Name: 'vestibule',
      'Client ID': clientId,
      'Issuer (URL)': issuer,
      'Client secret': SECRET,
    }),
  },
  clerk: {
    title: 'Clerk',
    redirectUri: 'https://clerk.example.com/v1/oauth_callback',
    fields: WITH_PKCE,
    place: 'SSO connections, Add connection, For all users, Custom provider',
    settings: ({ issuer, clientId }) => ({
      Key: 'vestibule',
      'Discovery Endpoint': discoveryUrl(issuer),
      'Client ID': clientId,
      'Client Secret': SECRET,
      'Use PKCE': 'On',
    }),
  },
  auth0: {
    title: 'Auth0',
    redirectUri: 'https://<tenant>.auth0.com/login/callback',
    fields: WITH_PKCE,
    place: 'Authentication, Enterprise, OpenID Connect, Create connection',
    settings: ({ issuer, clientId }) => ({
      'Connection name': 'vestibule',
      'OpenID Connect Discovery URL': discoveryUrl(issuer),
      'Communication Channel': 'Back Channel',
      'Client ID': clientId,
      'Client Secret': SECRET,
    }),
  },
  cognito: {
    title: 'Cognito',
    redirectUri: 'https://<domain>.auth.<region>.amazoncognito.com/oauth2/idpresponse',
    fields: { ...WITHOUT_PKCE, token_endpoint_auth_method: 'client_secret_post' },
    place:
      'your user pool, Social and external providers, Add an identity provider, OpenID Connect',
    settings: ({ issuer, clientId }) => ({
      'Provider name': 'vestibule',
      'Client ID': clientId,
      'Client secret': SECRET,
      'Authorized scopes': 'openid profile email',
      'Attribute request method': 'GET',
      'Issuer URL': issuer,
    }),
  },
  fusionauth: {
    title: 'FusionAuth',
    redirectUri: 'https://auth.example.com/oauth2/callback',
    fields: WITH_PKCE,
    place: 'Settings, Identity Providers, Add provider, OpenID Connect',
    settings: ({ issuer, clientId }) => ({
      'Client Id': clientId,
      'Client authentication': 'HTTP basic authentication (client_secret_basic)',
      'Client secret': SECRET,
      'Discover endpoints': 'on',
      Issuer: issuer,
      Scope: 'openid profile email',
      'Linking strategy': 'Anonymous Link',
    }),
  },
  zitadel: {
    title: 'ZITADEL',
    redirectUri: 'https://sso.example.com/idps/callback',
    fields: WITH_PKCE,
    place: 'Settings, Identity Providers, Generic OIDC',
    settings: ({ issuer, clientId }) => ({
      Name: 'Vestibule',
      'Issuer URL': issuer,
      'Client ID': clientId,
      'Client Secret': SECRET,
      Scopes: 'openid profile email',
      'Use PKCE': 'on',
    }),
  },
  authentik: {
    title: 'authentik',
    redirectUri: 'https://sso.example.com/source/oauth/callback/vestibule/',
    fields: WITH_PKCE,
    place: 'Directory, Federation and Social login, New Source, OpenID Connect',
    settings: ({ issuer, clientId }) => ({
      Slug: 'vestibule',
      'User matching mode': 'Link users on unique identifier',
      'Consumer key': clientId,
      'Consumer secret': SECRET,
      'PKCE Method': 'S256',
      'OIDC Well-known URL': discoveryUrl(issuer),
    }),
  },
  'better-auth': {
    title: 'better-auth',
    redirectUri: 'https://app.example.com/api/auth/callback/vestibule',
    fields: WITH_PKCE,
    place: 'genericOAuth in your code',
    settings: ({ issuer, clientId }) => ({
      providerId: 'vestibule',
      discoveryUrl: discoveryUrl(issuer),
      clientId,
      clientSecret: SECRET,
      pkce: 'true',
    }),
  },
  'auth-js': {
    title: 'Auth.js',
    redirectUri: 'https://app.example.com/api/auth/callback/vestibule',
    fields: WITH_PKCE,
    place: 'providers in your code',
    settings: ({ issuer, clientId }) => ({
      id: 'vestibule',
      type: 'oidc',
      issuer,
      clientId,
      clientSecret: SECRET,
    }),
  },
}

function discoveryUrl(issuer: string): string {
  return `${issuer}/.well-known/openid-configuration`
}
