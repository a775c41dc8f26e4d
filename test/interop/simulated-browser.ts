import type { Services } from '../../demo/services.ts'
import { approveAs } from '../approval.ts'
import { HttpBrowser } from '../e2e/http-browser.ts'
import { findLink } from '../html.ts'

/** More redirects and pages than any sign-in has. */
const MAX_STEPS = 20

/** Milliseconds until a request fails; a server that has just been started may need seconds for its first response. */
const REQUEST_TIMEOUT = 30_000

/** The page that a browser shows after all redirects. */
export interface Page {
  url: URL
  status: number
  body: string
}

/** A user with a browser who signs in wherever a page of the login service requires it. */
export class SimulatedBrowser {
  readonly #browser = new HttpBrowser({ timeout: REQUEST_TIMEOUT })
  readonly #handle = `user-${crypto.randomUUID().slice(0, 13)}`
  readonly #services: Pick<Services, 'login' | 'platform'>

  constructor(services: Pick<Services, 'login' | 'platform'>) {
    this.#services = services
  }

  /** Registers the user at the stand-in. */
  async register(): Promise<void> {
    const body = JSON.stringify({ handle: this.#handle })
    await this.#browser.request(`${this.#services.platform}/__stand-in/users`, { body })
  }

  /** Opens an address of an app and returns the page of the app that the browser ends at. */
  async open(address: string): Promise<Page> {
    let url = new URL(address)
    for (let step = 0; step < MAX_STEPS; step++) {
      const isPlatform = url.origin === this.#services.platform
      const requested = isPlatform ? approveAs(this.#handle, url) : url
      const response = await this.#browser.request(requested.href)
      const body = await response.text()
      const next = response.headers.get('Location') ?? this.#findSignInLink(url, body)
      if (!next) return { url, status: response.status, body }
      url = new URL(next, url)
    }
    throw new Error(`The browser was still being redirected after ${MAX_STEPS} pages, at ${url}`)
  }

  /** The address that the browser would be redirected to. */
  async redirectOf(address: string): Promise<string | null> {
    return (await this.#browser.request(address)).headers.get('Location')
  }

  /** The id of the user who is signed in at the login service. */
  async sessionUser(): Promise<string | undefined> {
    const response = await this.#browser.request(`${this.#services.login}/api/auth/session`)
    const session: { user: { id: string } } | null = await response.json()
    return session?.user.id
  }

  #findSignInLink(url: URL, body: string): string {
    return url.origin === this.#services.login ? findLink(body, 'signin/tiktok') : ''
  }
}
