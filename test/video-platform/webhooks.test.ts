import { beforeEach, describe, expect, it } from 'vitest'
import { createVideoPlatform } from '../../demo/video-platform/app.ts'
import { appsWithWebhook } from '../../demo/video-platform/apps.ts'
import { signWebhook } from '../../demo/video-platform/webhook-event.ts'
import {
  authorizeUrl,
  control,
  jsonOf,
  PRODUCTION,
  revoke,
  SANDBOX,
  type Stage,
  type Tokens,
  tokensOf,
  userInfo,
} from './visitor.ts'

const ADDRESS = 'https://login.example/api/auth/webhook/tiktok'
const START = 1_800_000_000
const THREE_DAYS = 72 * 3600

interface Received {
  url: string
  contentType: string | null
  signature: string | null
  body: string
}

let stage: Stage
let tokens: Tokens
let received: Received[]
/** What the app answers, for as long as there is something here; then 200. */
let answers: (number | Error)[]

beforeEach(async () => {
  received = []
  answers = []
  stage = createVideoPlatform({
    apps: appsWithWebhook(ADDRESS),
    clock: () => START * 1000,
    send: receive,
  })
  tokens = await tokensOf(stage)
})

async function receive(request: Request): Promise<Response> {
  received.push({
    url: request.url,
    contentType: request.headers.get('Content-Type'),
    signature: request.headers.get('TikTok-Signature'),
    body: await request.text(),
  })
  const answer = answers.shift() ?? 200
  if (typeof answer !== 'number') throw answer
  return new Response(null, { status: answer })
}

describe('[V19] a webhook', () => {
  it('is signed as the documentation says: HMAC of time, dot and body under the client secret', async () => {
    const body =
      '{"client_key":"awexamplekey0001","event":"authorization.removed","create_time":1794614400,"user_openid":"-000ExampleOpenId0000000000000000001","content":"{\\"reason\\":1}"}'
    const app = { clientSecret: 'whsec_example_client_secret_000001' }
    const signature = await signWebhook(
      app,
      { now: 1_794_614_405, body },
      { webhookSignature: 'right', webhookTimestamp: 'now' },
    )

    expect(body).toHaveLength(170)
    expect(signature).toBe(
      't=1794614405,s=50f3326be5d15ba471b8b47d1761578a36316f1d718d6d28d540049ebf908fd7',
    )
  })

  it('tells the app that a person disconnected it, in five keys of which the last is JSON in JSON', async () => {
    await control(stage, 'events', { user: 'mia', reason: 'disconnected' })

    expect(received).toMatchObject([{ url: ADDRESS, contentType: 'application/json' }])
    expect(received[0]?.body).toBe(
      `{"client_key":"${SANDBOX.client_key}","event":"authorization.removed","create_time":${START},"user_openid":"${tokens.open_id}","content":"{\\"reason\\":1}"}`,
    )
    expect(await isRight(received[0])).toBe(true)
  })

  it.each([
    ['unknown', 0],
    ['disconnected', 1],
    ['account-deleted', 2],
    ['age-changed', 3],
    ['account-banned', 4],
    ['revoked', 5],
  ])('knows the reason %s as %i, and ends the tokens first', async (reason, number) => {
    await control(stage, 'events', { user: 'mia', reason })

    expect(contents()).toEqual([{ reason: number }])
    expect((await userInfo(stage, tokens.access_token, 'open_id')).status).toBe(401)
  })

  it.each([
    ['account-deleted', 'data-testid="persona-noah"'],
    ['age-changed', 'not+eligible'],
    ['account-banned', 'not+eligible'],
  ])(
    'tells every app of an account lost (%s), and lets nobody in with it again',
    async (reason, shown) => {
      await control(stage, 'apps', { ...OTHER_APP, webhookUrl: 'https://other.example/hook' })
      await tokensOf(stage, { client_key: PRODUCTION.client_key })
      await control(stage, 'events', { user: 'mia', app: SANDBOX.client_key, reason })

      const urls = received.map(({ url }) => url)
      expect(urls.sort()).toEqual([ADDRESS, 'https://other.example/hook'])
      const page = await stage.request(authorizeUrl({ __as: 'mia' }))
      const location = page.headers.get('Location')?.replaceAll('%20', '+')
      expect(location ?? (await page.text())).toContain(shown)
    },
  )

  it('tells one app alone when one is disconnected', async () => {
    const other = await tokensOf(stage, { client_key: PRODUCTION.client_key })
    await control(stage, 'events', { user: 'mia', app: SANDBOX.client_key, reason: 'disconnected' })

    expect((await userInfo(stage, tokens.access_token, 'open_id')).status).toBe(401)
    expect((await userInfo(stage, other.access_token, 'open_id')).status).toBe(200)
  })

  it('follows a revocation, with the reason of the developer', async () => {
    await revoke(stage, tokens.access_token)

    expect(contents()).toEqual([{ reason: 5 }])
  })

  it('tells nobody of what was never allowed', async () => {
    await control(stage, 'events', { user: 'noah', reason: 'disconnected' })

    expect(received).toEqual([])
  })

  it('can be of any other kind, which changes nothing here', async () => {
    const event = 'post.publish.complete'
    const content = { publish_id: 'p1' }
    await control(stage, 'events', { event, user: 'mia', app: SANDBOX.client_key, content })

    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ event })
    expect(contents()).toEqual([content])
    expect((await userInfo(stage, tokens.access_token, 'open_id')).status).toBe(200)
  })

  it('is only written down for an app without address, ready to be played by a test', async () => {
    await tokensOf(stage, { client_key: PRODUCTION.client_key })
    const events = { user: 'mia', app: PRODUCTION.client_key, reason: 'disconnected' }
    await control(stage, 'events', events)
    const [delivery] = await listed()

    expect(received).toEqual([])
    expect(delivery).toMatchObject({ clientKey: PRODUCTION.client_key, body: expect.any(String) })
    expect(delivery).not.toHaveProperty('nextAttemptAt')
    expect(delivery?.attempts).toMatchObject([{ signature: expect.stringMatching(/^t=\d+,s=/) }])
  })
})

