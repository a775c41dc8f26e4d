import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import { expect } from 'vitest'
import worker from '../src/index.ts'
import type { Vestibule } from '../src/vestibule.ts'
import { app } from './deployment.ts'

export const LOGIN = 'https://login.example'
export const SHOP = 'https://shop.example'

/** Every line the service has logged in this test file so far. */
export const logLines: string[] = []

/** The newest line of the log, or the newest one that contains this text, parsed. */
export function lastLogEntry(text = '') {
  return JSON.parse(logLines.findLast((line) => line.includes(text)) ?? '{}')
}

/** Every secret that a browser has received in this test file: cookies, codes, states, tokens. */
export const issuedSecrets = new Set<string>()

/** Handles requests to the address of the login service. */
type Service = (request: Request) => Promise<Response>

/** The service as a different deployment: with other settings, or with a binding that fails. */
export function serviceWith(changes: Record<string, unknown>): Service {
  return serviceOf({ worker: app }, changes)
}

/** Removes the settings of TikTok, for a deployment without it. */
export const WITHOUT_TIKTOK: Record<string, undefined> = Object.fromEntries(
  Object.keys(env)
    .filter((name) => name.startsWith('AUTH_TIKTOK_'))
    .map((name) => [name, undefined]),
)

/** A second provider, without which the sign-in page is skipped for first-party apps. */
export const WITH_GITHUB = { AUTH_GITHUB_ID: 'id', AUTH_GITHUB_SECRET: 'secret' }

/** How many test files this runtime has begun. */
let fileCount = 0

/**
 * Makes each service another isolate, because modules keep theirs for all files that import them.
 * Otherwise it could sign with its copy of a key that another file has just revoked.
 */
export function restartServices(): void {
  fileCount += 1
}

/** A deployment with other options. Its Durable Objects are those of the tested deployment. */
export function serviceOf(
  { worker }: { worker: Pick<Vestibule['worker'], 'fetch'> },
  changes: Record<string, unknown> = {},
): Service {
  let startedIn: number | undefined
  let deployment: Env
  return async (request) => {
    // Copies of what is stored belong to this object.
    if (startedIn !== fileCount) deployment = { ...env, ...changes } as Env
    startedIn = fileCount
    const ctx = createExecutionContext()
    const response = await worker.fetch(request, deployment, ctx)
    await waitOnExecutionContext(ctx)
    return response
  }
}

/**
 * The tested deployment. It is called as a function, because a request through its binding takes
 * twice the time.
 */
const login = serviceOf({ worker })

interface RequestOptions {
  method?: string
  headers?: Record<string, string>
  form?: Record<string, string> | [name: string, value: string][]
}

interface SignIn {
  callbackUrl?: string
  /** The id of the interaction that a page has started. */
  interaction?: string
  /** Scopes granted at the consent page, or `deny`. */
  grant?: string
  prompt?: string
}

