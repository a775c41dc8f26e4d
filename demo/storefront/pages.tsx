import { raw } from 'hono/html'
import type { Child, FC } from 'hono/jsx'
import type { Settings } from './settings.ts'
import { stylesheet } from './stylesheet.ts'

/** Somebody who is signed in, as the page shows them. */
export interface Customer {
  name: string
  picture: string | undefined
  claims: Record<string, unknown>
  orders: { status: number; body: unknown }
}

interface ShopProps {
  settings: Settings
  customer: Customer | null
}

/** The whole shop. It works without JavaScript, and asks nobody but its neighbours. */
export const ShopPage: FC<ShopProps> = ({ settings, customer }) => (
  <Layout title="The storefront">
    <header>
      <p class="shop">The storefront</p>
      {customer ? <SignOut settings={settings} /> : <SignIn settings={settings} />}
    </header>
    <main>
      {customer ? <Welcome customer={customer} /> : <Invitation />}
      <h2>On the shelf</h2>
      <ul class="shelf">
        {SHELF.map(({ item, price, glaze }) => (
          <li>
            <span class={`glaze ${glaze}`} />
            <span>{item}</span>
            <span class="soft">{price}</span>
          </li>
        ))}
      </ul>
    </main>
  </Layout>
)

/** Says what is wrong, and offers the way back. */
export const TroublePage: FC<{ title: string; text: string }> = ({ title, text }) => (
  <Layout title={title}>
    <header>
      <p class="shop">The storefront</p>
    </header>
    <main>
      <h1>{title}</h1>
      <p>{text}</p>
      <p>
        <a class="button main" href="/">
          Back to the shop
        </a>
      </p>
    </main>
  </Layout>
)

const Layout: FC<{ title: string; children?: Child }> = ({ title, children }) => (
  <>
    {raw('<!doctype html>')}
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        <style>{raw(stylesheet)}</style>
      </head>
      <body>{children}</body>
    </html>
  </>
)

/** A link is all it takes: the login service brings people back to `callbackUrl`. */
const SignIn: FC<{ settings: Settings }> = ({ settings }) => {
  const query = new URLSearchParams({ callbackUrl: `${settings.STOREFRONT_URL}/` })
  return (
    <a class="button main" id="sign-in" href={`${settings.AUTH_URL}/api/auth/signin?${query}`}>
      Sign in
    </a>
  )
}

/** A form and not a link, so that no other site can sign people out. */
const SignOut: FC<{ settings: Settings }> = ({ settings }) => (
  <form method="post" action={`${settings.AUTH_URL}/api/auth/signout`}>
    <input type="hidden" name="callbackUrl" value={`${settings.STOREFRONT_URL}/`} />
    <button class="button" id="sign-out" type="submit">
      Sign out
    </button>
  </form>
)

const Invitation: FC = () => (
  <>
    <h1>Pots, cups and company</h1>
    <p>Sign in to see your orders. This shop keeps no password of yours: it has none.</p>
  </>
)

const Welcome: FC<{ customer: Customer }> = ({ customer }) => {
  const { name, picture, claims, orders } = customer
  return (
    <>
      <div class="welcome">
        {picture && <img src={picture} alt="" width="64" height="64" />}
        <h1>
          Hello, <bdi id="name">{name}</bdi>
        </h1>
      </div>
      <h2>What the orders API answers</h2>
      <p class="soft">
        It got the token below, checked its signature, and answered with status {orders.status}.
      </p>
      <Json id="orders" value={orders.body} />
      <h2>What the token says</h2>
      <Json id="claims" value={claims} />
    </>
  )
}

/** Somebody's name may hold letters that turn the line around: each line keeps to itself. */
const Json: FC<{ id: string; value: unknown }> = ({ id, value }) => (
  <pre id={id}>
    {JSON.stringify(value, undefined, 2)
      .split('\n')
      .map((line) => (
        <bdi>{line}</bdi>
      ))}
  </pre>
)

const SHELF = [
  { item: 'Stoneware mug, moss', price: '€ 24', glaze: 'moss' },
  { item: 'Teapot for two', price: '€ 58', glaze: 'rust' },
  { item: 'Small vase, speckled', price: '€ 31', glaze: 'sand' },
]
