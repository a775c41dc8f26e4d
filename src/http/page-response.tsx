import type { Child } from 'hono/jsx'
import { Layout } from '../pages/layout.tsx'
import { chooseMessages } from '../pages/messages/choose.ts'
import type { Messages } from '../pages/messages/en.ts'
import type { AppContext } from './app-env.ts'
import { HARDENED_PAGE } from './security-headers.ts'

interface PageOptions {
  title: string
  status?: number
  /** Where the forms of this page may lead. Chromium checks each redirect after a post, too. */
  formTargets?: readonly string[]
  css?: string
  /** The one page that goes on by itself has a line of script. */
  script?: string
}

/** What this person reads: as the app that sent them knows it, else by their browser's settings. */
export function messagesFor(c: AppContext): Messages {
  const wished = (c.req.query('ui_locales') ?? '').replaceAll(' ', ',')
  return chooseMessages(`${wished},${c.req.header('Accept-Language') ?? ''}`)
}

/** Browsers that show a page say so; programs take JSON. */
export function wantsPage(c: AppContext): boolean {
  return c.req.header('Accept')?.includes('text/html') ?? false
}

/** Answers with a page: no script but its own, no foreign request, no frame, no cache. */
export function respondWithPage(
  c: AppContext,
  page: Child,
  options: PageOptions,
): Response | Promise<Response> {
  const nonce = crypto.randomUUID()
  const scripts = options.script ? ` script-src 'nonce-${nonce}';` : ''
  const formAction = ["'self'", ...(options.formTargets ?? [])].join(' ')
  c.header(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'nonce-${nonce}';${scripts} img-src data:; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`,
  )
  c.header('Vary', 'Accept-Language, Cookie', { append: true })
  for (const [name, value] of Object.entries(HARDENED_PAGE)) c.header(name, value)
  c.status((options.status ?? 200) as 200)
  return c.html(
    <Layout
      title={options.title}
      messages={messagesFor(c)}
      nonce={nonce}
      css={options.css}
      script={options.script}
    >
      {page}
    </Layout>,
  )
}
