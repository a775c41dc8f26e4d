import type { Services } from '../../demo/services.ts'
import { approveAs } from '../approval.ts'
import { HttpBrowser } from '../e2e/http-browser.ts'
import { findLink, unescapeHtml } from '../html.ts'

/** More redirects and pages than any sign-in has. */
const MAX_STEPS = 20

/**
 * Milliseconds until a request fails; a server that has just been started may need seconds for its
 * first response.
 */
const REQUEST_TIMEOUT = 30_000

/** The page that a browser shows after all redirects. */
export interface Page {
  url: URL
  status: number
  body: string
}

/**
 * A user with a browser who signs in wherever it is required, and presses the first button of other
 * pages.
 */
export class SimulatedBrowser {
  readonly #browser = new HttpBrowser({
    headers: { Accept: 'text/html,*/*;q=0.8' },
    timeout: REQUEST_TIMEOUT,
  })
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

  /**
   * Opens an address, signs in where needed, and returns the page that the browser ends at, or the
   * URL with which it opens an app.
   */
  async open(address: string, { signsIn = true } = {}): Promise<Page> {
    let step: Step = { url: new URL(address) }
    for (let count = 0; count < MAX_STEPS; count++) {
      const { next, ...page } = await this.#take(step, signsIn)
      if (!next) return page
      // The system opens an app.
      if (!/^https?:$/.test(next.url.protocol)) return { ...page, url: next.url }
      step = next
    }
    throw redirectedTooOften(step)
  }

  /**
   * Opens an address, signs in where needed, and returns the address below `target` that it is
   * redirected to.
   */
  async followTo(target: string, address: string): Promise<URL> {
    let step: Step = { url: new URL(address) }
    for (let count = 0; count < MAX_STEPS; count++) {
      if (step.url.href.startsWith(target)) return step.url
      const { next, status } = await this.#take(step, true)
      if (!next) throw new Error(`${status} without a redirect at ${step.url.pathname}`)
      step = next
    }
    throw redirectedTooOften(step)
  }

  /** The address that the browser would be redirected to. */
  async redirectOf(address: string): Promise<string | null> {
    return (await this.#browser.request(address)).headers.get('Location')
  }

  /** Sends a form of a page of the login service. */
  async submit(path: string, fields: Record<string, string>): Promise<void> {
    const { login } = this.#services
    const { status } = await this.#browser.request(`${login}${path}`, {
      body: new URLSearchParams(fields),
      headers: { Origin: login },
    })
    if (status >= 400) throw new Error(`${status} at ${path}`)
  }

  /** Signs out at the login service, without an app. */
  signOut(): Promise<void> {
    return this.submit('/api/auth/signout', {})
  }

  /** The user who is signed in at the login service. */
  async sessionUser(): Promise<{ id: string; name: string } | undefined> {
    const response = await this.#browser.request(`${this.#services.login}/api/auth/session`)
    const session: { user: { id: string; name: string } } | null = await response.json()
    return session?.user
  }

  async #take({ url, form }: Step, signsIn: boolean): Promise<Page & { next?: Step }> {
    const isPlatform = url.origin === this.#services.platform
    const requested = isPlatform ? approveAs(this.#handle, url) : url
    const response = await this.#browser.request(
      requested.href,
      form && { body: form.fields, headers: { Origin: form.origin } },
    )
    const body = await response.text()
    const page = { url, status: response.status, body }
    const isLogin = url.origin === this.#services.login
    const link = isLogin && signsIn && findLink(body, 'signin/tiktok')
    const refresh = response.headers.get('Refresh')?.match(/^0; url=(\S+)$/)?.[1]
    const target = response.headers.get('Location') || refresh || link
    if (target) return { ...page, next: { url: new URL(target, url) } }
    const next = readForm(body, url)
    return { ...page, ...(next && { next }) }
  }
}

/** A request that the browser is about to send. */
interface Step {
  url: URL
  /** Sent with POST, from a page of this origin. */
  form?: { fields: URLSearchParams; origin: string }
}

/**
 * What a page's form sends when its first button is pressed, such as "Sign in", "Allow" or "Sign
 * out".
 */
function readForm(html: string, page: URL): Step | undefined {
  const [form, attributes = ''] = html.match(/<form([^>]*method="post"[^>]*)>.*?<\/form>/is) ?? []
  if (form === undefined) return undefined
  const inputs = form.match(/<input[^>]*>/g) ?? []
  const [button = ''] = form.match(/<button[^>]*>/) ?? []
  const fields = [...inputs, button].map((tag) => [
    readAttribute(tag, 'name'),
    readAttribute(tag, 'value'),
  ])
  return {
    url: new URL(readAttribute(attributes, 'action'), page),
    form: { fields: new URLSearchParams(fields.filter(([name]) => name)), origin: page.origin },
  }
}

function readAttribute(tag: string, name: string): string {
  return unescapeHtml(tag.match(new RegExp(` ${name}="([^"]*)"`))?.[1] ?? '')
}

function redirectedTooOften({ url: { origin, pathname } }: Step): Error {
  return new Error(`still redirected after ${MAX_STEPS} pages, at ${origin}${pathname}`)
}
