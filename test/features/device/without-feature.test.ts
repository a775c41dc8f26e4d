import { describe, expect, it } from 'vitest'
import { options } from '../../../src/deployment.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { Browser, serviceOf } from '../../browser.ts'
import { formRequest } from '../../core/oidc/relying-app.ts'

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code'

describe('a deployment without device()', () => {
  const features = options.features?.filter(({ id }) => id !== 'device') ?? []
  const vestibule = createVestibule({ ...options, features })
  const service = serviceOf(vestibule)
  const browser = new Browser(service)

  it('has no route for devices and their users', async () => {
    const statuses = await Promise.all([
      browser.get('/device').then(({ status }) => status),
      service(formRequest('/oidc/device', { client_id: 'television' })).then(
        ({ status }) => status,
      ),
    ])

    expect(statuses).toEqual([404, 404])
  })

  it('rejects the grant type, and does not list it in discovery', async () => {
    const response = await service(
      formRequest('/oidc/token', { client_id: 'television', grant_type: GRANT_TYPE }),
    )

    expect(await response.json()).toMatchObject({ error: 'unsupported_grant_type' })
    const discovery = await browser.json('/.well-known/openid-configuration')
    expect(discovery).not.toHaveProperty('device_authorization_endpoint')
    expect(discovery).toHaveProperty(
      'grant_types_supported',
      expect.not.arrayContaining([GRANT_TYPE]),
    )
  })

  it('has guards without the methods of the feature', () => {
    expect('startDeviceRequest' in vestibule.objects.GuardObject.prototype).toBe(false)
    expect('countUse' in vestibule.objects.GuardObject.prototype).toBe(true)
  })

  it('reports the clients that are registered for it, and signs users in nevertheless', async () => {
    const { checks } = await browser.json<{ checks: { name: string; problem?: string }[] }>(
      '/readyz',
    )

    const [problem] = checks.flatMap(({ problem }) => problem ?? [])
    expect(problem).toMatch(
      /^CLIENTS\.\d+\.grant_types\.0 must be authorization_code or refresh_token or/,
    )
    expect((await new Browser(service).signIn('mia')).status).toBe(302)
  })
})