/** A user's browser: it stores our cookies and checks the attributes of each one it receives. */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly #service: Service
  readonly origin: string
  /** The address of the page, to which links may be relative. */
  #address: string

  constructor(service: Service = login, origin = LOGIN) {
    this.#service = service
    this.origin = origin
    this.#address = origin
  }

  /** Takes over the cookies of another browser, which was at another deployment for example. */
  withCookiesOf({ cookies }: Browser): this {
    for (const [name, value] of cookies) this.cookies.set(name, value)
    return this
  }

  async fetch(
    path: string,
    { method = 'GET', headers = {}, form }: RequestOptions = {},
  ): Promise<Response> {
    const url = new URL(path, this.#address)
    const request = new Request(url, {
      method: form ? 'POST' : method,
      headers: { Accept: 'text/html', ...this.cookieHeader(), ...headers },
      ...(form && { body: new URLSearchParams(form) }),
      redirect: 'manual',
    })
    const response = await this.#service(request)
    for (const cookie of response.headers.getSetCookie()) this.#storeCookie(cookie)
    if (response.headers.get('Content-Type')?.includes('html')) this.#address = url.href
    return response
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.fetch(path, { headers })
  }

  post(
    path: string,
    form: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return this.fetch(path, { form, headers: { 'Sec-Fetch-Site': 'same-origin', ...headers } })
  }

  /** A GET request for JSON, as a script sends it. */
  async json<T>(path: string, headers: Record<string, string> = {}): Promise<T> {
    const response = await this.get(path, { Accept: 'application/json', ...headers })
    return response.json<T>()
  }

  /** Starts a sign-in and returns the authorization request to the platform. */
  async start({ callbackUrl, interaction, prompt }: SignIn = {}): Promise<URL> {
    const query = new URLSearchParams({
      ...(interaction && { interaction }),
      ...(callbackUrl && { callbackUrl }),
      ...(prompt && { prompt }),
    })
    // As a link on our own page does.
    const response = await this.get(`/api/auth/signin/tiktok?${query}`, {
      'Sec-Fetch-Site': 'same-origin',
      'Sec-Fetch-Mode': 'navigate',
    })
    expect(response.status).toBe(302)
    const url = new URL(response.headers.get('Location') ?? '')
    recordSecret(url.searchParams.get('state'))
    return url
  }

  /** Signs in and consents at the platform as this persona, and returns the callback address. */
  async approve(authorization: URL, persona: string, grant?: string): Promise<string> {
    const url = new URL(authorization)
    url.searchParams.set('__as', persona)
    url.searchParams.set('__grant', grant ?? url.searchParams.get('scope') ?? '')
    const response = await fetch(url, { redirect: 'manual' })
    const callback = response.headers.get('Location') ?? ''
    recordSecret(new URL(callback, this.origin).searchParams.get('code'))
    return callback
  }

  /** A complete sign-in: start, platform, callback. Returns the response of the callback. */
  async signIn(persona = 'mia', options: SignIn = {}): Promise<Response> {
    const authorization = await this.start(options)
    return this.get(await this.approve(authorization, persona, options.grant))
  }

  async session(headers: Record<string, string> = {}): Promise<SessionResponse | null> {
    const session = await this.json<SessionResponse | null>('/api/auth/session', headers)
    recordSecret(session?.token)
    return session
  }

  /** The id of the session that is open, which no older session of the user has. */
  async sid(): Promise<unknown> {
    const session = await this.session()
    return session && decodeJwt(session.token)['sid']
  }

  /** The full names of our cookies whose name starts with this prefix. */
  cookieNames(prefix: string): string[] {
    return [...this.cookies.keys()].filter((name) => name.startsWith(`__Host-vestibule.${prefix}`))
  }

  cookieHeader(): { Cookie?: string } {
    const pairs = [...this.cookies].map(([name, value]) => `${name}=${value}`)
    return pairs.length > 0 ? { Cookie: pairs.join('; ') } : {}
  }

  /** Stores a cookie. [L1] Each of ours has all of its protective attributes. */
  #storeCookie(cookie: string): void {
    const [pair = '', ...rest] = cookie.split(/;\s*/)
    const [name = '', value = ''] = pair.split('=')
    const attributes = rest.map((attribute) => attribute.toLowerCase())
    const isHttps = this.origin.startsWith('https:')
    const isProtected =
      name.startsWith(isHttps ? '__Host-vestibule.' : 'vestibule.') &&
      ['path=/', 'httponly', 'samesite=lax'].every((attribute) => attributes.includes(attribute)) &&
      attributes.includes('secure') === isHttps &&
      !attributes.some((attribute) => attribute.startsWith('domain')) &&
      cookie.length <= 4096
    // Tests receive a hundred thousand cookies, and each call of `expect` takes time.
    if (!isProtected) expect.fail(`A cookie without all of its attributes: ${cookie}`)

    const isPreference =
      /\.(language|provider|signed-out|new-user|changes-seen|account-visit|device-bound)$/.test(
        name,
      )
    // The last part of a divided cookie can be a few characters, which occur anywhere.
    const isFragment = /\.\d$/.test(name) && value.length < 16
    if (!isPreference && !isFragment) recordSecret(value)
    this.cookies.delete(name)
    if (!attributes.includes('max-age=0')) this.cookies.set(name, value)
  }
}

interface SessionResponse {
  user: {
    id: string
    name?: string
    username?: string
    image?: string
    url?: string
    email?: string
  }
  expires: string
  token: string
}

/** The paths of the platform's endpoints. */
export const TOKEN_PATH = '/v2/oauth/token/'
export const USER_INFO_PATH = '/v2/user/info/'
export const REVOKE_PATH = '/v2/oauth/revoke/'

/** The stand-in's control interface, for everything that a user of the platform cannot choose. */
export const standIn = {
  post: (path: string, body: unknown) =>
    fetch(`https://www.tiktok.com/__stand-in/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    }),
  fault: (fault: Record<string, unknown>) => standIn.post('faults', fault),
  /** The requests it has received since the test started, oldest first. */
  async log(): Promise<
    { method: string; path: string; parameters: Record<string, string>; status?: number }[]
  > {
    const response = await fetch('https://www.tiktok.com/__stand-in/log')
    return response.json()
  },
  async countRequests(path: string): Promise<number> {
    return (await standIn.log()).filter((entry) => entry.path === path).length
  },
}

function recordSecret(secret: string | null | undefined): void {
  if (secret) issuedSecrets.add(secret)
}
