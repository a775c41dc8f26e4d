import { beforeEach, describe, expect, it } from 'vitest'
import { createVideoPlatform } from '../../demo/video-platform/app.ts'
import { appsWithWebhook } from '../../demo/video-platform/apps.ts'
import {
  authorizeUrl,
  BASIC,
  jsonOf,
  PRODUCTION,
  PROFILE,
  SANDBOX,
  STATS,
  type Stage,
  type Tokens,
  tokensOf,
  toQuery,
  userInfo,
} from './visitor.ts'

const HERE = 'https://www.tiktok.com/settings/apps'
const ADDRESS = 'https://login.example/api/auth/webhook/tiktok'

let stage: Stage
let tokens: Tokens
let status: number
let told: unknown[]

beforeEach(async () => {
  status = 200
  told = []
  stage = createVideoPlatform({
    apps: appsWithWebhook(ADDRESS),
    send: async (request) => {
      told.push(await request.json())
      return new Response(null, { status })
    },
  })
  tokens = await tokensOf(stage, {
    scope: `${BASIC},${PROFILE},${STATS}`,
    __grant: `${BASIC},${STATS}`,
  })
})

describe('GET /settings/apps', () => {
  it('asks a stranger who they are, and leads back', async () => {
    const html = await (await stage.request(HERE)).text()

    expect(html).toContain('data-testid="persona-mia"')
    expect(html).toContain('name="place" value="/settings/apps"')
  })

  it('shows the apps of a persona with what each may see', async () => {
    const html = await pageOf('mia')

    expect(html).toContain(`data-testid="app-${SANDBOX.client_key}"`)
    expect(html).toContain('Your name and profile picture')
    expect(html).toContain('How many followers')
    expect(html).not.toContain('Your username')
    expect(html).not.toContain(`app-${PRODUCTION.client_key}`)
  })

  it("shows nobody another persona's apps", async () => {
    expect(await pageOf('noah')).toContain('data-testid="no-apps"')
  })

  it('is a page of the platform, and nothing its API knows', async () => {
    const api = await stage.request('https://open.tiktokapis.com/settings/apps')

    expect(api.status).toBe(404)
  })
})

describe('POST /settings/apps/remove', () => {
  it('[V19] ends the tokens, tells the app of a person who disconnected it, and says so', async () => {
    const response = await remove('mia', SANDBOX.client_key)
    const html = await (await follow(response, 'mia')).text()

    expect(response.status).toBe(303)
    expect((await userInfo(stage, tokens.access_token, 'open_id')).status).toBe(401)
    expect(told).toEqual([
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

  it('[V18] asks for consent again at the next sign-in', async () => {
    await remove('mia', SANDBOX.client_key)
    const page = await stage.request(authorizeUrl({ __as: 'mia' }))

    expect(await page.text()).toContain('data-testid="allow"')
  })

  it('says when the app could not be told', async () => {
    status = 503
    const html = await (await follow(await remove('mia', SANDBOX.client_key), 'mia')).text()

    expect(html).toContain('responded with 503, so it will be notified again')
  })

  it('says when the app has no address to be told at', async () => {
    await tokensOf(stage, { client_key: PRODUCTION.client_key })
    const html = await (await follow(await remove('mia', PRODUCTION.client_key), 'mia')).text()

    expect(html).toContain('no webhook address')
  })

  it.each([
    ['nobody', undefined, SANDBOX.client_key],
    ['somebody else', 'noah', SANDBOX.client_key],
    ['an app that is not connected', 'mia', PRODUCTION.client_key],
  ])('changes nothing for %s', async (_name, handle, clientKey) => {
    await remove(handle, clientKey)

    expect((await userInfo(stage, tokens.access_token, 'open_id')).status).toBe(200)
    expect(told).toEqual([])
  })

  it('waits for nobody after its answer when there is no time for it', async () => {
    status = 503
    await remove('mia', SANDBOX.client_key)
    const events = await jsonOf<object[]>(stage.request('http://localhost/__stand-in/events'))

    expect(events).toMatchObject([
      { attempts: [{ status: 503 }], nextAttemptAt: expect.anything() },
    ])
  })
})

describe('a stand-in that is given time after its answers', () => {
  it('tells the app again by itself, and answers a revocation before the app is told', async () => {
    const work: Promise<unknown>[] = []
    const time = { waitUntil: (promise: Promise<unknown>) => work.push(promise) }
    let now = Date.now()
    let answered = () => {}
    const answer = new Promise<void>((resolve) => {
      answered = resolve
    })
    stage = createVideoPlatform({
      apps: appsWithWebhook(ADDRESS),
      // The clock stands still until an attempt was made: the pause before the next is then over.
      clock: () => now,
      send: async () => {
        await answer
        now += 60_000
        told.push('again')
        return new Response(null, { status: told.length < 3 ? 500 : 200 })
      },
    })
    tokens = await tokensOf(stage)
    const request = new Request('https://open.tiktokapis.com/v2/oauth/revoke/', {
      method: 'POST',
      body: toQuery({ ...SANDBOX, token: tokens.access_token }).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
    const response = await stage.fetch(request, {}, time as unknown as ExecutionContext)
    answered()

    expect(await response.text()).toBe('{}')
    for (let done = 0; done < work.length; done++) await work[done]
    expect(told).toEqual(['again', 'again', 'again'])
  })
})

async function pageOf(handle: string): Promise<string> {
  return (await stage.request(HERE, { headers: cookieOf(handle) })).text()
}

async function remove(handle: string | undefined, clientKey: string): Promise<Response> {
  return stage.request(`${HERE}/remove`, {
    method: 'POST',
    body: toQuery({ client_key: clientKey }),
    headers: cookieOf(handle),
  })
}

async function follow(response: Response, handle: string): Promise<Response> {
  const location = new URL(response.headers.get('Location') ?? '', HERE)
  return stage.request(location.href, { headers: cookieOf(handle) })
}

function cookieOf(handle: string | undefined): Record<string, string> {
  return handle === undefined ? {} : { Cookie: `video-platform-persona=${handle}` }
}
