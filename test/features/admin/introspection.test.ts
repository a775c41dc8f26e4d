import { env } from 'cloudflare:workers'
import * as client from 'openid-client'
import { describe, expect, it } from 'vitest'
import { clientStore } from '../../../src/administration/registrations/client-store.ts'
import { issuedSecrets, LOGIN, serviceWith } from '../../browser.ts'
import { advanceClock, stopClock } from '../../clock.ts'
import { basic, bearer, formRequest, postForm, signedIn } from '../../core/oidc/relying-app.ts'
import { config, newId, ORIGIN, redirectUri } from '../../core/registrations/stored-clients.ts'
import { redirectUrl } from '../../redirect.ts'
import { connectMachine } from './machine-client.ts'

/** The access token of a user of a confidential client in the database. */
async function userOfClient(): Promise<{ clientId: string; token: string }> {
  const clientId = newId()
  const registration = {
    client_id: clientId,
    redirect_uris: [redirectUri(clientId)],
    first_party: true,
  }
  const { secret = '' } = await clientStore.create(env, config, { registration, origin: ORIGIN })
  issuedSecrets.add(secret)
  const code_verifier = client.randomPKCECodeVerifier()
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri(clientId),
    response_type: 'code',
    scope: 'openid',
    code_challenge: await client.calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: 'S256',
  })
  const callback = redirectUrl(await (await signedIn()).get(`/oidc/authorize?${query}`))
  const form = {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: redirectUri(clientId),
    code_verifier,
  }
  const response = await postForm('/oidc/token', form, basic(clientId, secret))
  const { access_token: token } = await response.json<{ access_token: string }>()
  return { clientId, token }
}

describe('POST /oidc/introspect', () => {
  it('[G8] returns { active: false } for the tokens of a client that has lost a secret, which other endpoints reject', async () => {
    const { call } = await connectMachine()
    stopClock()
    const machine = await connectMachine()
    const user = await userOfClient()
    advanceClock(2)

    for (const [{ clientId, token }, path, rejected] of [
      [machine, '/admin/api/clients', 404],
      [user, '/oidc/userinfo', 401],
    ] as const) {
      const rotated = await call(`/clients/${clientId}/rotate-secret`, { method: 'POST' })
      const { client_secret } = await rotated.json<{ client_secret: string }>()
      const service = serviceWith({})
      const introspected = async () => {
        const credentials = basic(clientId, client_secret)
        return (await service(formRequest('/oidc/introspect', { token }, credentials))).json()
      }
      const status = async () =>
        (await service(new Request(`${LOGIN}${path}`, { headers: bearer(token) }))).status
      expect(await introspected()).toMatchObject({ active: true })
      expect(await status()).toBe(200)

      await call(`/clients/${clientId}/remove-former-secret`, { method: 'POST' })
      advanceClock(15)

      expect(await introspected()).toEqual({ active: false })
      expect(await status()).toBe(rejected)
    }
  })
})
