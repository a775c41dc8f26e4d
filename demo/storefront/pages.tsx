import type { Child, FC } from 'hono/jsx'
import { Page } from '../../src/libraries/testing/page.tsx'

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
      <h1>
        <span data-status="loading signed-out unavailable">Pots, cups and company</span>
        <span data-status="signed-in" hidden>
          Hello, <bdi id="name" />
        </span>
      </h1>
      <Orders />
      <h2>Our pottery</h2>
      <ul>
        {PRODUCTS.map(({ name, price, picture }) => (
          <li class="card product" data-product={name}>
            {picture}
            <span>{name}</span>
            <strong>{price}</strong>
          </li>
        ))}
      </ul>
      <p>
        See also <a href={galleryUrl}>the gallery</a>. If you are signed in here, one click signs
        you in there.
      </p>
      <Developers />
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

/** The space for the orders is reserved, so that the page does not jump when they arrive. */
const Orders: FC = () => (
  <section>
    <h2>Your orders</h2>
    <div class="orders">
      <ul class="reserved" aria-hidden="true">
        {[1, 2].map(() => (
          <OrderCard />
        ))}
      </ul>
      <p class="card" data-status="signed-out" hidden>
        Sign in to see your orders. This shop has no passwords of its own.
      </p>
      <p class="card" data-status="unavailable" hidden>
        You cannot sign in at the moment: the login service does not respond.
      </p>
      <ul id="order-list" data-status="signed-in" hidden />
      <p class="card" id="orders-error" hidden>
        Your orders cannot be shown at the moment.
      </p>
      <template id="order">
        <OrderCard />
      </template>
    </div>
  </section>
)

const OrderCard: FC = () => (
  <li class="card order">
    <span class="order-picture" />
    <strong class="item">&nbsp;</strong>
    <span class="number">&nbsp;</span>
    <span class="status">&nbsp;</span>
  </li>
)

const Developers: FC = () => (
  <details data-status="signed-in" hidden>
    <summary>For developers</summary>
    <p>The claims of the session token:</p>
    <pre class="card" id="claims" />
    <p>The orders API received the token, verified it, and responded:</p>
    <pre class="card" id="orders" />
  </details>
)

const Picture: FC<{ glaze: string; children?: Child }> = ({ glaze, children }) => (
  <svg
    class={`picture ${glaze}`}
    viewBox="0 0 120 80"
    preserveAspectRatio="xMidYMid slice"
    aria-hidden="true"
  >
    <ellipse cx="60" cy="70" rx="34" ry="4" class="shadow" />
    {children}
  </svg>
)

const PRODUCTS = [
  {
    name: 'Stoneware mug, moss',
    price: '€ 24',
    picture: (
      <Picture glaze="moss">
        <path d="M80 34h6a10 10 0 0 1 0 22h-7" class="line" />
        <path d="M42 22h38v38a10 10 0 0 1-10 10H52a10 10 0 0 1-10-10z" class="body" />
        <path d="M42 22h38v14q-5 5-9 0t-10 3-10-3-9 1z" class="rim" />
      </Picture>
    ),
  },
  {
    name: 'Teapot for two',
    price: '€ 58',
    picture: (
      <Picture glaze="rust">
        <path d="M38 44q-14-12-22-14 6 18 20 28z" class="body" />
        <path d="M84 36q20-4 17 12-3 12-19 10" class="line" />
        <path d="M60 26c20 0 28 12 28 24S76 70 60 70 32 62 32 50s8-24 28-24z" class="body" />
        <path d="M46 28q14-8 28 0-14 6-28 0z" class="rim" />
        <circle cx="60" cy="20" r="4" class="rim" />
      </Picture>
    ),
  },
  {
    name: 'Small vase, speckled',
    price: '€ 31',
    picture: (
      <Picture glaze="sand">
        <path
          d="M53 12h14q-3 8-1 14 16 8 16 24 0 20-22 20T38 50q0-16 16-24 2-6-1-14z"
          class="body"
        />
        <path d="M53 12h14l-2 6H55z" class="rim" />
        <path d="M50 46h.1M60 38h.1M70 48h.1M56 58h.1M66 60h.1M61 49h.1" class="speckles" />
      </Picture>
    ),
  },
]
