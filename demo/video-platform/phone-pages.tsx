import type { FC } from 'hono/jsx'
import type { App } from './apps.ts'
import { Layout } from './layout.tsx'
import { PersonaCard } from './persona-card.tsx'
import type { Persona } from './personas.ts'
import type { QrLogin } from './qr-login.ts'
import { ScopeSwitches } from './scope-switches.tsx'

interface ScanProps {
  persona: Persona
  problem?: string
  link?: string
}

/** The camera: what a real phone reads from the code is pasted here. */
export const ScanPage: FC<ScanProps> = ({ persona, problem, link }) => (
  <Layout title="Scan a code">
    <h1>Your phone</h1>
    {problem === undefined ? null : (
      <div class="note" role="alert" data-testid="problem">
        <p>{problem}</p>
      </div>
    )}
    <PersonaCard persona={persona} />
    <form method="post" action="/v2/auth/phone/scan" class="apart">
      <label for="link">What the QR code says</label>
      <textarea
        id="link"
        name="link"
        rows={5}
        required
        spellcheck={false}
        autocomplete="off"
        placeholder="aweme://authorize?…"
        data-testid="link"
      >
        {link}
      </textarea>
      <p class="soft">
        A real phone would read it with its camera. Copy the link from the app that shows the code.
      </p>
      <button type="submit" class="button main wide" data-testid="scan">
        Scan
      </button>
    </form>
    <form method="post" action="/v2/auth/logout">
      <input type="hidden" name="place" value="/v2/auth/phone" />
      <p>
        <button type="submit" class="link" data-testid="use-another-persona">
          Use another persona
        </button>
      </p>
    </form>
  </Layout>
)

/** Names the app plainly, as a code can be somebody else's bait. */
export const ConfirmPage: FC<{ persona: Persona; login: QrLogin }> = ({ persona, login }) => (
  <Layout title="Log in on another screen">
    <h1>Log in to {login.request.app.name} on another screen?</h1>
    <PersonaCard persona={persona} />
    <p class="apart">
      Go on only if you opened this code yourself: whoever did will be logged in as you.
    </p>
    <form method="post" action="/v2/auth/phone/confirm">
      <input type="hidden" name="ticket" value={login.ticket} />
      <ScopeSwitches scopes={login.request.scopes} />
      <div class="row">
        <button type="submit" class="button" name="decision" value="deny" data-testid="deny">
          Cancel
        </button>
        <button type="submit" class="button main" name="decision" value="allow" data-testid="allow">
          Log in
        </button>
      </div>
    </form>
  </Layout>
)

export const DonePage: FC<{ app: App; isAllowed: boolean }> = ({ app, isAllowed }) => (
  <Layout title={isAllowed ? 'Done' : 'Cancelled'}>
    <h1>{isAllowed ? 'Done' : 'Cancelled'}</h1>
    <p data-testid={isAllowed ? 'allowed' : 'denied'}>
      {isAllowed
        ? `${app.name} logs you in on the other screen now.`
        : `${app.name} was told nothing. The code will work for nobody.`}
    </p>
    <p>
      <a href="/v2/auth/phone">Scan another code</a>
    </p>
  </Layout>
)
