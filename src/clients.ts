import * as z from 'zod/mini'
import { isLoopback } from './loopback.ts'

/** {@link https://www.rfc-editor.org/rfc/rfc6749#section-2.2}, without what would have to be escaped anywhere. */
const CLIENT_ID = /^[A-Za-z0-9._~-]{1,256}$/

const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** What a client may ask for that says nothing else. */
const DEFAULT_SCOPE = 'openid profile email offline_access'

const uri = text().check(
  z.refine(isRedirectUri, {
    error: 'must be an https address, or http on loopback, without a fragment or a user name.',
  }),
)

const sha256 = text().check(
  z.regex(
    /^[0-9a-f]{64}$/,
    'is the SHA-256 of a secret in hex, as `printf %s "$SECRET" | sha256sum` prints it.',
  ),
)

/** 2048 bits, the least that RFC 7518 §3.3 allows, in base64url. */
const SHORTEST_MODULUS = 342

const publicKey = z
  .looseObject({
    kty: z.enum(['EC', 'RSA'], 'must be EC or RSA.'),
    kid: z.optional(z.string()),
    crv: z.optional(z.literal('P-256', 'must be P-256.')),
    n: z.optional(z.string().check(z.minLength(SHORTEST_MODULUS, 'is of less than 2048 bits.'))),
  })
  .check(
    z.refine((jwk) => !('d' in jwk || 'k' in jwk), {
      error: 'holds a secret: keep it to the app.',
    }),
    z.refine((jwk) => ('n' in jwk && 'e' in jwk) || ('crv' in jwk && 'x' in jwk && 'y' in jwk), {
      error: 'is not a public key.',
    }),
  )

/** A relying app as it is registered, under the names of OpenID Connect registration where it has one. */
export const clientSchema = z.strictObject({
  client_id: text().check(z.regex(CLIENT_ID, 'may hold letters, digits and . _ ~ - only.')),
  client_name: z.optional(
    text().check(z.minLength(1, 'is empty.'), z.maxLength(64, 'is too long.')),
  ),
  redirect_uris: z
    .array(uri, 'must be a list of addresses.')
    .check(z.minLength(1, 'names no address.')),
  post_logout_redirect_uris: z._default(z.array(uri), []),
  backchannel_logout_uri: z.optional(uri),
  application_type: z._default(z.enum(['web', 'native']), 'web'),
  token_endpoint_auth_method: z.optional(
    z.enum(['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt']),
  ),
  /** Ours: several at once, so that a secret can be replaced. */
  client_secrets_sha256: z._default(z.array(sha256), []),
  /** The public keys it signs with, for `private_key_jwt`. */
  jwks: z.optional(z.object({ keys: z.array(publicKey).check(z.minLength(1, 'has no key.')) })),
  scope: z._default(
    text().check(
      z.refine((list) => list.split(' ').every((one) => SCOPE.test(one)), {
        error: 'is a list of scopes with spaces.',
      }),
    ),
    DEFAULT_SCOPE,
  ),
  /** Ours: the APIs its access tokens may be for (RFC 8707). */
  resources: z._default(z.array(uri), []),
  /** Ours: what the platform must have granted before people can use it, in the platform's words. */
  upstream_scope: z._default(z.array(text()), []),
  /** Ours: the providers whose own tokens it may ask for. */
  upstream_tokens: z._default(z.array(text()), []),
  id_token_signed_response_alg: z._default(z.enum(['RS256', 'ES256']), 'RS256'),
  userinfo_signed_response_alg: z.optional(z.enum(['RS256', 'ES256'])),
  /** Ours: `full` puts profile claims into the ID token, for clients that never ask userinfo. */
  id_token_claims: z._default(z.enum(['minimal', 'full']), 'minimal'),
  /** Ours: some verifiers know no other type. */
  access_token_type: z._default(z.enum(['at+jwt', 'JWT']), 'at+jwt'),
  /** Ours: the operator's own app, whose people are not asked for consent. */
  first_party: z._default(z.boolean(), false),
  /** Ours: off only for a confidential client that cannot do better. */
  require_pkce: z._default(z.boolean(), true),
})

type Registered = z.infer<typeof clientSchema>

/** A relying app, ready for use. */
export interface Client extends Omit<Registered, 'scope'> {
  client_name: string
  token_endpoint_auth_method: NonNullable<Registered['token_endpoint_auth_method']>
  scope: readonly string[]
  /** The origins of its redirect URIs: where its people may be returned to, and who may ask for their session. */
  origins: readonly string[]
}

export function toClient(registered: Registered, local: boolean): Client {
  const isConfidential = registered.client_secrets_sha256.length > 0
  return {
    ...registered,
    client_name: registered.client_name ?? registered.client_id,
    token_endpoint_auth_method:
      registered.token_endpoint_auth_method ??
      (isConfidential ? 'client_secret_basic' : registered.jwks ? 'private_key_jwt' : 'none'),
    scope: registered.scope.split(' '),
    origins: originsOf(registered.redirect_uris, local),
  }
}

/** What is wrong with a client as a whole. */
export function clientProblems(client: Registered, local: boolean): string[] {
  const { client_id, application_type, first_party, backchannel_logout_uri } = client
  return [
    ...credentialProblems(client),
    ...(application_type === 'native' && first_party
      ? [
          `The client ${client_id} is native: any program can pose as it, so people must be asked (RFC 8252 §8.6).`,
        ]
      : []),
    ...(backchannel_logout_uri?.startsWith('http:') && !local
      ? [`The client ${client_id} can be told of logouts at an https address only.`]
      : []),
  ]
}

/** What is wrong with how a client proves itself, and with what it may not have without a proof. */
function credentialProblems({ client_id, ...client }: Registered): string[] {
  const { token_endpoint_auth_method: method } = client
  const hasSecret = client.client_secrets_sha256.length > 0
  const hasKeys = client.jwks !== undefined
  return [
    ...(method === 'none' && (hasSecret || hasKeys)
      ? [`The client ${client_id} has a secret and authenticates with none.`]
      : []),
    ...(method?.startsWith('client_secret') && !hasSecret
      ? [`The client ${client_id} has no secret to authenticate with.`]
      : []),
    ...(method === 'private_key_jwt' && !hasKeys
      ? [`The client ${client_id} has no jwks to authenticate with.`]
      : []),
    ...(hasSecret && hasKeys
      ? [`The client ${client_id} has both secrets and keys: it authenticates in one way.`]
      : []),
    ...(client.upstream_tokens.length > 0 && !((hasSecret || hasKeys) && client.first_party)
      ? [
          `The client ${client_id} is not first_party with a secret, and so may not have upstream_tokens.`,
        ]
      : []),
    ...(!hasSecret && !hasKeys && !client.require_pkce
      ? [`The client ${client_id} has no secret, and so needs PKCE.`]
      : []),
  ]
}

/** A native app's loopback address is good to be redirected to; a public service shares no session with it. */
function originsOf(uris: readonly string[], local: boolean): string[] {
  const shared = uris.filter((address) => local || !isLoopback(address))
  return [...new Set(shared.map((address) => new URL(address).origin))]
}

function isRedirectUri(address: string): boolean {
  const url = URL.parse(address)
  if (url === null) return false
  if (address.includes('#') || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(address))
}

function text() {
  return z.string({ error: ({ input }) => (input === undefined ? 'is missing.' : 'must be text.') })
}
