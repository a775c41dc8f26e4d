import type { Child, FC } from 'hono/jsx'
import { Page } from '../../src/libraries/testing/page.tsx'
import type { SignedInUser } from './openid-client.ts'

interface GalleryProps {
  user: SignedInUser | undefined
  storefrontUrl: string
}

export const GalleryPage: FC<GalleryProps> = ({ user, storefrontUrl }) => (
  <Layout title="The gallery">
    {user ? <Welcome user={user} /> : <SignIn />}
    <ul>
      {PICTURES.map(({ name, className }) => (
        <li>
          <span class={`picture ${className}`} />
          <em>{name}</em>
        </li>
      ))}
    </ul>
    <p>
      <a href={storefrontUrl}>To the storefront</a>
    </p>
    {user && <Developers user={user} />}
  </Layout>
)

export const ErrorPage: FC<{ title: string; text: string }> = ({ title, text }) => (
  <Layout title={title}>
    <h1>{title}</h1>
    <p>{text}</p>
    <p>
      <a href="/">Back to the gallery</a>
    </p>
  </Layout>
)

const Layout: FC<{ title: string; children?: Child }> = ({ title, children }) => (
  <Page title={title} styles={<link rel="stylesheet" href="/style.css" />}>
    <header>
      <a href="/">The gallery</a>
      <span>Open daily, 10 to 18</span>
    </header>
    <main>{children}</main>
  </Page>
)

const SignIn: FC = () => (
  <>
    <h1>Three new landscapes</h1>
    <p>If you are signed in at the storefront, one click signs you in here as well.</p>
    <p>
      <a class="button main" id="sign-in" href="/signin">
        Sign in
      </a>
    </p>
  </>
)

const Welcome: FC<{ user: SignedInUser }> = ({ user: { profile } }) => (
  <>
    <h1>
      Welcome, <bdi>{profile.name || profile.preferred_username || 'visitor'}</bdi>
    </h1>
    <p>You are signed in with the account that you use at the storefront.</p>
    <form method="post" action="/signout">
      <button class="button" id="sign-out" type="submit">
        Sign out
      </button>
    </form>
  </>
)

/** The storefront's session token has the same two claims. */
const Developers: FC<{ user: SignedInUser }> = ({ user: { idToken } }) => (
  <details>
    <summary>For developers</summary>
    <dl>
      <dt>The user’s id (sub)</dt>
      <dd id="sub">{idToken.sub}</dd>
      <dt>The session’s id (sid)</dt>
      <dd id="sid">{String(idToken['sid'])}</dd>
    </dl>
  </details>
)

const PICTURES = [
  { name: 'Low tide', className: 'tide' },
  { name: 'Noon', className: 'noon' },
  { name: 'Two hills', className: 'hills' },
]
