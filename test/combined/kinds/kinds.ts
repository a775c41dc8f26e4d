import { env } from 'cloudflare:workers'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as client from 'openid-client'
import type { ClientKindName } from '../../../src/administration/client-kinds.ts'
import type { UnregisteredFacts } from '../../../src/core/registration-schemas/clients.ts'
import type { readClientFields } from '../../../src/features/sender-constrained/registration-fields.ts'
import { Browser, issuedSecrets, LOGIN, serviceWith } from '../../browser.ts'
import { advanceClock } from '../../clock.ts'
import { continueUrl } from '../../continue-url.ts'
import { basic, bearer, formRequest } from '../../core/oidc/relying-app.ts'
import { approveConsent, signInOnPage } from '../../core/oidc/user-steps.ts'
import { ADMIN_API, connectMachine } from '../../features/admin/machine-client.ts'
import { UnregisteredApp, unsentResponse } from '../../features/agents/unregistered-app.ts'
import { ProofKey } from '../../features/sender-constrained/proof-key.ts'
import { errorCode, hiddenFields } from '../../html.ts'
import { signInNewUser } from '../../new-user.ts'
import { sha256Hex } from '../../sha256-hex.ts'

/** The kinds of clients. */
export const KINDS = [
  'first-party',
  'third-party',
  'unregistered, by document',
  'unregistered, by registration',
  'browser',
  'native',
  'native, first-party',
  'machine',
  'command line',
  'FAPI 2.0',
] as const

export type Kind = (typeof KINDS)[number]

/** What the service distinguishes, and the kind that stands for it. */
export const KINDS_OF_SERVICE = {
  kinds: {
    web: 'third-party',
    browser: 'browser',
    native: 'native',
    machine: 'machine',
  } satisfies Record<ClientKindName, Kind>,
  unregistered: {
    document: 'unregistered, by document',
    registration: 'unregistered, by registration',
  } satisfies Record<UnregisteredFacts['kind'], Kind>,
  profiles: { fapi2: 'FAPI 2.0' } satisfies Record<
    NonNullable<ReturnType<typeof readClientFields>['profile']>,
    Kind
  >,
}

/** An API that lists a role, and one that requires bound tokens. */
export const ORDERS = 'https://orders.kinds.example'
export const VAULT = 'https://vault.kinds.example'

/** The APIs of a deployment, which every client may use. */
export const API_SETS = {
  none: [],
  one: [ORDERS],
  two: [ORDERS, VAULT],
} as const

export type ApiSet = keyof typeof API_SETS

/** All that a client requests, and more than it may have. */
const EVERYTHING =
  'openid profile email offline_access orders:read orders:write vault:open admin:read nonsense'

const REGISTERED_SCOPE = 'openid profile email offline_access orders:read vault:open'

const SECRET = 'the secret of this kind of client'

const SCOPES = (...names: string[]) => names.map((name) => ({ name, description: `May ${name}.` }))

const APIS = [
  {
    identifier: ORDERS,
    scopes: SCOPES('orders:read', 'orders:write'),
    unregistered_client_scopes: ['orders:read'],
    client_credentials: true,
    roles: ['editor'],
  },
  {
    identifier: VAULT,
    scopes: SCOPES('vault:open'),
    unregistered_client_scopes: ['vault:open'],
    client_credentials: true,
    dpop_bound_access_tokens_required: true,
  },
]

const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })

const DIGEST = await sha256Hex(SECRET)
const FAPI2 = {
  profile: 'fapi2',
  id_token_signed_response_alg: 'ES256',
  jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: 'one' }] },
}

/** The registrations of those kinds that operators register, without what all have. */
const REGISTRATIONS: Partial<Record<Kind, object>> = {
  'first-party': {
    client_id: 'kinds-own',
    redirect_uris: ['https://own.kinds.example/callback'],
    client_secrets_sha256: [DIGEST],
    first_party: true,
  },
  'third-party': {
    client_id: 'kinds-other',
    redirect_uris: ['https://other.kinds.example/callback'],
    client_secrets_sha256: [DIGEST],
  },
  browser: {
    client_id: 'kinds-browser',
    redirect_uris: ['https://browser.kinds.example/callback'],
    token_endpoint_auth_method: 'none',
  },
  machine: {
    client_id: 'kinds-machine',
    redirect_uris: ['https://machine.kinds.example/callback'],
    grant_types: ['client_credentials'],
    client_secrets_sha256: [DIGEST],
  },
  native: {
    client_id: 'kinds-native',
    application_type: 'native',
    redirect_uris: ['http://127.0.0.1/callback'],
  },
  'native, first-party': {
    client_id: 'kinds-own-native',
    application_type: 'native',
    redirect_uris: ['http://127.0.0.1/callback'],
    first_party: true,
  },
  'FAPI 2.0': {
    client_id: 'kinds-bank',
    redirect_uris: ['https://bank.kinds.example/callback'],
    ...FAPI2,
  },
}

