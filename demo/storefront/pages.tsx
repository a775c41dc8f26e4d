import type { Child, FC } from 'hono/jsx'
import { Page } from '../page.tsx'
import { stylesheet } from './stylesheet.ts'

/** Somebody who is signed in, as the page shows them. */
export interface Customer {
  name: string
  picture: string | undefined
  idToken: Record<string, unknown>
  orders: { status: number; body: unknown }
}

interface ShopProps {
  customer: Customer | undefined
  /** Where else who signs in here is signed in. */
  galleryUrl: string
}

/** The whole shop. */
export const ShopPage: FC<ShopProps> = ({ customer, galleryUrl }) => (
  <Layout title="The storefront">
    <header>
      <p class="shop">The storefront</p>
      {customer ? <SignOut /> : <SignIn />}
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
      <p class="next">
        Next door: <a href={galleryUrl}>the gallery</a>. Who is signed in here needs one click
        there.
      </p>
    </main>
  </Layout>
)

interface TroubleProps {
  title: string
  text: string
  canSignIn?: boolean
}

/** Says what is wrong, and offers the way back. */
export const TroublePage: FC<TroubleProps> = ({ title, text, canSignIn = false }) => (
  <Layout title={title}>
    <header>
      <p class="shop">The storefront</p>
      {canSignIn && <SignIn />}
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
  <Page title={title} stylesheet={stylesheet}>
    {children}
  </Page>
)

const SignIn: FC = () => (
  <a class="button main" id="sign-in" href="/signin">
    Sign in
  </a>
)

/** A form and not a link, so that no other site can sign people out. */
const SignOut: FC = () => (
  <form method="post" action="/signout">
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
  const { name, picture, idToken, orders } = customer
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
        It got an access token, checked its signature and that it is the audience, and answered with
        status {orders.status}.
      </p>
      <Json id="orders" value={orders.body} />
      <h2>What the ID token says</h2>
      <Json id="id-token" value={idToken} />
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
