import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { expect } from 'vitest'
import { app } from '../src/app.ts'

export const LOGIN = 'https://login.example'
export const SHOP = 'https://shop.example'

/** Every line the service has logged while tests ran. */
export const logLines: string[] = []

/** Every secret that has passed through a browser: cookies, codes, states, tokens. */
export const issuedSecrets = new Set<string>()

/** What answers at the login service's address. */
type Service = (request: Request) => Promise<Response>

/** The service as another deployment: other settings, or a binding that fails. */
export function serviceWith(changes: Record<string, unknown>): Service {
  const deployment = { ...env, ...changes } as Env
  return async (request) => {
    const ctx = createExecutionContext()
    const response = await app.fetch(request, deployment, ctx)
    await waitOnExecutionContext(ctx)
    return response
  }
}

interface Visit {
  method?: string
  headers?: Record<string, string>
  form?: Record<string, string>
}

interface SignIn {
  callbackUrl?: string
  /** Scopes granted at the consent page, or `deny`. */
  grant?: string
  prompt?: string
}

/** A person's browser: it keeps our cookies, and looks at each of them as they come. */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly #service: Service
  readonly origin: string

  constructor(service: Service = (request) => exports.default.fetch(request), origin = LOGIN) {
    this.#service = service
    this.origin = origin
  }

  async fetch(path: string, { method = 'GET', headers = {}, form }: Visit = {}): Promise<Response> {
    const url = new URL(path, this.origin)
    const request = new Request(url, {
      method: form ? 'POST' : method,
      headers: { Accept: 'text/html', ...this.cookieHeader(), ...headers },
      ...(form && { body: new URLSearchParams(form) }),
      redirect: 'manual',
    })
    const response = await this.#service(request)
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie)
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

  /** What a program of the browser's pages reads. */
  async json<T>(path: string, headers: Record<string, string> = {}): Promise<T> {
    const response = await this.get(path, { Accept: 'application/json', ...headers })
    return response.json<T>()
  }

  /** Starts a sign-in, and returns where the platform is asked. */
  async start({ callbackUrl, prompt }: SignIn = {}): Promise<URL> {
    const query = new URLSearchParams({
      ...(callbackUrl && { callbackUrl }),
      ...(prompt && { prompt }),
    })
    const response = await this.get(`/api/auth/signin/tiktok?${query}`)
    expect(response.status).toBe(302)
    const url = new URL(response.headers.get('Location') ?? '')
    remember(url.searchParams.get('state'))
    return url
  }

  /** Plays the person at the platform, and returns the callback it leads to. */
  async approve(authorization: URL, persona: string, grant?: string): Promise<string> {
    const url = new URL(authorization)
    url.searchParams.set('__as', persona)
    url.searchParams.set('__grant', grant ?? url.searchParams.get('scope') ?? '')
    const response = await fetch(url, { redirect: 'manual' })
    const callback = response.headers.get('Location') ?? ''
    remember(new URL(callback, this.origin).searchParams.get('code'))
    return callback
  }

  /** The whole way: start, platform, callback. */
  async signIn(persona = 'mia', options: SignIn = {}): Promise<Response> {
    const authorization = await this.start(options)
    return this.get(await this.approve(authorization, persona, options.grant))
  }

  async session(headers: Record<string, string> = {}): Promise<SessionAnswer | null> {
    const session = await this.json<SessionAnswer | null>('/api/auth/session', headers)
    remember(session?.token)
    return session
  }

  /** The full names of the cookies whose name begins so. */
  cookieNames(prefix: string): string[] {
    return [...this.cookies.keys()].filter((name) => name.startsWith(`__Host-vestibule.${prefix}`))
  }

  cookieHeader(): { Cookie?: string } {
    const pairs = [...this.cookies].map(([name, value]) => `${name}=${value}`)
    return pairs.length > 0 ? { Cookie: pairs.join('; ') } : {}
  }

  /** [L1] No cookie of ours ever comes without its protections. */
  #keep(cookie: string): void {
    const [pair = '', ...rest] = cookie.split(/;\s*/)
    const [name = '', value = ''] = pair.split('=')
    const attributes = rest.map((attribute) => attribute.toLowerCase())
    const isHttps = this.origin.startsWith('https:')
    expect(name).toMatch(isHttps ? /^__Host-vestibule\./ : /^vestibule\./)
    expect(attributes).toEqual(expect.arrayContaining(['path=/', 'httponly', 'samesite=lax']))
    expect(attributes.includes('secure')).toBe(isHttps)
    expect(attributes.some((attribute) => attribute.startsWith('domain'))).toBe(false)
    expect(cookie.length).toBeLessThanOrEqual(4096)

    remember(value)
    this.cookies.delete(name)
    if (!attributes.includes('max-age=0')) this.cookies.set(name, value)
  }
}

export interface SessionAnswer {
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

/** What the stand-in can be told besides what a person could choose. */
export const standIn = {
  post: (path: string, body: unknown) =>
    fetch(`https://www.tiktok.com/__stand-in/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    }),
  fault: (fault: Record<string, unknown>) => standIn.post('faults', fault),
  /** The requests it has received, oldest first. */
  async log(): Promise<
    { method: string; path: string; parameters: Record<string, string>; status?: number }[]
  > {
    const response = await fetch('https://www.tiktok.com/__stand-in/log')
    return response.json()
  },
  async countOf(path: string): Promise<number> {
    return (await standIn.log()).filter((entry) => entry.path === path).length
  },
}

function remember(secret: string | null | undefined): void {
  if (secret) issuedSecrets.add(secret)
}
