import { env } from 'cloudflare:workers'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { expect } from 'vitest'
import { createServer } from '../../../src/server.ts'
import { createVerifier } from '../../../src/verify.ts'
import { Browser, issuedSecrets, LOGIN, serviceWith } from '../../browser.ts'
import { advanceClock, DAY, stopClock } from '../../clock.ts'
import { basic, formRequest } from '../../core/oidc/relying-app.ts'
import { approveConsent } from '../../core/oidc/user-steps.ts'
import { newId } from '../../core/registrations/stored-clients.ts'
import { callApi, connectMachine } from '../../features/admin/machine-client.ts'
import { PROVIDER_CODE, SDK_REDIRECT_URI } from '../../features/native-apps/native-app.ts'
import { newKeyring } from '../../keyring-isolates.ts'
import { signInNewUser } from '../../new-user.ts'
import { withReusedRsaKeys } from '../../reused-rsa-keys.ts'
import type { obtainTokens } from './holdings.ts'

export const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'

const VERIFIER = 'v'.repeat(43)
/** Its S256 challenge. */
const CHALLENGE = '7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM'

export interface Tokens {
  access_token: string
  refresh_token: string
  id_token: string
  error?: string
}

type Service = ReturnType<typeof serviceWith>

interface SendOptions {
  headers?: Record<string, string>
  /** Another isolate than that of apps and users. */
  via?: Service
}

/** What differs from the world in which most things end. */
export interface Variant {
  /** The user has a second account. */
  hasTwoAccounts?: true
  /** The app asks users for consent. */
  isThirdParty?: true
  /** The app authenticates with a key, and has two of them. */
  hasKeys?: true
  /** A keyring that no other test uses. */
  hasOwnKeyring?: true
  /** A deployment with other features. */
  createService?: typeof serviceWith
}

const ADMINISTRATION = { scope: 'admin:read admin:write admin:administrators' }

const machines = new Map<string | undefined, ReturnType<typeof connectMachine>>()

/** A machine that administers every world of a file with the common keyring. */
function sharedMachine() {
  // Files share this module, but not what is stored.
  const { testPath } = expect.getState()
  const machine = machines.get(testPath) ?? connectMachine(ADMINISTRATION)
  machines.set(testPath, machine)
  return machine
}