/** A client that reads the tokens for the APIs, and another one. */
const INTROSPECTORS = [
  { client_id: 'kinds-api', grant_types: ['client_credentials'], client_secrets_sha256: [DIGEST] },
  {
    client_id: 'kinds-stranger',
    grant_types: ['client_credentials'],
    client_secrets_sha256: [DIGEST],
  },
]

type Service = ReturnType<typeof serviceWith>
export type Parameters = Record<string, string | readonly string[] | undefined>

/** The response to a token request or another one of a client. */
export interface Tokens {
  status: number
  error?: string
  access_token: string
  id_token?: string
  refresh_token?: string
  token_type: string
  scope?: string
}

/** A deployment with these APIs, and one client of each kind. */
function deploymentWith(apis: readonly string[]): Service {
  const [api, stranger] = INTROSPECTORS
  return serviceWith({
    CLIENTS: [
      ...Object.values(REGISTRATIONS).map((registration) => ({
        scope: REGISTERED_SCOPE,
        resources: apis,
        ...registration,
      })),
      { ...api, introspects: apis },
      stranger,
    ],
    APIS: APIS.filter(({ identifier }) => apis.includes(identifier)),
    UNREGISTERED_CLIENTS: { hosts: ['*.agents.example'], registration: true },
  })
}

type User = Awaited<ReturnType<typeof signInNewUser>>

type SubjectFields = Pick<
  Subject,
  'kind' | 'apis' | 'service' | 'clientId' | 'redirectUri' | 'user' | 'key'
>

/** A client of one kind at a deployment, and a user of it. */
export class Subject {
  readonly verifier = client.randomPKCECodeVerifier()
  readonly kind: Kind
  readonly apis: readonly string[]
  readonly service: Service
  readonly clientId: string
  readonly redirectUri: string
  readonly user: User
  readonly key: ProofKey

  private constructor(fields: SubjectFields) {
    this.kind = fields.kind
    this.apis = fields.apis
    this.service = fields.service
    this.clientId = fields.clientId
    this.redirectUri = fields.redirectUri
    this.user = fields.user
    this.key = fields.key
  }

  static async create(kind: Kind, set: ApiSet): Promise<Subject> {
    const apis = API_SETS[set]
    const service = deploymentWith(apis)
    const { clientId, redirectUri } = await introduce(kind, service)
    const user = await signInNewUser(new Browser(service))
    await giveRoles(user.userId)
    if (kind === 'command line') await makeOwner(user.userId)
    const key = await ProofKey.create()
    return new Subject({ kind, apis, service, clientId, redirectUri, user, key })
  }

  /** The APIs that one of its tokens can be for, of which a machine names one at a time. */
  get targets(): readonly string[] {
    if (this.kind === 'command line') return [ADMIN_API]
    return this.kind === 'machine' ? this.apis.slice(-1) : this.apis
  }

  /** What identifies or authenticates the client. */
  async credentials(): Promise<{ form: Record<string, string>; headers: Record<string, string> }> {
    if (this.kind === 'FAPI 2.0') return { form: await assertion(this.clientId), headers: {} }
    const isConfidential = ['first-party', 'third-party', 'machine'].includes(this.kind)
    return isConfidential
      ? { form: {}, headers: basic(this.clientId, SECRET) }
      : { form: { client_id: this.clientId }, headers: {} }
  }

