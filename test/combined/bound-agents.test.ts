import { beforeAll, describe, expect, it } from 'vitest'
import { options } from '../../src/deployment.ts'
import { createVestibule } from '../../src/vestibule.ts'
import { type Browser, LOGIN, serviceOf, serviceWith } from '../browser.ts'
import { formRequest } from '../core/oidc/relying-app.ts'
import { OPEN_SETTINGS, signedIn, UnregisteredApp } from '../features/agents/unregistered-app.ts'
import { ProofKey } from '../features/sender-constrained/proof-key.ts'

const SETTINGS = {
  ...OPEN_SETTINGS,
  UNREGISTERED_CLIENTS: { ...OPEN_SETTINGS.UNREGISTERED_CLIENTS, registration: true },
}
const service = serviceWith(SETTINGS)
const features = (options.features ?? []).filter(({ id }) => id !== 'sender-constrained')
const withoutKeys = serviceOf(createVestibule({ ...options, features }), SETTINGS)

let browser: Browser
let key: ProofKey

beforeAll(async () => {
  browser = await signedIn(service)
  key = await ProofKey.create()
})

/** Exchanges a new code, first without a proof, if that is rejected, and then with one. */
async function exchange(app: UnregisteredApp, clientId = app.clientId, at = service) {
  const code = await app.code(browser, { client_id: clientId })
  const form = {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: app.redirectUri,
    code_verifier: app.verifier,
  }
  const send = async (headers: Record<string, string>) => {
    const response = await at(formRequest('/oidc/token', form, headers))
    const { error, token_type } = await response.json<{ error?: string; token_type?: string }>()
    return error ?? token_type
  }
  return [await send({}), await send({ DPoP: await key.proof() })]
}

/** Registers the client that the app would publish (RFC 7591). */
async function register(app: UnregisteredApp, at = service) {
  const { client_id, ...metadata } = app.metadata({ dpop_bound_access_tokens: true }) as Record<
    string,
    unknown
  >
  const response = await at(
    new Request(`${LOGIN}/oidc/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(metadata),
    }),
  )
  return response.json<{ client_id: string; dpop_bound_access_tokens?: boolean }>()
}

describe('an unregistered client with dpop_bound_access_tokens', () => {
  it('in its document gets no tokens without a proof', async () => {
    const app = await new UnregisteredApp().publish({ dpop_bound_access_tokens: true })

    expect(await exchange(app)).toEqual(['invalid_dpop_proof', 'DPoP'])
  })

  it('in its registration gets no tokens without a proof', async () => {
    const app = new UnregisteredApp()
    const { client_id: clientId, ...registered } = await register(app)

    expect(registered).toMatchObject({ dpop_bound_access_tokens: true })
    expect(await exchange(app, clientId)).toEqual(['invalid_dpop_proof', 'DPoP'])
  })

  it('gets tokens that are not bound from a deployment without the feature', async () => {
    const app = await new UnregisteredApp().publish({ dpop_bound_access_tokens: true })
    const registered = await register(new UnregisteredApp(), withoutKeys)

    expect((await exchange(app, app.clientId, withoutKeys))[0]).toBe('Bearer')
    expect(registered).toMatchObject({ dpop_bound_access_tokens: false })
  })

  it('that is no boolean has an invalid document', async () => {
    const app = await new UnregisteredApp().publish({ dpop_bound_access_tokens: 'yes' })

    const response = await app.authorize(browser)

    expect(await response.text()).toContain('client_unreadable')
  })
})
