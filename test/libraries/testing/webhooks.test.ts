import { beforeEach, describe, expect, it } from 'vitest'
import { createVideoPlatform } from '../../../src/libraries/testing/video-platform/app.ts'
import { appsWithWebhook } from '../../../src/libraries/testing/video-platform/apps.ts'
import { signWebhook } from '../../../src/libraries/testing/video-platform/webhook-event.ts'
import {
  authorizeUrl,
  control,
  fetchUserInfo,
  obtainTokens,
  PRODUCTION,
  readControl,
  revokeToken,
  SANDBOX,
  type StandIn,
  type Tokens,
  WEB_CALLBACK,
  WEBHOOK_URL,
} from './client.ts'

const START = 1_800_000_000 // seconds
const RETRY_PERIOD = 72 * 3600 // seconds

interface Received {
  url: string
  contentType: string | null
  signature: string | null
  body: string
}

let standIn: StandIn
let tokens: Tokens
let received: Received[]
/** The app's next responses: a status, or an error. After that, it responds with 200. */
let responses: (number | Error)[]

beforeEach(async () => {
  received = []
  responses = []
  standIn = createVideoPlatform({
    apps: appsWithWebhook(WEBHOOK_URL),
    clock: () => START * 1000,
    send: receiveWebhook,
  })
  tokens = await obtainTokens(standIn)
})

async function receiveWebhook(request: Request): Promise<Response> {
  received.push({
    url: request.url,
    contentType: request.headers.get('Content-Type'),
    signature: request.headers.get('TikTok-Signature'),
    body: await request.text(),
  })
  const response = responses.shift() ?? 200
  if (typeof response !== 'number') throw response
  return new Response(null, { status: response })
}

describe('[V19] a webhook', () => {
  it('is signed as documented: the HMAC of time, dot and body with the client secret', async () => {
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

  it('reports that a user disconnected the app, in five fields, the last of which contains JSON', async () => {
    await control(standIn, 'events', { user: 'mia', reason: 'disconnected' })

    expect(received).toMatchObject([{ url: WEBHOOK_URL, contentType: 'application/json' }])
    expect(received[0]?.body).toBe(
      `{"client_key":"${SANDBOX.client_key}","event":"authorization.removed","create_time":${START},"user_openid":"${tokens.open_id}","content":"{\\"reason\\":1}"}`,
    )
    expect(await isSignedCorrectly(received[0])).toBe(true)
  })

  it.each([
    ['unknown', 0],
    ['disconnected', 1],
    ['account-deleted', 2],
    ['age-changed', 3],
    ['account-banned', 4],
    ['revoked', 5],
  ])('reports the reason %s as %i, after the tokens were revoked', async (reason, number) => {
    await control(standIn, 'events', { user: 'mia', reason })

    expect(readContents()).toEqual([{ reason: number }])
    expect((await fetchUserInfo(standIn, tokens.access_token, 'open_id')).status).toBe(401)
  })

  it.each([
    ['account-deleted', 'data-testid="persona-noah"'],
    ['age-changed', 'not+eligible'],
    ['account-banned', 'not+eligible'],
  ])(
    'is sent to every app when an account is lost (%s), and the account can no longer log in',
    async (reason, expected) => {
      await control(standIn, 'apps', { ...OTHER_APP, webhookUrl: 'https://other.example/hook' })
      await obtainTokens(standIn, { client_key: PRODUCTION.client_key })
      await control(standIn, 'events', { user: 'mia', app: SANDBOX.client_key, reason })

      const urls = received.map(({ url }) => url)
      expect(urls.sort()).toEqual([WEBHOOK_URL, 'https://other.example/hook'])
      const page = await standIn.request(authorizeUrl({ __as: 'mia' }))
      const location = page.headers.get('Location')?.replaceAll('%20', '+')
      expect(location ?? (await page.text())).toContain(expected)
    },
  )

  it('is sent to one app only when one is disconnected', async () => {
    const other = await obtainTokens(standIn, { client_key: PRODUCTION.client_key })
    await control(standIn, 'events', {
      user: 'mia',
      app: SANDBOX.client_key,
      reason: 'disconnected',
    })

    expect((await fetchUserInfo(standIn, tokens.access_token, 'open_id')).status).toBe(401)
    expect((await fetchUserInfo(standIn, other.access_token, 'open_id')).status).toBe(200)
  })

  it('follows a revocation by the app, with reason 5', async () => {
    await revokeToken(standIn, tokens.access_token)

    expect(readContents()).toEqual([{ reason: 5 }])
  })

  it('is not sent without a grant', async () => {
    await control(standIn, 'events', { user: 'noah', reason: 'disconnected' })

    expect(received).toEqual([])
  })

  it('can be any other event, which has no effect in the stand-in', async () => {
    const event = 'post.publish.complete'
    const content = { publish_id: 'p1' }
    await control(standIn, 'events', { event, user: 'mia', app: SANDBOX.client_key, content })

    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ event })
    expect(readContents()).toEqual([content])
    expect((await fetchUserInfo(standIn, tokens.access_token, 'open_id')).status).toBe(200)
  })

  it('is stored but not sent for an app without a webhook address', async () => {
    await obtainTokens(standIn, { client_key: PRODUCTION.client_key })
    const event = { user: 'mia', app: PRODUCTION.client_key, reason: 'disconnected' }
    await control(standIn, 'events', event)
    const [delivery] = await readDeliveries()

    expect(received).toEqual([])
    expect(delivery).toMatchObject({ clientKey: PRODUCTION.client_key, body: expect.any(String) })
    expect(delivery).not.toHaveProperty('nextAttemptAt')
    expect(delivery?.attempts).toMatchObject([{ signature: expect.stringMatching(/^t=\d+,s=/) }])
  })
})

