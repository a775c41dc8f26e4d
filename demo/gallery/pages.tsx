import type { Child, FC } from 'hono/jsx'
import type { Visitor } from '../openid-client.ts'
import { Page } from '../page.tsx'
import { stylesheet } from './stylesheet.ts'

interface GalleryProps {
  visitor: Visitor | undefined
  storefrontUrl: string
}

/** One room with three pictures, and who is looking at them. */
export const GalleryPage: FC<GalleryProps> = ({ visitor, storefrontUrl }) => (
  <Room title="The gallery">
    {visitor ? <Greeting visitor={visitor} /> : <Door />}
    <ul class="wall">
      {PICTURES.map(({ name, paint }) => (
        <li>
          <span class={`picture ${paint}`} />
          <em>{name}</em>
        </li>
      ))}
    </ul>
    <p>
      <a href={storefrontUrl}>To the storefront</a>
    </p>
  </Room>
)

/** Says what is wrong, and offers the way back. */
export const NoticePage: FC<{ title: string; text: string }> = ({ title, text }) => (
  <Room title={title}>
    <h1>{title}</h1>
    <p>{text}</p>
    <p>
      <a href="/">Back to the gallery</a>
    </p>
  </Room>
)

const Room: FC<{ title: string; children?: Child }> = ({ title, children }) => (
  <Page title={title} stylesheet={stylesheet}>
    <main>{children}</main>
  </Page>
)

const Door: FC = () => (
  <>
    <h1>The gallery</h1>
    <p>Signed in at the storefront? Then one click is enough: nobody asks you again.</p>
    <p>
      <a class="button" id="sign-in" href="/signin">
        Sign in
      </a>
    </p>
  </>
)

const Greeting: FC<{ visitor: Visitor }> = ({ visitor: { profile, idToken } }) => (
  <>
    <h1>
      Welcome, <bdi>{profile.name || profile.preferred_username || 'stranger'}</bdi>
    </h1>
    <p>The storefront and this gallery see one person and one session:</p>
    <dl>
      <dt>Person</dt>
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
  { name: 'Low tide', paint: 'tide' },
  { name: 'Noon', paint: 'noon' },
  { name: 'Two hills', paint: 'hills' },
]
