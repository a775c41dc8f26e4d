import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { clientStore } from '../../../src/administration/registrations/client-store.ts'
import { Browser, issuedSecrets } from '../../browser.ts'
import { advanceClock, stopClock } from '../../clock.ts'
import { basic, formRequest } from '../../core/oidc/relying-app.ts'
import {
  config,
  newId,
  newIsolate,
  ORIGIN,
  redirectUri,
  registerIntrospector,
} from '../../core/registrations/stored-clients.ts'
import { signInNewUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'
import { exchangeToken } from './platform-tokens.ts'

type Headers = ReturnType<typeof basic>

describe('a confidential client that is registered with the id of a deleted one', () => {
  it('[C23] cannot introspect or exchange a token of the deleted one, nor can an API introspect it', async () => {
    stopClock()
    const clientId = newId()
    const api = `https://${newId('api')}.example`
    const asApi = await registerIntrospector(api)
    const registration = {
      client_id: clientId,
      redirect_uris: [redirectUri(clientId)],
      first_party: true,
      require_pkce: false,
      resources: [api],
      upstream_tokens: ['tiktok'],
    }
    const create = async () => {
      const { secret = '' } = await clientStore.create(env, config, {
        registration,
        origin: ORIGIN,
      })
      issuedSecrets.add(secret)
      return basic(clientId, secret)
    }
    const former = await create()
    const { browser } = await signInNewUser(new Browser(newIsolate().service))
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri(clientId),
      response_type: 'code',
      scope: 'openid offline_access',
      nonce: 'n',
    })
    const granted = redirectUrl(await browser.get(`/oidc/authorize?${query}`))
    const post = async (path: string, form: Record<string, string>, headers: Headers) => {
      const response = await newIsolate().service(formRequest(path, form, headers))
      return response.json<Record<string, unknown>>()
    }
    const { access_token, refresh_token } = await post(
      '/oidc/token',
      {
        grant_type: 'authorization_code',
        redirect_uri: redirectUri(clientId),
        code: granted.searchParams.get('code') ?? '',
      },
      former,
    )
    const token = String(access_token)
    const introspect = (headers: Headers, presented = token) =>
      post('/oidc/introspect', { token: presented }, headers)
    const exchange = async (headers: Headers) =>
      exchangeToken(new Browser(newIsolate().service), token, {}, headers)
    expect(await introspect(former)).toMatchObject({ active: true })
    expect(await introspect(asApi)).toMatchObject({ active: true })
    expect(await introspect(former, String(refresh_token))).toMatchObject({ active: true })
    expect(await exchange(former)).toMatchObject({ status: 200 })

    await clientStore.delete(env, config, { id: clientId, origin: ORIGIN })
    advanceClock(1)
    const current = await create()

    expect(await introspect(current)).toEqual({ active: false })
    expect(await introspect(current, String(refresh_token))).toEqual({ active: false })
    expect(await introspect(asApi)).toEqual({ active: false })
    expect(await exchange(current)).toMatchObject({ status: 400, error: 'invalid_grant' })
  })
})
