import { env } from 'cloudflare:workers'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { LOGIN, serviceWith } from '../../browser.ts'
import { registeredClients } from '../../registered-clients.ts'
import { sha256Hex } from '../../sha256-hex.ts'
import type { PublishedFile } from '../../upstream/published-file.ts'

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const PROVIDER_CODE = 'urn:vestibule:params:oauth:grant-type:provider-code'
export const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token'

/** An app of the operator's own. */
export const OWN_APP = {
  client_id: 'shop-app',
  client_name: 'The shop',
  application_type: 'native',
  first_party: true,
  redirect_uris: ['com.example.shop:/callback'],
  grant_types: ['authorization_code', 'refresh_token', TOKEN_EXCHANGE, PROVIDER_CODE],
}

/** Where the SDK of TikTok returns to. */
export const SDK_REDIRECT_URI = 'https://shop.example/tiktok'

/** What this SDK does in an app: it returns a code and the verifier, or an error. */
export async function callSdk(handle: string, changes: Record<string, string> = {}) {
  const code_verifier = crypto.randomUUID() + crypto.randomUUID()
  const scope = 'user.info.basic,user.info.profile'
  const query = new URLSearchParams({
    client_key: String(Reflect.get(env, 'AUTH_TIKTOK_ID')),
    bundle_id: 'com.example.shop',
    redirect_uri: SDK_REDIRECT_URI,
    response_type: 'code',
    scope,
    code_challenge: await sha256Hex(code_verifier),
    code_challenge_method: 'S256',
    __as: handle,
    __grant: scope,
    ...changes,
  })
  const url = `https://www.tiktok.com/v2/auth/authorize/?${query}`
  const response = await fetch(url, { redirect: 'manual' })
  const answer = new URL(response.headers.get('Location') ?? '', url)
  return { answer, code: answer.searchParams.get('code') ?? '', code_verifier }
}

/** Publishes a document at one of the hosts that tests control. */
async function publish(url: string, file: PublishedFile): Promise<void> {
  await fetch(url, { method: 'PUT', body: JSON.stringify(file) })
}

/** An OpenID Provider whose SDK returns the ID tokens that a test signs. */
export class AppProvider {
  readonly issuer = `https://op-${crypto.randomUUID().slice(0, 8)}.agents.example`
  #key: CryptoKey | undefined

  async start(): Promise<this> {
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
    this.#key = privateKey
    const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
    this.publicJwk = jwk
    const document = {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/jwks`,
      id_token_signing_alg_values_supported: ['RS256'],
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
    }
    await publish(`${this.issuer}/.well-known/openid-configuration`, {
      body: JSON.stringify(document),
    })
    await publish(`${this.issuer}/jwks`, { body: JSON.stringify({ keys: [jwk] }) })
    return this
  }

  publicJwk: Record<string, unknown> = {}

  get key(): CryptoKey {
    if (!this.#key) throw new Error('The provider was not started.')
    return this.#key
  }

  /** The claims of a valid token. */
  claims(changes: Record<string, unknown> = {}): JWTPayload {
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      iss: this.issuer,
      aud: 'ios-app',
      sub: 'alice',
      name: 'Alice Park',
      iat: now,
      exp: now + 3600,
      ...changes,
    }
    const present = Object.entries(claims).filter(([, value]) => value !== undefined)
    return Object.fromEntries(present) as JWTPayload
  }

  sign(
    changes: Record<string, unknown> = {},
    header: object = {},
    key = this.key,
  ): Promise<string> {
    return new SignJWT(this.claims(changes))
      .setProtectedHeader({ alg: 'RS256', kid: 'one', ...header })
      .sign(key)
  }

  /** A deployment that accepts its tokens. */
  service(settings: Record<string, unknown> = {}, client: object = {}) {
    return serviceWith(this.settings(settings, client))
  }

  settings(settings: Record<string, unknown> = {}, client: object = {}): Record<string, unknown> {
    return {
      AUTH_OIDC_ID: 'web-client',
      AUTH_OIDC_SECRET: 'our-secret-Kq7vR2',
      AUTH_OIDC_ISSUER: this.issuer,
      AUTH_OIDC_APP_IDS: 'ios-app,android-app',
      CLIENTS: [...registeredClients, { ...OWN_APP, ...client }],
      ...settings,
    }
  }
}

export type Service = ReturnType<AppProvider['service']>

export interface TokenResponse {
  access_token?: string
  id_token?: string
  refresh_token?: string
  issued_token_type?: string
  scope?: string
  error?: string
  error_description?: string
}

export async function post(service: Service, path: string, form: Record<string, string>) {
  const body = new URLSearchParams(form)
  const headers = { 'CF-Connecting-IP': '203.0.113.9' }
  return service(new Request(`${LOGIN}${path}`, { method: 'POST', headers, body }))
}

export async function challenge(service: Service): Promise<string> {
  const response = await post(service, '/oidc/challenge', { client_id: OWN_APP.client_id })
  return (await response.json<{ nonce: string }>()).nonce
}

export async function exchange(
  service: Service,
  subject_token: string,
  changes: Record<string, string> = {},
): Promise<TokenResponse> {
  const response = await post(service, '/oidc/token', {
    grant_type: TOKEN_EXCHANGE,
    client_id: OWN_APP.client_id,
    provider: 'oidc',
    subject_token,
    subject_token_type: ID_TOKEN,
    scope: 'openid profile offline_access',
    ...changes,
  })
  return response.json()
}
