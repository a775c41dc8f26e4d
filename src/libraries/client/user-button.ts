import { isBrowser } from './browser.ts'
import { type Client, createClient } from './client.ts'
import type { SessionState, User } from './session.ts'

/** The name of the element. */
export const USER_BUTTON = 'vestibule-user-button'

/** The element, as scripts use it. */
export interface UserButtonElement extends HTMLElement {
  /** Created from the attributes, unless it is set. */
  client: Client | undefined
}

/** The attributes of the element. The first ones are options of `createClient`. */
export interface UserButtonAttributes {
  url?: string | undefined
  'client-id'?: string | undefined
  'redirect-uri'?: string | undefined
  scope?: string | undefined
  /** Separated by spaces. */
  audiences?: string | undefined
  'text-sign-in'?: string | undefined
  'text-account'?: string | undefined
  'text-sign-out'?: string | undefined
}

declare global {
  interface HTMLElementTagNameMap {
    'vestibule-user-button': UserButtonElement
  }
}

/** The attributes that a client is created from. */
const CLIENT_ATTRIBUTES = ['url', 'client-id', 'redirect-uri', 'scope', 'audiences']

/** Scripts and frameworks may set attributes or the client after they have inserted an element. */
const TIME_TO_CONFIGURE = 1_000 // milliseconds

/** The texts, by the attributes that replace them. */
const TEXTS = {
  'text-sign-in': 'Sign in',
  'text-account': 'Your account',
  'text-sign-out': 'Sign out',
}

/** A name for which there is no space is on a second line, which is hidden. */
const STYLES = `
  :host { display: inline-block; position: relative; font: inherit; line-height: 1.25; }
  * { box-sizing: border-box; font: inherit; color: inherit; }
  button, a {
    cursor: pointer; padding: .5rem .75rem; border: 1px solid transparent; border-radius: .375rem;
    border-radius: var(--vestibule-radius, .375rem); background: none; text-align: start;
    text-decoration: none;
  }
  button:focus-visible, a:focus-visible { outline: 2px solid var(--vestibule-focus, Highlight); outline-offset: 1px; }
  .sign-in {
    background: var(--vestibule-accent, ButtonFace); color: var(--vestibule-accent-text, ButtonText);
    border-color: var(--vestibule-border, ButtonBorder);
  }
  .user {
    display: flex; flex-wrap: wrap; justify-content: end; align-items: center; gap: 0 .5rem;
    padding-block: .25rem; max-inline-size: 100%;
    block-size: calc(max(2rem, 1lh) + .5rem + 2px); overflow: hidden;
  }
  .user bdi {
    max-inline-size: 12rem; line-height: max(2rem, 1lh);
    overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
  }
  .picture {
    inline-size: 2rem; block-size: 2rem; border-radius: 50%; object-fit: cover; flex: none;
    display: grid; place-items: center;
    background: var(--vestibule-accent, ButtonFace); color: var(--vestibule-accent-text, ButtonText);
  }
  .menu {
    position: absolute; inset-block-start: 100%; inset-inline-end: 0; z-index: 1;
    display: grid; min-inline-size: 100%; padding: .25rem; white-space: nowrap;
    background: var(--vestibule-background, Canvas); color: var(--vestibule-text, CanvasText);
    border: 1px solid var(--vestibule-border, ButtonBorder);
    border-radius: var(--vestibule-radius, .375rem); box-shadow: 0 .25rem 1rem #0003;
  }
  .menu[hidden] { display: none; }
  .menu > :hover { background: var(--vestibule-hover, #8883); }
`

/**
 * Defines `<vestibule-user-button>`, once: a button to sign in, or the user with a menu. The class
 * is created here because servers have no HTMLElement.
 */