describe('[V19] a webhook whose response is not 200', () => {
  it.each([201, 204, 302, 401, 500, new Error('connection refused')])(
    'is sent again after %s, with growing pauses, until it is delivered',
    async (failure) => {
      responses = [failure, failure, failure]
      await control(standIn, 'events', { user: 'mia', reason: 'disconnected' })
      await control(standIn, 'clock', { advance: 1000 })

      const [delivery] = await readDeliveries()
      const times = delivery?.attempts.map(({ at }) => at - START)
      expect(times).toEqual([0, 10, 20, 40])
      expect(new Set(received.map(({ body }) => body)).size).toBe(1)
      expect(delivery).not.toHaveProperty('nextAttemptAt')
    },
  )

  it('is not sent again before its time', async () => {
    responses = [500]
    await control(standIn, 'events', { user: 'mia', reason: 'disconnected' })
    await control(standIn, 'clock', { advance: 9 })
    expect(received).toHaveLength(1)
    await control(standIn, 'clock', { advance: 1 })

    expect(received).toHaveLength(2)
  })

  it('is not sent again after 72 hours', async () => {
    responses = Array.from({ length: 100 }, () => 500)
    await control(standIn, 'events', { user: 'mia', reason: 'disconnected' })
    await control(standIn, 'clock', { advance: 30 * 24 * 3600 })

    const [delivery] = await readDeliveries()
    const last = delivery?.attempts.at(-1)?.at ?? 0
    expect(last - START).toBeLessThanOrEqual(RETRY_PERIOD)
    expect(last - START).toBeGreaterThan(RETRY_PERIOD / 2)
    expect(delivery).not.toHaveProperty('nextAttemptAt')
  })

  it.each([
    ['fresh', START + 10],
    ['same', START],
  ])('is sent again with the %s signature', async (webhookRetrySignature, time) => {
    await control(standIn, 'switches', { webhookRetrySignature })
    responses = [500]
    await control(standIn, 'events', { user: 'mia', reason: 'disconnected' })
    await control(standIn, 'clock', { advance: 10 })

    expect(received[1]?.signature).toMatch(new RegExp(`^t=${time},`))
    expect(await isSignedCorrectly(received[1])).toBe(true)
  })

  it('is deleted by a reset', async () => {
    responses = [500]
    await control(standIn, 'events', { user: 'mia', reason: 'disconnected' })
    await control(standIn, 'reset')
    await control(standIn, 'clock', { advance: 1000 })

    expect(received).toHaveLength(1)
  })
})

describe('[V19] a webhook made faulty by a switch', () => {
  it.each([
    ['webhookSignature', 'wrong', false],
    ['webhookSignature', 'several', true],
    ['webhookSignature', 'missing', false],
    ['webhookSignature', 'previous-secret', false],
    ['webhookBody', 'tampered', false],
    ['webhookTimestamp', 'old', true],
    ['webhookClientKey', 'unknown', true],
  ])('has a correct signature or not: %s %s', async (name, value, isCorrect) => {
    const [sandbox] = appsWithWebhook(WEBHOOK_URL)
    await control(standIn, 'apps', { ...sandbox, previousSecret: PREVIOUS_SECRET })
    await control(standIn, 'switches', { [name]: value })
    await control(standIn, 'events', { user: 'mia', reason: 'disconnected' })

    expect(await isSignedCorrectly(received[0])).toBe(isCorrect)
    const isPrevious = value === 'previous-secret'
    expect(await isSignedCorrectly(received[0], PREVIOUS_SECRET)).toBe(isPrevious)
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ event: 'authorization.removed' })
  })

  it('has a signature that is an hour old', async () => {
    await control(standIn, 'switches', { webhookTimestamp: 'old' })
    await control(standIn, 'events', { user: 'mia', reason: 'disconnected' })

    expect(received[0]?.signature).toMatch(new RegExp(`^t=${START - 3600},`))
  })

  it('contains an unknown client key', async () => {
    await control(standIn, 'switches', { webhookClientKey: 'unknown' })
    await control(standIn, 'events', { user: 'mia', reason: 'disconnected' })

    expect(JSON.parse(received[0]?.body ?? '').client_key).not.toBe(SANDBOX.client_key)
  })

  it('is sent twice without a difference', async () => {
    await control(standIn, 'switches', { webhookCopies: 'two' })
    await control(standIn, 'events', { user: 'mia', reason: 'disconnected' })

    expect(received).toHaveLength(2)
    expect(received[1]).toEqual(received[0])
  })
})

const PREVIOUS_SECRET = 'the previous client secret'

const OTHER_APP = {
  clientKey: PRODUCTION.client_key,
  clientSecret: PRODUCTION.client_secret,
  kind: 'production',
  redirectUris: [{ platform: 'web', uri: WEB_CALLBACK }],
}

interface Delivery {
  clientKey: string
  attempts: { at: number; signature?: string; status?: number }[]
}

function readDeliveries(): Promise<Delivery[]> {
  return readControl<Delivery[]>(standIn, 'events')
}

function readContents(): unknown[] {
  return received.map(({ body }) => JSON.parse(JSON.parse(body).content))
}

/** Verifies the signature as an app would, independently of the code that created it. */
async function isSignedCorrectly(webhook: Received | undefined, secret = SANDBOX.client_secret) {
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
  const signatures = parts.filter(([name]) => name === 's').map(([, hex = '']) => decodeHex(hex))
  const results = signatures.map((bytes) => crypto.subtle.verify('HMAC', key, bytes, message))
  return (await Promise.all(results)).includes(true)
}

function decodeHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
