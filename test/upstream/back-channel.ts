import { Hono } from 'hono'
import { decodeJwt } from 'jose'
import { Webhook } from 'standardwebhooks'

/** The logout notifications that relying apps have received. */
const received: { path: string; sid: unknown; type: string | undefined; body: string }[] = []

/** The events that webhooks have received, by the name of the webhook. */
const events = new Map<string, ReceivedEvent[]>()

interface ReceivedEvent {
  headers: Record<string, string>
  body: string
}

/**
 * How the app `web` responds to the notification about a session, or a webhook to all events or
 * those of one type. By session or webhook, so that tests do not interfere.
 */
const behaviours = new Map<unknown, string>()

/**
 * Longer than the service may wait for a response, in milliseconds. The timers keep no test run
 * alive.
 */
const TOO_LONG = 20_000

/** Within the timeout, and long enough for something else to happen meanwhile. */
const SLOW_RESPONSE = 1_500

/**
 * The back-channel logout endpoints and webhooks of relying apps, and a control interface to make
 * them misbehave.
 */
export const backChannel = new Hono()
  .get('/received', (c) => c.json(received))
  .post('/order/:sid/:how', (c) => {
    behaviours.set(c.req.param('sid'), c.req.param('how'))
    return c.json({})
  })
  // Events, which are recorded with their headers.
  .get('/events/:name', (c) => c.json(events.get(c.req.param('name')) ?? []))
  .get('/events/:name/verified', (c) => {
    const secret = c.req.header('secret') ?? ''
    try {
      const received = events.get(c.req.param('name')) ?? []
      return c.json(received.map((request) => verifyEvent(secret, request)))
    } catch (error) {
      return c.text(String(error), 400)
    }
  })
  .post('/events/:name', async (c) => {
    const name = c.req.param('name')
    const body = await c.req.text()
    const headers = Object.fromEntries(c.req.raw.headers)
    events.set(name, [...(events.get(name) ?? []), { headers, body }])
    const { type } = JSON.parse(body) as { type: string }
    return respond(behaviours.get(`${name} ${type}`) ?? behaviours.get(name))
  })
  .post('/:app', async (c) => {
    const body = await c.req.text()
    const { sid } = decodeJwt(new URLSearchParams(body).get('logout_token') ?? '')
    received.push({ path: c.req.path, sid, type: c.req.header('Content-Type'), body })
    return c.req.path === '/web' ? respond(behaviours.get(sid)) : c.body(null, 200)
  })

/** Verifies an event as its receiver does, at the time of the request, because tests move their clock. */
function verifyEvent(secret: string, { headers, body }: ReceivedEvent) {
  const now = Date.now
  Date.now = () => Number(headers['webhook-timestamp']) * 1000
  try {
    const event = new Webhook(secret).verify(body, headers) as object
    return { id: headers['webhook-id'], ...event }
  } finally {
    Date.now = now
  }
}

async function respond(behaviour: string | undefined): Promise<Response> {
  if (behaviour && /^\d+$/.test(behaviour)) {
    const Location = 'https://told.example/elsewhere'
    return new Response(null, { status: Number(behaviour), headers: { Location } })
  }
  if (behaviour?.startsWith('slow')) {
    await new Promise((resolve) => setTimeout(resolve, SLOW_RESPONSE))
  }
  if (behaviour === 'slow-500') return new Response(null, { status: 500 })
  if (behaviour === 'hang') await new Promise((resolve) => setTimeout(resolve, TOO_LONG).unref())
  return new Response(behaviour === 'flood' ? slowStream() : null)
}

/** Sends a few kilobytes at a time, for longer than the service may read. */
function slowStream(): ReadableStream<Uint8Array> {
  const end = Date.now() + TOO_LONG
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 10).unref())
      if (Date.now() < end) controller.enqueue(new Uint8Array(16 * 1024))
      else controller.close()
    },
  })
}
