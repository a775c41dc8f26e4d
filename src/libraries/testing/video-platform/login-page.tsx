import type { FC } from 'hono/jsx'
import { Initial, Layout } from './layout.tsx'
import type { Persona } from './personas.ts'

/** The platform's login page: it lets the user select a persona, then continues to `place`. */
export const LoginPage: FC<{ personas: Persona[]; place: string }> = (props) => (
  <Layout title="Log in">
    <h1>Who are you?</h1>
    <p>On the real platform, you would log in here. Choose a persona instead.</p>
    <PersonaForm {...props} />
  </Layout>
)

/** The front page of the stand-in. */
export const HomePage: FC<{ personas: Persona[]; current: Persona | undefined }> = (props) => (
  <Layout title="Home">
    <h1>The video platform, for local work</h1>
    <p>
      Apps send their users here to log in. The stand-in behaves like the real platform, including
      its quirks. All data is lost when it stops.
    </p>
    {props.current === undefined ? (
      <p data-testid="logged-out">
        You are not logged in. Choose a persona now, or later when an app sends you here.
      </p>
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
            <Initial handle={handle} />
            <span>
              <span class="name">
                <bdi>{displayName || '(no name)'}</bdi> <small>@{handle}</small>
              </span>
              <span class="muted">{purpose}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  </form>
)
