import { Hono } from 'hono'
import { decodeJwt } from 'jose'

/** What relying apps have been told, and how they take it. */
const received: { path: string; sid: unknown; type: string | undefined; body: string }[] = []

/** How an app takes the notice about one session, so that no other test is in the way. */
const orders = new Map<unknown, string>()

/** Longer than anybody should wait; and no test run waits for it. */
const TWENTY_SECONDS = 20_000

/** The back-channel logout endpoints of relying apps. A test tells them how to misbehave. */
export const backChannel = new Hono()
  .get('/received', (c) => c.json(received))
  .post('/order/:sid/:how', (c) => {
    orders.set(c.req.param('sid'), c.req.param('how'))
    return c.json({})
  })
  .post('/:app', async (c) => {
    const body = await c.req.text()
    const { sid } = decodeJwt(new URLSearchParams(body).get('logout_token') ?? '')
    received.push({ path: c.req.path, sid, type: c.req.header('Content-Type'), body })
    // The other app of the session behaves.
    return c.req.path === '/web' ? misbehave(orders.get(sid)) : c.body(null, 200)
  })

async function misbehave(how: string | undefined): Promise<Response> {
  if (how && /^\d+$/.test(how)) {
    const Location = 'https://told.example/elsewhere'
    return new Response(null, { status: Number(how), headers: { Location } })
  }
  if (how === 'hang') await new Promise((resolve) => setTimeout(resolve, TWENTY_SECONDS).unref())
  return new Response(how === 'flood' ? endless() : null)
}

/** Some kilobytes at a time, for longer than anybody should read. */
function endless(): ReadableStream<Uint8Array> {
  const end = Date.now() + TWENTY_SECONDS
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 10).unref())
      if (Date.now() < end) controller.enqueue(new Uint8Array(16 * 1024))
      else controller.close()
    },
  })
}