export function defineUserButton(): void {
  if (!isBrowser() || customElements.get(USER_BUTTON)) return
  customElements.define(
    USER_BUTTON,
    class extends HTMLElement implements UserButtonElement {
      static readonly observedAttributes = [...CLIENT_ATTRIBUTES, ...Object.keys(TEXTS)]

      readonly #root = this.attachShadow({ mode: 'open' })
      /** The client that a script has set. */
      #client: Client | undefined
      #unsubscribe: (() => void) | undefined
      #isUpdating = false
      #timer: ReturnType<typeof setTimeout> | undefined
      /** What is shown, to keep an open menu when only the token has changed. */
      #shown = ''

      get client(): Client | undefined {
        return this.#client ?? clientFromAttributes(this)
      }

      set client(client: Client | undefined) {
        this.#client = client
        this.#updateSoon()
      }

      connectedCallback(): void {
        // A stylesheet in an element would be blocked by most Content Security Policies.
        const sheet = new CSSStyleSheet()
        sheet.replaceSync(STYLES)
        this.#root.adoptedStyleSheets = [sheet]
        this.#updateSoon()
        this.#timer = setTimeout(() => this.#reportMissing(), TIME_TO_CONFIGURE)
      }

      disconnectedCallback(): void {
        clearTimeout(this.#timer)
        this.#unsubscribe?.()
      }

      attributeChangedCallback(_name: string, former: string | null, value: string | null): void {
        if (value !== former) this.#updateSoon()
      }

      /** Once for all attributes that are set together. */
      #updateSoon(): void {
        if (this.#isUpdating) return
        this.#isUpdating = true
        queueMicrotask(() => {
          this.#isUpdating = false
          this.#update()
        })
      }

      #update(): void {
        this.#unsubscribe?.()
        this.#root.replaceChildren()
        this.#shown = ''
        const client = this.isConnected ? this.client : undefined
        this.#unsubscribe = client?.onChange((state) => this.#show(client, state))
      }

      #reportMissing(): void {
        const missing = ['url', 'client-id'].filter((name) => !this.getAttribute(name))
        if (this.#client || missing.length === 0) return
        const names = missing.join(' and ')
        console.error(`<${USER_BUTTON}> shows nothing because it has no attribute ${names}.`)
      }

      #show(client: Client, { status, session }: SessionState): void {
        const shown = JSON.stringify([status, session?.user])
        if (shown === this.#shown) return
        this.#shown = shown
        const text = (name: keyof typeof TEXTS) => this.getAttribute(name) ?? TEXTS[name]
        if (session) this.#root.replaceChildren(...userMenu(client, session.user, text))
        else if (status === 'signed-out') {
          const button = element('button', { className: 'sign-in', type: 'button' })
          button.append(text('text-sign-in'))
          button.onclick = () => client.signIn().catch(reportError)
          this.#root.replaceChildren(button)
        } else this.#root.replaceChildren()
      }
    },
  )
}

function clientFromAttributes(host: HTMLElement): Client | undefined {
  const [url, clientId, redirectUri, scope, audiences] = CLIENT_ATTRIBUTES.map((name) =>
    host.getAttribute(name),
  )
  if (!url || !clientId) return undefined
  return createClient({
    url,
    clientId,
    ...(redirectUri && { redirectUri }),
    ...(scope && { scope }),
    ...(audiences && { audiences: audiences.split(' ') }),
  })
}

/** {@link https://www.w3.org/WAI/ARIA/apg/patterns/menu-button/} */
function userMenu(
  client: Client,
  user: User,
  text: (name: keyof typeof TEXTS) => string,
): HTMLElement[] {
  const name = user.name ?? user.username ?? user.email ?? user.id
  const button = element('button', { className: 'user', type: 'button', ariaHasPopup: 'menu' })
  button.append(picture(user, name), element('bdi', { textContent: name }))

  const account = element('a', { role: 'menuitem', tabIndex: -1 })
  account.append(text('text-account'))
  const signOut = element('button', { type: 'button', role: 'menuitem', tabIndex: -1 })
  signOut.append(text('text-sign-out'))
  signOut.onclick = () => client.signOut().catch(reportError)
  const items: HTMLElement[] = [account, signOut]
  const menu = element('div', { className: 'menu', role: 'menu', ariaLabel: name })
  menu.append(...items)

  const setOpen = (isOpen: boolean) => {
    menu.hidden = !isOpen
    button.ariaExpanded = String(isOpen)
  }
  const open = (item: HTMLElement) => {
    // The account page links back to this page.
    account.href = `${client.url}/account?${new URLSearchParams({ callbackUrl: location.href })}`
    setOpen(true)
    item.focus()
  }
  setOpen(false)
  button.onclick = () => (menu.hidden ? open(account) : setOpen(false))
  button.onkeydown = (event) => {
    const item = { ArrowDown: account, ArrowUp: signOut }[event.key]
    if (!item) return
    event.preventDefault()
    open(item)
  }
  menu.onkeydown = (event) => {
    const index = items.indexOf(event.target as HTMLElement)
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key]
    if (next !== undefined) {
      event.preventDefault()
      items.at(next % items.length)?.focus()
    }
    if (event.key === 'Escape') {
      setOpen(false)
      button.focus()
    }
  }
  // The focus moves to nothing or elsewhere: a click outside, or the tab key.
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    const isInside = relatedTarget === button || items.some((item) => item === relatedTarget)
    if (!isInside) setOpen(false)
  })
  return [button, menu]
}

function picture({ image }: User, name: string): HTMLElement {
  if (image) {
    return element('img', {
      className: 'picture',
      src: image,
      alt: '',
      referrerPolicy: 'no-referrer',
    })
  }
  const [initial = ''] = name
  return element('span', { className: 'picture', textContent: initial, ariaHidden: 'true' })
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties)
}
