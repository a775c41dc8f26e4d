import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import { options } from '../../../src/deployment.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { Browser, serviceOf } from '../../browser.ts'
import { advanceClock, MINUTE, stopClock } from '../../clock.ts'
import { signInNewUser } from '../../new-user.ts'
import { callApi, connectMachine } from '../admin/machine-client.ts'
import { blockAndUnblock, deleteWebhooksAndEvents, registerWebhook } from './webhook.ts'

const features = options.features?.filter(({ id }) => id !== 'webhooks') ?? []
const vestibule = createVestibule({ ...options, features })
const service = serviceOf(vestibule)

afterEach(deleteWebhooksAndEvents)

describe('a deployment without webhooks()', () => {
  it('has no operation on webhooks, and no pages of them', async () => {
    const { token } = await connectMachine()
    const response = await callApi('/webhooks', { token, service })
    const document = await (await callApi('/openapi.json', { token, service })).text()
    const { browser: user, userId } = await signInNewUser()
    const browser = new Browser(serviceOf(vestibule, { AUTH_ADMINS: userId })).withCookiesOf(user)

    expect(response.status).toBe(404)
    expect(document).toContain('listClients')
    expect(document).not.toContain('listWebhooks')
    const overview = await (await browser.get('/admin')).text()
    expect(overview).toContain('/admin/clients')
    expect(overview).not.toContain('/admin/webhooks')
    expect((await browser.get('/admin/webhooks')).status).toBe(404)
  })

  it('sends no events, and reports that webhooks are registered', async () => {
    stopClock()
    const webhook = await registerWebhook()
    const { userId } = await signInNewUser()
    await blockAndUnblock(userId)
    advanceClock(2 * MINUTE)
    await vestibule.worker.scheduled(createScheduledController(), env)

    expect(await webhook.events()).toEqual([])
    const { checks } = await new Browser(service).json<{
      checks: { name: string; problem?: string }[]
    }>('/readyz')
    expect(checks.map(({ name }) => name)).not.toContain('schedule')
    expect(checks.flatMap(({ problem }) => problem ?? []).join()).toContain('webhooks()')
  })
})
