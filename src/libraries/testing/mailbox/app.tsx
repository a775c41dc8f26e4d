import { Hono } from 'hono'
import { raw } from 'hono/html'
import * as z from 'zod/mini'
import { Page } from '../page.tsx'

/** More are not needed to see what the login service sends. */
const MAX_MESSAGES = 50

const LOOPBACK = /^(localhost|[a-z0-9-]+\.localhost|127\.0\.0\.1|\[::1\])$/

const message = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  url: z.string(),
})

type Message = z.infer<typeof message> & { receivedAt: string }

/** The frames of messages have no policy of their own. Nothing in them is loaded or run. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'"

/** A mailbox for all addresses: it shows the messages that the login service would send. */
export function createMailbox(): Hono {
  const messages: Message[] = []
  return new Hono()
    .basePath('/mailbox')
    .use(async (c, next) => {
      if (!LOOPBACK.test(new URL(c.req.url).hostname)) {
        return c.text('The mailbox is available at loopback addresses only.', 403)
      }
      await next()
      c.header('Cache-Control', 'no-store')
      c.header('Content-Security-Policy', PAGE_POLICY)
      return undefined
    })
    .get('/', (c) => c.html(<MailboxPage messages={messages} />))
    .get('/messages', (c) => c.json(messages))
    .post('/messages', async (c) => {
      const received = message.parse(await c.req.json())
      messages.unshift({ ...received, receivedAt: new Date().toISOString() })
      messages.splice(MAX_MESSAGES)
      return c.body(null, 204)
    })
}

function MailboxPage({ messages }: { messages: readonly Message[] }) {
  return (
    <Page title="Mailbox" styles={<style>{raw(STYLESHEET)}</style>}>
      <header>
        <h1>Mailbox</h1>
        <a href="/mailbox">Check for new messages</a>
      </header>
      <main>
        {messages.length === 0 && (
          <p>
            No messages yet. Enter any address on the sign-in page, such as mia@example.com: what
            the login service sends appears here.
          </p>
        )}
        {messages.map(({ to, subject, html, receivedAt }) => (
          <article>
            <h2 dir="auto">{subject}</h2>
            <p class="muted">
              To {to} · {receivedAt.slice(11, 19)} UTC
            </p>
            <iframe
              title={subject}
              sandbox="allow-top-navigation-by-user-activation"
              srcdoc={html.replace('<head>', '<head><base target="_top">')}
            />
          </article>
        ))}
      </main>
    </Page>
  )
}

const STYLESHEET = `
:root { color-scheme: light dark; --border: #d5d5dc; --muted: #62626c; }
@media (prefers-color-scheme: dark) { :root { --border: #3a3a42; --muted: #a8a8b3; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 44rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 1rem; }
article { margin-block: 1.5rem; padding: 1rem; border: 1px solid var(--border); border-radius: .75rem; }
h1, h2, p { margin: 0 0 .5rem; }
h2 { font-size: 1.125rem; }
.muted { color: var(--muted); font-size: .875rem; }
iframe { width: 100%; height: 36rem; border: 0; }
`
