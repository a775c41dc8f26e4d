import { beforeEach, describe, expect, it } from 'vitest'
import { createVideoPlatform } from '../../../src/libraries/testing/video-platform/app.ts'
import { appsWithWebhook } from '../../../src/libraries/testing/video-platform/apps.ts'
import {
  API,
  authorizeUrl,
  BASIC,
  fetchUserInfo,
  obtainTokens,
  openPage,
  PRODUCTION,
  PROFILE,
  readControl,
  readLocation,
  SANDBOX,
  STATS,
  type StandIn,
  submitForm,
  type Tokens,
  WEBHOOK_URL,
} from './client.ts'

const PATH = '/settings/apps'

let standIn: StandIn
let tokens: Tokens
let webhookStatus: number
let webhooks: unknown[]

beforeEach(async () => {
  webhookStatus = 200
  webhooks = []
  standIn = createVideoPlatform({
    apps: appsWithWebhook(WEBHOOK_URL),
    send: async (request) => {
      webhooks.push(await request.json())
      return new Response(null, { status: webhookStatus })
    },
  })
  tokens = await obtainTokens(standIn, {
    scope: `${BASIC},${PROFILE},${STATS}`,
    __grant: `${BASIC},${STATS}`,
  })
})

describe('GET /settings/apps', () => {
  it('shows the login page first, and returns afterwards', async () => {
    const html = await (await openPage(standIn, PATH)).text()

    expect(html).toContain('data-testid="persona-mia"')
    expect(html).toContain('name="place" value="/settings/apps"')
  })

  it('lists the apps of a persona with the data each may access', async () => {
    const html = await (await openPage(standIn, PATH, 'mia')).text()

    expect(html).toContain(`data-testid="app-${SANDBOX.client_key}"`)
    expect(html).toContain('Your name and profile picture')
    expect(html).toContain('How many followers')
    expect(html).not.toContain('Your username')
    expect(html).not.toContain(`app-${PRODUCTION.client_key}`)
  })

  it('does not list the apps of another persona', async () => {
    const html = await (await openPage(standIn, PATH, 'noah')).text()

    expect(html).toContain('data-testid="no-apps"')
  })

  it('is not available on the host of the API', async () => {
    const response = await standIn.request(API + PATH)

    expect(response.status).toBe(404)
  })
})

describe('POST /settings/apps/remove', () => {
  it('[V19] revokes the tokens, notifies the app by webhook, and shows the result', async () => {
    const response = await removeApp('mia', SANDBOX.client_key)
    const html = await (await openPage(standIn, readLocation(response), 'mia')).text()

    expect(response.status).toBe(303)
    expect((await fetchUserInfo(standIn, tokens.access_token, 'open_id')).status).toBe(401)
    expect(webhooks).toEqual([
      {
        client_key: SANDBOX.client_key,
        event: 'authorization.removed',
        create_time: expect.any(Number),
        user_openid: tokens.open_id,
        content: '{"reason":1}',
      },
    ])
    expect(html).toContain('responded with 200')
    expect(html).toContain('data-testid="no-apps"')
  })

  it('[V18] makes the consent page appear again at the next login', async () => {
    await removeApp('mia', SANDBOX.client_key)
    const page = await standIn.request(authorizeUrl({ __as: 'mia' }))

    expect(await page.text()).toContain('data-testid="allow"')
  })

  it('shows that the webhook failed', async () => {
    webhookStatus = 503
    const response = await removeApp('mia', SANDBOX.client_key)
    const html = await (await openPage(standIn, readLocation(response), 'mia')).text()

    expect(html).toContain('responded with 503, so it will be notified again')
  })

  it('shows that the app has no webhook address', async () => {
    await obtainTokens(standIn, { client_key: PRODUCTION.client_key })
    const response = await removeApp('mia', PRODUCTION.client_key)
    const html = await (await openPage(standIn, readLocation(response), 'mia')).text()

    expect(html).toContain('no webhook address')
  })

  it.each([
    ['without a login', undefined, SANDBOX.client_key],
    ['for another user', 'noah', SANDBOX.client_key],
    ['for an app that is not connected', 'mia', PRODUCTION.client_key],
  ])('changes nothing %s', async (_name, persona, clientKey) => {
    await removeApp(persona, clientKey)

    expect((await fetchUserInfo(standIn, tokens.access_token, 'open_id')).status).toBe(200)
    expect(webhooks).toEqual([])
  })

  it('does not retry a failed webhook without an execution context', async () => {
    webhookStatus = 503
    await removeApp('mia', SANDBOX.client_key)

    expect(await readControl(standIn, 'events')).toMatchObject([
      { attempts: [{ status: 503 }], nextAttemptAt: expect.anything() },
    ])
  })
})

describe('a stand-in with an execution context', () => {
  it('responds to a revocation before it sends the webhook, and retries the webhook', async () => {
    const backgroundWork: Promise<unknown>[] = []
    const executionContext = {
      waitUntil: (promise: Promise<unknown>) => backgroundWork.push(promise),
    }
    let now = Date.now()
    const { promise: responded, resolve: allowWebhook } = Promise.withResolvers<void>()
    const platform = createVideoPlatform({
      apps: appsWithWebhook(WEBHOOK_URL),
      // The clock advances by a minute with each attempt, so that the next one is due immediately.
      clock: () => now,
      send: async () => {
        await responded
        now += 60_000
        webhooks.push('attempt')
        return new Response(null, { status: webhooks.length < 3 ? 500 : 200 })
      },
    })
    const { access_token } = await obtainTokens(platform)
    const request = new Request(`${API}/v2/oauth/revoke/`, {
      method: 'POST',
      body: new URLSearchParams({ ...SANDBOX, token: access_token }).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
    const response = await platform.fetch(
      request,
      {},
      executionContext as unknown as ExecutionContext,
    )
    allowWebhook()

    expect(await response.text()).toBe('{}')
    // Work may add further work to the list.
    for (const work of backgroundWork) await work
    expect(webhooks).toEqual(['attempt', 'attempt', 'attempt'])
  })
})

function removeApp(persona: string | undefined, clientKey: string): Promise<Response> {
  return submitForm(standIn, `${PATH}/remove`, { fields: { client_key: clientKey }, persona })
}
