import * as z from 'zod/mini'
import { isLoopback } from './loopback.ts'
import { flag, NOT_EMPTY, oneOf, SHORT, text } from './schemas.ts'

/** {@link https://www.rfc-editor.org/rfc/rfc6749#section-2.2}, without what would have to be escaped anywhere. */
const CLIENT_ID = /^[A-Za-z0-9._~-]{1,256}$/

const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/

const uri = text([
  isRedirectUri,
  'must be an https address, or http on loopback, without a fragment or a user name.',
])

const sha256 = text([
  (digest) => /^[0-9a-f]{64}$/.test(digest),
  'is the SHA-256 of a secret in hex, as `printf %s "$SECRET" | sha256sum` prints it.',
])

/** 2048 bits, the least that RFC 7518 §3.3 allows, in base64url. */
const SHORTEST_MODULUS = 342

const member = z.optional(z.string())

const publicKey = z
  .object({
    kty: oneOf('EC', 'RSA'),
    kid: member,
    crv: z.optional(oneOf('P-256')),
    x: member,
    y: member,
    n: z.optional(text([(n) => n.length >= SHORTEST_MODULUS, 'is of less than 2048 bits.'])),
    e: member,
    /** Of a private key, and of a symmetric one. */
    d: member,
    k: member,
  })
  .check(
    z.refine(({ d, k }) => !d && !k, { error: 'holds a secret: keep it to the app.' }),
    z.refine(({ n, e, crv, x, y }) => (n && e) || (crv && x && y), {
      error: 'is not a public key.',
    }),
  )

/** What a registration need not say. */
const DEFAULTS = {
  post_logout_redirect_uris: [],
  application_type: 'web',
  client_secrets_sha256: [],
  scope: 'openid profile email offline_access',
  resources: [],
  upstream_scope: [],
  upstream_tokens: [],
  id_token_signed_response_alg: 'RS256',
  id_token_claims: 'minimal',
  access_token_type: 'at+jwt',
  first_party: false,
  require_pkce: true,
}

/** A registration with what it need not say, yet to be checked. */
export function withDefaults(registered: unknown): unknown {
  return registered && typeof registered === 'object' ? { ...DEFAULTS, ...registered } : registered
}

/** A relying app as it is registered, under the names of OpenID Connect registration where it has one. */
export const clientSchema = z.strictObject({
  client_id: text([(id) => CLIENT_ID.test(id), 'may hold letters, digits and . _ ~ - only.']),
  client_name: z.optional(text(NOT_EMPTY, SHORT)),
  redirect_uris: z
    .array(uri, 'must be a list of addresses.')
    .check(z.refine(isFilled, { error: 'names no address.' })),
  post_logout_redirect_uris: z.array(uri),
  backchannel_logout_uri: z.optional(uri),
  application_type: oneOf('web', 'native'),
  token_endpoint_auth_method: z.optional(
    oneOf('none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'),
  ),
  /** Ours: several at once, so that a secret can be replaced. */
  client_secrets_sha256: z.array(sha256),
  /** The public keys it signs with, for `private_key_jwt`. */
  jwks: z.optional(
    z.object({ keys: z.array(publicKey).check(z.refine(isFilled, { error: 'has no key.' })) }),
  ),
  scope: text([
    (list) => list.split(' ').every((scope) => SCOPE.test(scope)),
    'is a list of scopes with spaces.',
  ]),
  /** Ours: the APIs its access tokens may be for (RFC 8707). */
  resources: z.array(uri),
  /** Ours: what the platform must have granted before people can use it, in the platform's words. */
  upstream_scope: z.array(text()),
  /** Ours: the providers whose own tokens it may ask for. */
  upstream_tokens: z.array(text()),
  id_token_signed_response_alg: oneOf('RS256', 'ES256'),
  userinfo_signed_response_alg: z.optional(oneOf('RS256', 'ES256')),
  /** Ours: `full` puts profile claims into the ID token, for clients that never ask userinfo. */
  id_token_claims: oneOf('minimal', 'full'),
  /** Ours: some verifiers know no other type. */
  access_token_type: oneOf('at+jwt', 'JWT'),
  /** Ours: the operator's own app, whose people are not asked for consent. */
  first_party: flag,
  /** Ours: off only for a confidential client that cannot do better. */
  require_pkce: flag,
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

/** What is wrong with a client as a whole, and with how it proves itself. */
export function clientProblems(client: Registered, local: boolean): string[] {
  const { token_endpoint_auth_method: method, first_party } = client
  const hasSecret = client.client_secrets_sha256.length > 0
  const hasKeys = client.jwks !== undefined
  const isConfidential = hasSecret || hasKeys
  const problems: [boolean | undefined, string][] = [
    [method === 'none' && isConfidential, 'has a secret and authenticates with none.'],
    [method?.startsWith('client_secret') && !hasSecret, 'has no secret to authenticate with.'],
    [method === 'private_key_jwt' && !hasKeys, 'has no jwks to authenticate with.'],
    [hasSecret && hasKeys, 'has both secrets and keys: it authenticates in one way.'],
    [!isConfidential && !client.require_pkce, 'has no secret, and so needs PKCE.'],
    [
      client.upstream_tokens.length > 0 && !(isConfidential && first_party),
      'is not first_party with a secret, and so may not have upstream_tokens.',
    ],
    [
      client.application_type === 'native' && first_party,
      'is native: any program can pose as it, so people must be asked (RFC 8252 §8.6).',
    ],
    [
      client.backchannel_logout_uri?.startsWith('http:') && !local,
      'can be told of logouts at an https address only.',
    ],
  ]
  return problems
    .filter(([isWrong]) => isWrong)
    .map(([, problem]) => `The client ${client.client_id} ${problem}`)
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

function isFilled(list: readonly unknown[]): boolean {
  return list.length > 0
}