describe('[V19] a webhook that is not answered with 200', () => {
  it.each([201, 204, 302, 401, 500, new Error('connection refused')])(
    'is sent again after %s, ever more rarely, until it arrives',
    async (failure) => {
      answers = [failure, failure, failure]
      await control(stage, 'events', { user: 'mia', reason: 'disconnected' })
      await control(stage, 'clock', { advance: 1000 })

      const [delivery] = await listed()
      const times = delivery?.attempts.map(({ at }) => at - START)
      expect(times).toEqual([0, 10, 20, 40])
      expect(new Set(received.map(({ body }) => body)).size).toBe(1)
      expect(delivery).not.toHaveProperty('nextAttemptAt')
    },
  )

  it('waits while the clock stands still', async () => {
    answers = [500]
    await control(stage, 'events', { user: 'mia', reason: 'disconnected' })
    await control(stage, 'clock', { advance: 9 })
    expect(received).toHaveLength(1)
    await control(stage, 'clock', { advance: 1 })

    expect(received).toHaveLength(2)
  })

  it('is given up after 72 hours', async () => {
    answers = Array.from({ length: 100 }, () => 500)
    await control(stage, 'events', { user: 'mia', reason: 'disconnected' })
    await control(stage, 'clock', { advance: 30 * 24 * 3600 })

    const [delivery] = await listed()
    const last = delivery?.attempts.at(-1)?.at ?? 0
    expect(last - START).toBeLessThanOrEqual(THREE_DAYS)
    expect(last - START).toBeGreaterThan(THREE_DAYS / 2)
    expect(delivery).not.toHaveProperty('nextAttemptAt')
  })

  it.each([
    ['fresh', START + 10],
    ['same', START],
  ])('is signed with the %s time when sent again', async (webhookRetrySignature, time) => {
    await control(stage, 'switches', { webhookRetrySignature })
    answers = [500]
    await control(stage, 'events', { user: 'mia', reason: 'disconnected' })
    await control(stage, 'clock', { advance: 10 })

    expect(received[1]?.signature).toMatch(new RegExp(`^t=${time},`))
    expect(await isRight(received[1])).toBe(true)
  })

  it('is forgotten by a reset', async () => {
    answers = [500]
    await control(stage, 'events', { user: 'mia', reason: 'disconnected' })
    await control(stage, 'reset')
    await control(stage, 'clock', { advance: 1000 })

    expect(received).toHaveLength(1)
  })
})