  /** Sends a form to an endpoint of the service, with the credentials of the client. */
  async send(path: string, fields: Parameters, proof?: ProofKey): Promise<Tokens> {
    const { form, headers } = await this.credentials()
    const body = toParams({ ...form, ...fields })
    const response = await this.service(
      new Request(`${LOGIN}${path}`, {
        method: 'POST',
        body,
        headers: { ...headers, ...(proof && { DPoP: await proof.proof() }) },
      }),
    )
    const json = await response.json<Tokens>()
    for (const name of ['access_token', 'refresh_token', 'id_token'] as const) {
      if (json[name] !== undefined) issuedSecrets.add(json[name])
    }
    return { ...json, status: response.status }
  }

  /** Sends an authorization request, and says how it was answered. */
  async ask(changes: Parameters = {}, browser = this.user.browser): Promise<Answer> {
    const fields = {
      client_id: this.clientId,
      redirect_uri: this.redirectUri,
      response_type: 'code',
      scope: EVERYTHING,
      resource: this.apis,
      code_challenge: await client.calculatePKCECodeChallenge(this.verifier),
      code_challenge_method: 'S256',
      ...changes,
    }
    const query = this.kind === 'FAPI 2.0' ? await this.#push(fields) : toParams(fields)
    if (query instanceof URLSearchParams) {
      return readAnswer(await browser.get(`/oidc/authorize?${query}`), fields.redirect_uri)
    }
    return query
  }

  /** The request that refers to a pushed one, or why that was rejected. */
  async #push({ client_id, ...fields }: Parameters): Promise<URLSearchParams | Answer> {
    const pushed = await this.send('/oidc/par', fields)
    if (pushed.error !== undefined) return { outcome: pushed.error }
    const { request_uri = '' } = pushed as unknown as { request_uri?: string }
    return toParams({ client_id, request_uri })
  }

  /** Sends an authorization request, and gives the consent that is asked for. */
  async authorize(changes: Parameters = {}): Promise<Answer> {
    const answer = await this.ask(changes)
    if (answer.page === undefined) return answer
    return readAnswer(await this.approve(answer.page), this.redirectUri)
  }

  /** Presses the main button of the consent page, or the only one of the page before an own app. */
  async approve(page: Response): Promise<Response> {
    const { browser } = this.user
    const html = await page.clone().text()
    if (html.includes('id="approve"')) return approveConsent(browser, page)
    const pressed = await browser.post('/oidc/consent', Object.fromEntries(hiddenFields(html)))
    return browser.get(await continueUrl(pressed))
  }

  redeem({ code = '' }: Answer, changes: Parameters = {}, proof?: ProofKey): Promise<Tokens> {
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.redirectUri,
      code_verifier: this.verifier,
    }
    return this.send('/oidc/token', { ...form, ...changes }, proof)
  }

  /** Gets tokens in the way of this kind. */
  async tokens(changes: Parameters = {}, proof?: ProofKey): Promise<Tokens> {
    const { scope = EVERYTHING, resource = this.targets } = changes
    if (this.kind === 'machine') {
      const form = { grant_type: 'client_credentials', resource, ...changes }
      return this.send('/oidc/token', form, proof)
    }
    if (this.kind === 'command line') return this.#logIn({ scope, resource }, proof)
    const answer = await this.authorize(changes)
    if (answer.code !== undefined) return this.redeem(answer, {}, proof)
    return { status: 0, error: answer.outcome, access_token: '', token_type: '' }
  }

  async #logIn(fields: Parameters, proof?: ProofKey): Promise<Tokens> {
    const started = await this.startLogin(fields)
    if (started.error !== undefined) return started.error
    await approveConsent(this.user.browser, started.page)
    return this.send('/oidc/token', started.form, proof)
  }

  /** Starts the sign-in of the command line, up to the consent page. */
  async startLogin(fields: Parameters) {
    const started = await this.send('/oidc/device', fields)
    if (started.error !== undefined) return { error: started }
    const { device_code = '', user_code = '' } = started as unknown as Record<string, string>
    advanceClock(2)
    const { browser, handle } = this.user
    const entered = await browser.post('/device', { user_code })
    const page = await signInOnPage(browser, await browser.get(await continueUrl(entered)), handle)
    const form = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code }
    return { page, form }
  }

  refresh(refresh_token = '', changes: Parameters = {}, proof?: ProofKey): Promise<Tokens> {
    return this.send(
      '/oidc/token',
      { grant_type: 'refresh_token', refresh_token, ...changes },
      proof,
    )
  }

  /** Sends an access token to a URL, with the scheme Bearer or with a proof of a key. */
  async present(url: string, token: string, key?: ProofKey): Promise<Response> {
    const headers = key ? await key.headers(url, token) : bearer(token)
    return this.service(new Request(url, { headers }))
  }

  /** What introspection says about a token to this client. */
  async introspect(token: string, reader: 'itself' | 'the API' | 'a stranger') {
    if (reader === 'itself') {
      const { status: _, ...answer } = await this.send('/oidc/introspect', { token })
      return answer as Record<string, unknown>
    }
    const [api, stranger] = INTROSPECTORS
    const clientId = (reader === 'the API' ? api : stranger)?.client_id ?? ''
    const request = formRequest('/oidc/introspect', { token }, basic(clientId, SECRET))
    return (await this.service(request)).json<Record<string, unknown>>()
  }
}

