import { expect } from 'vitest'
import { createServer, type Server, type ServerOptions } from '../../../src/server.ts'
import { Browser, LOGIN, serviceWith } from '../../browser.ts'
import { SECRETS } from '../../core/oidc/relying-app.ts'
import { signInNewUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'
import { clientsWith } from '../../registered-clients.ts'

export const APP = 'https://web.example'

/** The client `web`, as docs/server.md registers it. */
export const settings = {
  CLIENTS: clientsWith({
    web: {
      redirect_uris: [`${APP}/auth/callback`],
      post_logout_redirect_uris: [`${APP}/`],
    },
  }),
}

export let service = serviceWith(settings)

/** Starts another isolate. Its predecessor may have copies from the future of another test. */
export function restartService(): void {
  service = serviceWith(settings)
}

type Fetch = NonNullable<ServerOptions['fetch']>

export const fetchLogin: Fetch = (url, init) => service(new Request(url, init))

/** An instance of the app, and the paths that it has requested from the login service. */
export function newInstance(options: Partial<ServerOptions> = {}) {
  const requests: string[] = []
  const login = createServer({
    url: LOGIN,
    clientId: 'web',
    clientSecret: SECRETS['web'] ?? '',
    secret: 'the first secret of the web app, 1',
    origin: APP,
    audiences: ['https://orders.example'],
    ...options,
    fetch: (url, init) => {
      requests.push(new URL(url).pathname)
      return (options.fetch ?? fetchLogin)(url, init)
    },
  })
  return { login, requests }
}

/** A browser at the app. It stores cookies, and checks the attributes of each one it receives. */
export class AppBrowser {
  readonly cookies = new Map<string, string>()

  request(path: string, init: { method?: string; headers?: Record<string, string> } = {}): Request {
    const Cookie = Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(Cookie && { Cookie }), ...init.headers }
    return new Request(new URL(path, APP), { ...init, headers })
  }

  /** Sends a request to the handler. */
  async visit(
    login: Server,
    path: string,
    init: { method?: string; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const response = await login.handler(this.request(path, init))
    expect(response.headers.get('Cache-Control')).toBe('private, no-store')
    this.store(response.headers)
    return response
  }

  /** [L1] Each cookie has all of its protective attributes. */
  store(headers: Headers): void {
    for (const cookie of headers.getSetCookie()) {
      const [, name = '', value = '', attributes] = cookie.match(/^(.+?)=(.*?); (.*)$/) ?? []
      expect(name).toMatch(/^__Host-vestibule-web(\.[\w-]{43})?$/)
      expect(attributes).toMatch(/^Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
      expect(cookie.length).toBeLessThanOrEqual(4096)
      this.cookies.delete(name)
      if (!attributes?.startsWith('Max-Age=0')) this.cookies.set(name, value)
    }
  }

  /** Starts a sign-in, and returns the callback to which the login service redirects. */
  async callback(login: Server, browser: Browser, path = '/auth/signin'): Promise<string> {
    const started = await this.visit(login, path)
    const { href } = redirectUrl(started, 303)
    return redirectUrl(await browser.get(href), 303).href
  }

  async signIn(login: Server, browser: Browser, path?: string): Promise<Response> {
    return this.visit(login, await this.callback(login, browser, path))
  }
}

/** A new user who is signed in at the login service and at the app. */
export async function newAppUser(instance = newInstance()) {
  const user = await signInNewUser(new Browser(service))
  const app = new AppBrowser()
  const response = await app.signIn(instance.login, user.browser)
  expect(redirectUrl(response, 303).href).toBe(`${APP}/`)
  instance.requests.length = 0
  return { ...user, ...instance, app }
}