describe('[V19] a webhook gone wrong by switch', () => {
  it.each([
    ['webhookSignature', 'wrong', false],
    ['webhookSignature', 'several', true],
    ['webhookSignature', 'missing', false],
    ['webhookSignature', 'previous-secret', false],
    ['webhookBody', 'tampered', false],
    ['webhookTimestamp', 'old', true],
    ['webhookClientKey', 'unknown', true],
  ])('has a signature under the right secret or not: %s %s', async (name, value, isTrue) => {
    const { clientSecret } = OTHER_SECRET
    const [sandbox] = appsWithWebhook(ADDRESS)
    await control(stage, 'apps', { ...sandbox, previousSecret: clientSecret })
    await control(stage, 'switches', { [name]: value })
    await control(stage, 'events', { user: 'mia', reason: 'disconnected' })

    expect(await isRight(received[0])).toBe(isTrue)
    const isPrevious = value === 'previous-secret'
    expect(await isRight(received[0], clientSecret)).toBe(isPrevious)
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ event: 'authorization.removed' })
  })

  it('is an hour old', async () => {
    await control(stage, 'switches', { webhookTimestamp: 'old' })
    await control(stage, 'events', { user: 'mia', reason: 'disconnected' })

    expect(received[0]?.signature).toMatch(new RegExp(`^t=${START - 3600},`))
  })

  it("names a key that is nobody's", async () => {
    await control(stage, 'switches', { webhookClientKey: 'unknown' })
    await control(stage, 'events', { user: 'mia', reason: 'disconnected' })

    expect(JSON.parse(received[0]?.body ?? '').client_key).not.toBe(SANDBOX.client_key)
  })

  it('comes twice, letter for letter', async () => {
    await control(stage, 'switches', { webhookCopies: 'two' })
    await control(stage, 'events', { user: 'mia', reason: 'disconnected' })

    expect(received).toHaveLength(2)
    expect(received[1]).toEqual(received[0])
  })
})

const OTHER_SECRET = { clientSecret: 'the secret of yesterday' }

const OTHER_APP = {
  clientKey: PRODUCTION.client_key,
  clientSecret: PRODUCTION.client_secret,
  kind: 'production',
  redirectUris: [{ platform: 'web', uri: 'https://login.example/api/auth/callback/tiktok' }],
}

interface Listed {
  clientKey: string
  attempts: { at: number; signature?: string; status?: number }[]
}

async function listed(): Promise<Listed[]> {
  return jsonOf<Listed[]>(stage.request('http://localhost/__stand-in/events'))
}

function contents(): unknown[] {
  return received.map(({ body }) => JSON.parse(JSON.parse(body).content))
}

/** Verifies as an app would, in steps of its own: WebCrypto's `verify` instead of a second HMAC. */
async function isRight(webhook: Received | undefined, secret = SANDBOX.client_secret) {
  const parts = webhook?.signature?.split(',').map((part) => part.split('=')) ?? []
  const time = parts.find(([name]) => name === 't')?.[1]
  const key = await crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  const message = new TextEncoder().encode(`${time}.${webhook?.body}`)
  const signatures = parts.filter(([name]) => name === 's').map(([, hex = '']) => bytesOf(hex))
  const found = signatures.map((bytes) => crypto.subtle.verify('HMAC', key, bytes, message))
  return (await Promise.all(found)).includes(true)
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