/** Makes a client of this kind known to the deployment, if it is not registered. */
async function introduce(kind: Kind, service: Service) {
  if (kind === 'command line')
    return { clientId: 'vestibule-login', redirectUri: 'http://127.0.0.1/' }
  if (kind === 'unregistered, by document') return new UnregisteredApp().publish()
  if (kind === 'unregistered, by registration') {
    const app = new UnregisteredApp()
    const { client_id: _, ...metadata } = app.metadata() as Record<string, unknown>
    const response = await service(
      new Request(`${LOGIN}/oidc/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(metadata),
      }),
    )
    const { client_id } = await response.json<{ client_id: string }>()
    return { clientId: client_id, redirectUri: app.redirectUri }
  }
  const { client_id, redirect_uris } = REGISTRATIONS[kind] as {
    client_id: string
    redirect_uris: string[]
  }
  const [uri = ''] = redirect_uris
  return { clientId: client_id, redirectUri: uri.replace('127.0.0.1/', '127.0.0.1:51004/') }
}

let administration: ReturnType<typeof connectMachine> | undefined

async function giveRoles(userId: string): Promise<void> {
  administration ??= connectMachine()
  const { call } = await administration
  for (const role of ['editor', 'author']) {
    const response = await call(`/users/${userId}/roles/${role}/give`, { method: 'POST' })
    if (!response.ok) throw new Error(`The role ${role} was not given: ${await response.text()}`)
  }
}

async function makeOwner(userId: string): Promise<void> {
  await env.DIRECTORY.prepare("INSERT INTO administrators VALUES (?, 'owner', 1, 'operator')")
    .bind(userId)
    .run()
}

async function assertion(clientId: string): Promise<Record<string, string>> {
  const jwt = new SignJWT({ jti: crypto.randomUUID() })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(LOGIN)
    .setIssuedAt()
    .setExpirationTime('1 minute')
  return {
    client_id: clientId,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await jwt.sign(privateKey),
  }
}

/** How an authorization request is answered: with a code, an error, or a page. */
export interface Answer {
  outcome: string
  code?: string
  /** The consent page. */
  page?: Response
}

async function readAnswer(response: Response, redirectUri: unknown): Promise<Answer> {
  if (response.status === 303) {
    const url = new URL(response.headers.get('Location') ?? '', LOGIN)
    if (url.pathname === '/api/auth/signin') return { outcome: 'sign-in' }
    return readRedirect(url, redirectUri)
  }
  const html = await response.clone().text()
  if (html.includes('id="approve"')) return { outcome: 'consent', page: response }
  if (html.includes('id="continue" type="submit"')) {
    return { outcome: 'button', page: response }
  }
  if (html.includes('<a id="continue"')) {
    return readRedirect(await unsentResponse(response), redirectUri)
  }
  return { outcome: `page: ${await errorCode(response)}` }
}

function readRedirect(url: URL, redirectUri: unknown): Answer {
  const target = new URL(String(redirectUri))
  if (url.origin !== target.origin || url.pathname !== target.pathname) {
    return { outcome: `redirect to ${url.origin}${url.pathname}` }
  }
  const code = url.searchParams.get('code')
  if (code === null) return { outcome: url.searchParams.get('error') ?? 'nothing' }
  issuedSecrets.add(code)
  return { outcome: 'code', code }
}

function toParams(fields: Parameters): URLSearchParams {
  return new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) =>
      [value ?? []].flat().map((entry): [string, string] => [name, entry as string]),
    ),
  )
}
