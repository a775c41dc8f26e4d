import { Hono } from 'hono'

/** What relying apps have been told, and how they take it. */
const received: { path: string; type: string | undefined; body: string }[] = []
const refusals = new Map<string, number>()

/** The back-channel logout endpoints of relying apps. A test tells them how often to refuse first. */
export const backChannel = new Hono()
  .get('/received', (c) => c.json(received))
  .post('/refuse/:app/:times', (c) => {
    refusals.set(`/${c.req.param('app')}`, Number(c.req.param('times')))
    return c.json({})
  })
  .post('/:app', async (c) => {
    received.push({
      path: c.req.path,
      type: c.req.header('Content-Type'),
      body: await c.req.text(),
    })
    const left = refusals.get(c.req.path) ?? 0
    refusals.set(c.req.path, left - 1)
    return left > 0 ? c.text('Not now', 500) : c.body(null, 200)
  })
