import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { VestibuleOptions } from '../../../src/core/config/vestibule-options.ts'
import { sendCounts } from '../../../src/core/metrics/count.ts'
import { options } from '../../../src/deployment.ts'
import { metricsObject } from '../../../src/features/admin/metrics/metrics-object.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { Browser, serviceOf } from '../../browser.ts'
import { formRequest, RelyingApp } from '../../core/oidc/relying-app.ts'
import { configReaderWith } from '../../deployment.ts'
import { errorCode } from '../../html.ts'
import { signInNewUser } from '../../new-user.ts'
import { ADMIN_API, callApi, connectMachine } from './machine-client.ts'

const features = options.features?.filter(({ id }) => id !== 'admin') ?? []
const vestibule = createVestibule({ ...options, features })
const service = serviceOf(vestibule)
const readConfig = configReaderWith({ features })

describe('a deployment without admin()', () => {
  it('has no console, also not for those who would be administrators', async () => {
    const { browser, userId } = await signInNewUser()
    const other = new Browser(serviceOf(vestibule, { AUTH_ADMINS: userId })).withCookiesOf(browser)

    const responses = await Promise.all(['/admin', '/admin/users'].map((path) => other.get(path)))

    const account = await other.get('/account')
    expect(account.status).toBe(200)
    expect(await account.text()).not.toContain('/admin')
    expect(responses.map(({ status }) => status)).toEqual([404, 404])
    expect(await Promise.all(responses.map(errorCode))).toEqual(['not_found', 'not_found'])
  })

  it('has no API, no metadata of one, and accepts no token for it', async () => {
    const { token } = await connectMachine()
    const response = await callApi('/users', { token, service })
    const browser = new Browser(service)
    const metadata = await browser.get('/.well-known/oauth-protected-resource/admin/api')

    expect([response.status, metadata.status]).toEqual([404, 404])
    expect(response.headers.get('WWW-Authenticate')).toBeNull()
    const userinfo = await browser.get('/.well-known/oauth-protected-resource/oidc/userinfo')
    expect(userinfo.status).toBe(200)
  })

  it('issues no tokens for the API, neither to apps nor to the command line [F10]', async () => {
    const app = new RelyingApp()
    const authorization = await app.authorizationUrl({ resource: ADMIN_API })
    const forApp = await new Browser(service).get(authorization)
    const forCommandLine = await service(
      formRequest('/oidc/device', { client_id: 'vestibule-login', scope: 'admin:read' }),
    )

    expect(forApp.headers.get('Location')).toContain('error=invalid_target')
    expect(await forCommandLine.json()).toMatchObject({ error: 'invalid_client' })
  })

  it('neither counts what happens nor needs the object of the metrics', async () => {
    const before = await metricsObject(env).read()
    const browser = new Browser(serviceOf(vestibule, { METRICS: undefined }))
    await browser.get('/oidc/authorize?client_id=unknown')
    await sendCounts(env, readConfig(env))

    expect(await metricsObject(env).read()).toEqual(before)
    expect('MetricsObject' in vestibule.objects).toBe(false)
    const { checks } = await browser.json<{ checks: { name: string }[] }>('/readyz')
    expect(checks.map(({ name }) => name)).not.toContain('binding METRICS')
  })

  it('signs users in', async () => {
    expect((await new Browser(service).signIn('mia')).status).toBe(302)
  })
})

describe('the former option adminSignIn', () => {
  it('is reported, with what replaces it', () => {
    const former = { ...options, adminSignIn: true } as unknown as VestibuleOptions

    expect(() => createVestibule(former)).toThrow(
      'adminSignIn is no longer an option: list admin({ signIn: true }) under features.',
    )
  })
})
