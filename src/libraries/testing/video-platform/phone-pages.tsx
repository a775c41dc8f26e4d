import type { FC } from 'hono/jsx'
import type { App } from './apps.ts'
import { Layout } from './layout.tsx'
import { PersonaCard, UseAnotherPersona } from './persona-card.tsx'
import type { Persona } from './personas.ts'
import type { QrLogin } from './qr-login.ts'
import { ScopeCheckboxes } from './scope-checkboxes.tsx'

interface ScanProps {
  persona: Persona
  problem?: string
  link?: string | undefined
}

/** The page that scans the QR code with this content. */
export function phonePath(link?: string): string {
  return `/v2/auth/phone${link === undefined ? '' : `?${new URLSearchParams({ link })}`}`
}

/** Users enter the content of the QR code here, because the stand-in has no camera. */
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
      <label for="link">Content of the QR code</label>
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
      <p class="muted">
        A real phone would scan the code with its camera. The link below the code of the login
        service fills this in.
      </p>
      <button type="submit" class="button main wide" data-testid="scan">
        Scan
      </button>
    </form>
    <UseAnotherPersona returnTo={phonePath(link)} />
  </Layout>
)

/**
 * Names the app and warns the user, because an attacker can show them a QR code of the attacker's
 * login.
 */
export const ConfirmPage: FC<{ persona: Persona; login: QrLogin }> = ({ persona, login }) => (
  <Layout title="Log in on another screen">
    <h1>Log in to {login.request.app.name} on another screen?</h1>
    <PersonaCard persona={persona} />
    <p class="apart">
      Continue only if you opened this code yourself. Whoever opened it will be logged in as you.
    </p>
    <form method="post" action="/v2/auth/phone/confirm">
      <input type="hidden" name="ticket" value={login.ticket} />
      <ScopeCheckboxes scopes={login.request.scopes} />
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
        ? `${app.name} will now log you in on the other screen.`
        : `${app.name} was not notified. The code can no longer be used.`}
    </p>
    <p>
      <a href="/v2/auth/phone">Scan another code</a>
    </p>
  </Layout>
)
