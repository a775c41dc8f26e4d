import { describe, expect, it } from 'vitest'
import { options } from '../../../src/deployment.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { Browser, LOGIN, serviceOf } from '../../browser.ts'
import { openService, UnregisteredApp } from './unregistered-app.ts'

describe('a deployment without agents()', () => {
  const features = (options.features ?? []).filter(({ id }) => id !== 'agents')
  const service = serviceOf(createVestibule({ ...options, features }))

  it('does not know clients with a metadata document', async () => {
    const app = await new UnregisteredApp().publish()

    const response = await app.authorize(new Browser(service))

    expect(response.status).toBe(400)
    expect(await response.text()).toContain('client_unknown')
    expect((await app.authorize(new Browser(openService))).status).toBe(303)
  })

  it('has no registration endpoint, and discovery mentions none of it', async () => {
    const registration = await service(
      new Request(`${LOGIN}/oidc/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"redirect_uris":["https://agent.example/"]}',
      }),
    )
    const discovery = await service(new Request(`${LOGIN}/.well-known/openid-configuration`))

    expect(registration.status).toBe(404)
    expect(await discovery.text()).not.toMatch(/registration_endpoint|client_id_metadata_document/)
  })
})
