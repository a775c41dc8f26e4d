import type { Child, FC } from 'hono/jsx'
import { Page } from '../page.tsx'

interface ShopProps {
  loginUrl: string
  ordersUrl: string
  galleryUrl: string
}

/** `browser.ts` shows the parts for the status of the session. */
export const ShopPage: FC<ShopProps> = ({ loginUrl, ordersUrl, galleryUrl }) => (
  <Layout title="The storefront">
    <header>
      <Brand />
      <vestibule-user-button />
    </header>
    <main data-login-url={loginUrl} data-orders-url={ordersUrl}>
      <Introduction />
      <Welcome />
      <Unavailable />
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
    <script type="module" src="/browser.js" />
  </Layout>
)

export const NotFoundPage: FC = () => (
  <Layout title="Nothing here">
    <header>
      <Brand />
    </header>
    <main>
      <h1>Nothing here</h1>
      <p>The shop has a single page.</p>
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

const Introduction: FC = () => (
  <section data-status="signed-out" hidden>
    <h1>Pots, cups and company</h1>
    <p class="lead">Sign in to see your orders. This shop has no passwords of its own.</p>
  </section>
)

const Welcome: FC = () => (
  <section data-status="signed-in" hidden>
    <h1>
      Hello, <bdi id="name" />
    </h1>
    <h2>Your orders</h2>
    <p>The orders API received your session token, verified it, and responded:</p>
    <pre class="card" id="orders" />
    <h2>The claims of the session token</h2>
    <pre class="card" id="claims" />
  </section>
)

const Unavailable: FC = () => (
  <section data-status="unavailable" hidden>
    <h1>Pots, cups and company</h1>
    <p class="lead">You cannot sign in at the moment: the login service does not respond.</p>
  </section>
)

const PRODUCTS = [
  { name: 'Stoneware mug, moss', price: '€ 24', glaze: 'moss' },
  { name: 'Teapot for two', price: '€ 58', glaze: 'rust' },
  { name: 'Small vase, speckled', price: '€ 31', glaze: 'sand' },
]
