import type { FC } from 'hono/jsx'
import { Layout, Letter } from './layout.tsx'
import type { Persona } from './personas.ts'

/** Plays the platform's login page: instead of a password it asks who to be, then goes on to a place. */
export const LoginPage: FC<{ personas: Persona[]; place: string }> = (props) => (
  <Layout title="Log in">
    <h1>Who are you?</h1>
    <p>The real platform would ask you to log in here. Choose a persona instead.</p>
    <PersonaForm {...props} />
  </Layout>
)

/** What someone sees who opens the stand-in by itself. */
export const HomePage: FC<{ personas: Persona[]; current: Persona | undefined }> = (props) => (
  <Layout title="Home">
    <h1>The video platform, for local work</h1>
    <p>
      Apps send people here to log in. It behaves as the real platform does, its peculiarities
      included, and forgets everything when it stops.
    </p>
    {props.current === undefined ? (
      <p data-testid="logged-out">Nobody is logged in. Choose a persona, or wait to be asked.</p>
    ) : (
      <form method="post" action="/v2/auth/logout">
        <p data-testid="logged-in">
          You are logged in as <strong>@{props.current.handle}</strong>.{' '}
          <button type="submit" class="link" data-testid="log-out">
            Log out
          </button>
        </p>
      </form>
    )}
    <nav class="links">
      <a href="/settings/apps" data-testid="connected-apps">
        Connected apps
      </a>
      <a href="/v2/auth/phone" data-testid="phone">
        Scan a QR code
      </a>
    </nav>
    <PersonaForm personas={props.personas} place="/" />
  </Layout>
)

const PersonaForm: FC<{ personas: Persona[]; place: string }> = ({ personas, place }) => (
  <form method="post" action="/v2/auth/login">
    <input type="hidden" name="place" value={place} />
    <ul>
      {personas.map(({ handle, displayName, purpose }) => (
        <li>
          <button
            type="submit"
            class="card"
            name="persona"
            value={handle}
            data-testid={`persona-${handle}`}
          >
            <Letter handle={handle} />
            <span>
              <span class="name">
                <bdi>{displayName || '(no name)'}</bdi> <small>@{handle}</small>
              </span>
              <span class="soft">{purpose}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  </form>
)
