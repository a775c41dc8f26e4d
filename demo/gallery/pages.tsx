import type { Child, FC } from 'hono/jsx'
import { Page } from '../page.tsx'
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
    <main>{children}</main>
  </Page>
)

const SignIn: FC = () => (
  <>
    <h1>The gallery</h1>
    <p>If you are signed in at the storefront, one click signs you in here as well.</p>
    <p>
      <a class="button main" id="sign-in" href="/signin">
        Sign in
      </a>
    </p>
  </>
)

const Welcome: FC<{ user: SignedInUser }> = ({ user: { profile, idToken } }) => (
  <>
    <h1>
      Welcome, <bdi>{profile.name || profile.preferred_username || 'visitor'}</bdi>
    </h1>
    <p>The storefront and the gallery see the same user and the same session:</p>
    <dl>
      <dt>User</dt>
      <dd id="sub">{idToken.sub}</dd>
      <dt>Session</dt>
      <dd id="sid">{String(idToken['sid'])}</dd>
    </dl>
    <form method="post" action="/signout">
      <button class="button" id="sign-out" type="submit">
        Sign out
      </button>
    </form>
  </>
)

const PICTURES = [
  { name: 'Low tide', className: 'tide' },
  { name: 'Noon', className: 'noon' },
  { name: 'Two hills', className: 'hills' },
]
