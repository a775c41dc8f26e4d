import type { Child, FC } from 'hono/jsx'
import { Page } from '../page.tsx'

/** A signed-in user, as the page displays them. */
export interface Customer {
  name: string
  picture: string | undefined
  idToken: Record<string, unknown>
  orders: { status: number; body: unknown }
}

interface ShopProps {
  customer: Customer | undefined
  galleryUrl: string
}

export const ShopPage: FC<ShopProps> = ({ customer, galleryUrl }) => (
  <Layout title="The storefront">
    <header>
      <Brand />
      {customer ? <SignOut /> : <SignIn />}
    </header>
    <main>
      {customer ? <Welcome customer={customer} /> : <Introduction />}
      <h2>Our pottery</h2>
      <ul>
        {PRODUCTS.map(({ name, price, glaze }) => (
          <li class="card product">
            <span class={`glaze ${glaze}`} />
            <span>{name}</span>
            <strong>{price}</strong>
          </li>
        ))}
      </ul>
      <p>
        See also <a href={galleryUrl}>the gallery</a>. If you are signed in here, one click signs
        you in there.
      </p>
    </main>
  </Layout>
)

interface ErrorProps {
  title: string
  text: string
  canSignIn?: boolean
}

export const ErrorPage: FC<ErrorProps> = ({ title, text, canSignIn = false }) => (
  <Layout title={title}>
    <header>
      <Brand />
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
  <Page title={title} styles={<link rel="stylesheet" href="/style.css" />}>
    {children}
  </Page>
)

const Brand: FC = () => (
  <p class="brand">
    <img src="/logo.svg" alt="" />
    The storefront
  </p>
)

const SignIn: FC = () => (
  <a class="button main" id="sign-in" href="/signin">
    Sign in
  </a>
)

/** A form instead of a link, so that no other site can sign users out. */
const SignOut: FC = () => (
  <form method="post" action="/signout">
    <button class="button" id="sign-out" type="submit">
      Sign out
    </button>
  </form>
)

const Introduction: FC = () => (
  <>
    <h1>Pots, cups and company</h1>
    <p class="lead">Sign in to see your orders. This shop has no passwords of its own.</p>
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
      <h2>The response of the orders API</h2>
      <p>
        The API received an access token, checked its signature and audience, and responded with
        status {orders.status}.
      </p>
      <Json id="orders" value={orders.body} />
      <h2>The claims of the ID token</h2>
      <Json id="id-token" value={idToken} />
    </>
  )
}

/**
 * A name may contain characters that reverse the text direction; `<bdi>` limits them to their line.
 */
const Json: FC<{ id: string; value: unknown }> = ({ id, value }) => (
  <pre class="card" id={id}>
    {JSON.stringify(value, undefined, 2)
      .split('\n')
      .map((line) => (
        <bdi>{line}</bdi>
      ))}
  </pre>
)

const PRODUCTS = [
  { name: 'Stoneware mug, moss', price: '€ 24', glaze: 'moss' },
  { name: 'Teapot for two', price: '€ 58', glaze: 'rust' },
  { name: 'Small vase, speckled', price: '€ 31', glaze: 'sand' },
]