/** A deployment, in which an app of one user has everything that can end. */
export async function createWorld({
  hasTwoAccounts,
  isThirdParty,
  hasKeys,
  hasOwnKeyring,
  createService = serviceWith,
}: Variant = {}) {
  stopClock()
  const keyring = hasOwnKeyring && newKeyring()
  const settings = {
    AUTH_TIKTOK_APP_REDIRECT_URI: SDK_REDIRECT_URI,
    ...(keyring && { KEYRING: { idFromName: () => 'any', get: () => keyring } }),
  }
  // Operators reach another isolate than apps and users. Each has copies of its own.
  const operators = createService(settings)
  const service = createService(settings)
  if (keyring) {
    // Keys that were just created cannot be rotated.
    await withReusedRsaKeys(() => operators(new Request(`${LOGIN}/.well-known/jwks.json`)))
    advanceClock(DAY)
  }
  const { token } = await (keyring ? connectMachine(ADMINISTRATION, operators) : sharedMachine())

  const administer = async (path: string, method = 'POST', body?: unknown) => {
    const response = await callApi(path, {
      method,
      token,
      service: operators,
      ...(body !== undefined && { body }),
    })
    expect([path, response.status < 300 || (await response.text())]).toEqual([path, true])
    return response
  }

  const api = `https://${newId('api')}.example`
  const scopes = [{ name: 'stock:read', description: 'Read the stock.' }]
  await administer('/apis', 'POST', {
    identifier: api,
    scopes,
    client_credentials: true,
    roles: ['editor'],
  })

  const clientId = newId('app')
  const origin = `https://${clientId}.example`
  const keys = hasKeys && [await createKey(), await createKey()]
  const registration = {
    client_id: clientId,
    client_name: 'The app',
    redirect_uris: [`${origin}/auth/callback`],
    first_party: !isThirdParty,
    grant_types: [
      'authorization_code',
      'refresh_token',
      'client_credentials',
      DEVICE_CODE,
      PROVIDER_CODE,
    ],
    scope: 'openid profile offline_access stock:read',
    resources: [api],
    ...(!isThirdParty && { upstream_tokens: ['tiktok'] }),
    ...(keys && { jwks: { keys: keys.map(({ jwk }) => jwk) } }),
  }
  const created = await administer('/clients', 'POST', registration)
  const { client_secret = '' } = await created.json<{ client_secret?: string }>()
  if (client_secret) issuedSecrets.add(client_secret)

  const secrets = [client_secret]
  /** The index of the secret or key that the app authenticates with. */
  let credential = 0

  const send = async (
    path: string,
    form: Record<string, string>,
    { headers = {}, via = service }: SendOptions = {},
  ) => {
    if (!keys) {
      const authorization = basic(clientId, secrets[credential])
      return via(formRequest(path, form, { ...authorization, ...headers }))
    }
    const assertion = await signAssertion(clientId, keys[credential])
    return via(formRequest(path, { ...form, ...assertion }, headers))
  }
  const post = async <Result>(...input: Parameters<typeof send>): Promise<Result> => {
    const result = await (await send(...input)).json<Result>()
    for (const secret of Object.values(result as object)) {
      if (typeof secret === 'string' && secret.length > 40) issuedSecrets.add(secret)
    }
    return result
  }

  const { browser, handle, userId } = await signInNewUser(new Browser(service))
  if (hasTwoAccounts) await addAccount(userId)
  let bystander: Promise<Browser> | undefined
  const elsewhere = new Browser(service)
  await elsewhere.signIn(handle, { prompt: 'login' })

  const authorizationRequest = {
    client_id: clientId,
    redirect_uri: `${origin}/auth/callback`,
    response_type: 'code',
    scope: 'openid profile offline_access',
    resource: api,
    nonce: 'n',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  }

  if (isThirdParty) {
    const page = await browser.get(`/oidc/authorize?${new URLSearchParams(authorizationRequest)}`)
    await approveConsent(browser, page)
  }

  return {
    service,
    operators,
    administer,
    api,
    clientId,
    registration,
    clientSecret: client_secret,
    origin,
    keys,
    browser,
    elsewhere,
    handle,
    userId,
    /** The browser of another user, who is signed in. */
    bystander() {
      bystander ??= signInNewUser(new Browser(service)).then((user) => user.browser)
      return bystander
    },
    authorizationRequest,
    send,
    post,
    /** The secrets of the app, in the order in which it got them. */
    secrets,
    /** From now on, the app authenticates with another secret or key. */
    useCredential(index: number) {
      credential = index
    },
    /** A code that the app gets in this browser, or an empty string. */
    async code(using = browser, request: Record<string, string> = authorizationRequest) {
      const response = await using.get(`/oidc/authorize?${new URLSearchParams(request)}`)
      const location = response.headers.get('Location') ?? origin
      const code = new URL(location, LOGIN).searchParams.get('code') ?? ''
      if (code) issuedSecrets.add(code)
      return code
    },
    redeem(code: string, options: SendOptions = {}) {
      const form = {
        grant_type: 'authorization_code',
        redirect_uri: `${origin}/auth/callback`,
        code,
        code_verifier: VERIFIER,
      }
      return post<Tokens>('/oidc/token', form, options)
    },
    refresh: (refresh_token: string) =>
      post<Tokens>('/oidc/token', { grant_type: 'refresh_token', refresh_token }),
    verifier: (audience: string, token: 'access' | 'session' = 'access') =>
      createVerifier({
        issuer: LOGIN,
        audience,
        token,
        fetch: (url, init) => service(new Request(url, init)),
      }),
    server: () =>
      createServer({
        url: LOGIN,
        clientId,
        clientSecret: client_secret,
        secret: 'the first secret of the web app, 1',
        origin,
        audiences: [api],
        fetch: (url, init) => service(new Request(url, init)),
      }),
  }
}

export type BareWorld = Awaited<ReturnType<typeof createWorld>>

/** With what the app has obtained. */
export type World = BareWorld & Awaited<ReturnType<typeof obtainTokens>>

/** Adds an account at a provider that the deployment does not have any more. */
async function addAccount(userId: string): Promise<void> {
  await env.DIRECTORY.prepare(
    `INSERT INTO accounts
       (provider, issuer, provider_account_id, user_id, client_id, created_at, updated_at)
     VALUES ('gitlab', '', ?1, ?2, 'git-client', unixepoch(), unixepoch())`,
  )
    .bind(`second-${userId}`, userId)
    .run()
}

interface Key {
  jwk: JWK
  privateKey: CryptoKey
}

async function createKey(): Promise<Key> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const kid = crypto.randomUUID()
  return { jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256' }, privateKey }
}

async function signAssertion(clientId: string, key: Key | undefined) {
  if (!key) throw new Error('The app has no keys.')
  const now = Math.floor(Date.now() / 1000)
  const claims = { iss: clientId, sub: clientId, aud: LOGIN, iat: now, exp: now + 60 }
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await new SignJWT({ ...claims, jti: crypto.randomUUID() })
      .setProtectedHeader({ alg: 'ES256', kid: String(key.jwk.kid) })
      .sign(key.privateKey),
  }
}
