import { describe, expect, it } from 'vitest'
import { options } from '../../src/deployment.ts'
import { createVestibule } from '../../src/vestibule.ts'
import { Browser, serviceOf } from '../browser.ts'
import { OPEN_SETTINGS, openService, UnregisteredApp } from './unregistered-app.ts'

describe('a deployment without agents()', () => {
  const features = (options.features ?? []).filter(({ id }) => id !== 'agents')
  const service = serviceOf(createVestibule({ ...options, features }), OPEN_SETTINGS)

  it('does not know clients with a metadata document, which it does not read', async () => {
    const app = await new UnregisteredApp().publish()

    const response = await app.authorize(new Browser(service))

    expect(response.status).toBe(400)
    expect(await response.text()).toContain('client_unknown')
    expect((await app.authorize(new Browser(openService))).status).toBe(303)
  })
})
