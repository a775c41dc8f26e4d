import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { clientStore } from '../../../src/administration/registrations/client-store.ts'
import { Browser } from '../../browser.ts'
import { advanceClock, stopClock } from '../../clock.ts'
import { readConfig } from '../../deployment.ts'
import { errorCode } from '../../html.ts'
import { formRequest, signedInAsNewUser } from '../oidc/relying-app.ts'
import { approveConsent, consentForm, shownConsent } from '../oidc/user-steps.ts'
import { config, newId, newIsolate, ORIGIN, redirectUri } from './stored-clients.ts'

function registrationOf(clientId: string) {
  return {
    client_id: clientId,
    redirect_uris: [redirectUri(clientId)],
    token_endpoint_auth_method: 'none',
  }
}

async function register(clientId: string): Promise<void> {
  await clientStore.create(env, config, { registration: registrationOf(clientId), origin: ORIGIN })
}

/** Deletes the client, and registers another one with the same id a minute later. */
async function registerAgain(clientId: string): Promise<void> {
  await clientStore.delete(env, config, { id: clientId, origin: ORIGIN })
  advanceClock(60)
  await register(clientId)
}

/** A new client with a signed-in user. Every request reaches an isolate that has cached nothing. */
async function registerWithUser() {
  stopClock()
  const clientId = newId()
  await register(clientId)
  const session = await signedInAsNewUser()
  const browser = () => new Browser(newIsolate().service).withCookiesOf(session)
  const verifier = 'v'.repeat(43)
  const authorize = (using = browser(), scope = 'openid profile offline_access') =>
    using.get(
      `/oidc/authorize?${new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri(clientId),
        response_type: 'code',
        scope,
        // The S256 challenge of the verifier.
        code_challenge: '7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM',
        code_challenge_method: 'S256',
      })}`,
    )
  const requestTokens = async (form: Record<string, string>) =>
    newIsolate().service(formRequest('/oidc/token', { client_id: clientId, ...form }))
  const redeem = (response: Response) =>
    requestTokens({
      grant_type: 'authorization_code',
      redirect_uri: redirectUri(clientId),
      code: new URL(response.headers.get('Location') ?? '').searchParams.get('code') ?? '',
      code_verifier: verifier,
    })
  const refresh = (token: string) =>
    requestTokens({ grant_type: 'refresh_token', refresh_token: token })
  const approve = async (scope?: string) => {
    const using = browser()
    return approveConsent(using, await authorize(using, scope))
  }
  return { clientId, browser, authorize, approve, redeem, refresh }
}

interface Tokens {
  access_token: string
  refresh_token: string
}

describe('a client that is registered with the id of a deleted one', () => {
  it('does not have the consent that a user gave to the deleted one', async () => {
    const { clientId, authorize, approve } = await registerWithUser()
    await approve()
    expect((await authorize()).status).toBe(303)

    await registerAgain(clientId)

    await shownConsent(await authorize())
    await approve()
    expect((await authorize()).status).toBe(303)
  })

  it('does not have the consent to the deleted one as soon as the user allows it less', async () => {
    const { clientId, browser, authorize, approve } = await registerWithUser()
    await approve('openid profile offline_access')
    await registerAgain(clientId)

    await approve('openid')

    expect((await authorize(browser(), 'openid')).status).toBe(303)
    await shownConsent(await authorize(browser(), 'openid profile'))
  })

  it('does not have the grants that a user gave to the deleted one', async () => {
    const { clientId, approve, redeem, refresh } = await registerWithUser()
    const { refresh_token } = await (await redeem(await approve())).json<Tokens>()

    await registerAgain(clientId)

    expect(await (await refresh(refresh_token)).json()).toMatchObject({ error: 'invalid_grant' })
  })

  it('[A25] does not get the consent of a page that has shown the deleted one', async () => {
    const { clientId, authorize, browser } = await registerWithUser()
    const form = await consentForm(await authorize())

    await registerAgain(clientId)
    const headers = { 'Sec-Fetch-Site': 'same-origin' }
    const response = await browser().fetch('/oidc/consent', { form, headers })

    expect(await errorCode(response)).toBe('attempt_missing')
    await shownConsent(await authorize())
  })
})

describe('a client that is moved from the settings to the database', () => {
  it('keeps the consents and grants of its users', async () => {
    const { clientId, authorize, approve, redeem, refresh } = await registerWithUser()
    const { refresh_token } = await (await redeem(await approve())).json<Tokens>()
    await clientStore.delete(env, config, { id: clientId, origin: ORIGIN })
    advanceClock(60)
    // Consents and grants do not depend on where the client was registered when they were given.
    const registration = registrationOf(clientId)
    const settings = { ...env, CLIENTS: [registration] } as unknown as Env

    await clientStore.create(env, readConfig(settings), { registration, origin: ORIGIN })

    expect((await authorize()).status).toBe(303)
    expect((await refresh(refresh_token)).status).toBe(200)
  })
})
