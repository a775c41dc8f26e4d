import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { apiStore } from '../../../src/administration/registrations/api-store.ts'
import { clientStore } from '../../../src/administration/registrations/client-store.ts'
import { verifyMachineToken } from '../../../src/core/tokens/verify.ts'
import { LOGIN } from '../../browser.ts'
import { registerApi, registerMachine } from '../../core/oidc/machines.ts'
import { signedIn } from '../../core/oidc/relying-app.ts'
import { config, newId, ORIGIN } from '../../core/registrations/stored-clients.ts'
import { ADMIN_API } from './machine-client.ts'

async function errorOf(response: Response): Promise<unknown> {
  return (await response.json<{ error?: unknown }>()).error
}

describe('the admin API', () => {
  it.each([
    ['admin:read', 'admin:read'],
    ['admin:read admin:write', 'admin:read admin:write'],
  ])('is available to a machine with the scope "%s"', async (scope, granted) => {
    const { clientId, request } = await registerMachine({ resources: [ADMIN_API], scope })

    const { access_token } = await (await request()).json<{ access_token: string }>()

    expect(await verifyMachineToken(env, config, access_token)).toMatchObject({
      clientId,
      scope: granted.split(' '),
      audience: [ADMIN_API],
    })
  })

  it('[F] grants a machine no scope that its registration does not list', async () => {
    const { request } = await registerMachine({ resources: [ADMIN_API], scope: 'admin:read' })

    expect(await errorOf(await request({ scope: 'admin:write' }))).toBe('invalid_scope')
    expect(await (await request({ scope: 'admin:read admin:write' })).json()).toMatchObject({
      scope: 'admin:read',
    })
  })

  it('[F] cannot be entered with a token for another API that defines the same scopes', async () => {
    const scopes = [{ name: 'admin:write', description: 'Pretend.' }]
    const { identifier } = await registerApi({ scopes })
    const { request } = await registerMachine({ resources: [identifier], scope: 'admin:write' })

    const { access_token } = await (await request()).json<{ access_token: string }>()

    expect(await verifyMachineToken(env, config, access_token)).toMatchObject({
      audience: [identifier],
    })
    expect(await errorOf(await request({ resource: ADMIN_API }))).toBe('invalid_target')
  })

  it('[F] is not available for users', async () => {
    const clientId = newId()
    await clientStore.create(env, config, {
      registration: {
        client_id: clientId,
        redirect_uris: [`https://${clientId}.example/callback`],
        grant_types: ['authorization_code', 'client_credentials'],
        resources: [ADMIN_API],
        scope: 'openid admin:read admin:write',
        first_party: true,
      },
      origin: ORIGIN,
    })
    const browser = await signedIn()
    const authorize = async (changes: Record<string, string>) => {
      const query = new URLSearchParams({
        client_id: clientId,
        redirect_uri: `https://${clientId}.example/callback`,
        response_type: 'code',
        scope: 'openid admin:write',
        nonce: 'n',
        ...changes,
      })
      const response = await browser.get(`/oidc/authorize?${query}`)
      return new URL(response.headers.get('Location') ?? '').searchParams
    }

    expect((await authorize({ resource: ADMIN_API })).get('error')).toBe('invalid_target')
    expect((await authorize({})).get('code')).toMatch(/^ac_/)
  })

  it.each([ADMIN_API, LOGIN, `${LOGIN}/`, `${LOGIN}/orders`])(
    'cannot be registered, nor any other address of this service: %s',
    async (identifier) => {
      await expect(
        apiStore.create(env, config, { registration: { identifier }, origin: ORIGIN }),
      ).rejects.toMatchObject({ problems: [{ code: 'invalid' }] })
      await expect(
        apiStore.delete(env, config, { id: ADMIN_API, origin: ORIGIN }),
      ).rejects.toMatchObject({ problems: [{ code: 'read_only' }] })
    },
  )

  it('is listed before the APIs of the settings, and cannot be changed', async () => {
    const apis = await apiStore.list(env, config)

    expect(apis.slice(0, 2)).toMatchObject([
      { registration: { identifier: ADMIN_API }, source: 'settings' },
      { registration: { identifier: 'https://legacy.example' }, source: 'settings' },
    ])
    await expect(
      apiStore.update(env, config, { id: ADMIN_API, changes: {}, origin: ORIGIN }),
    ).rejects.toMatchObject({ problems: [{ code: 'read_only' }] })
  })
})
