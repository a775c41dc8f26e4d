import type { Child } from 'hono/jsx'
import { Layout } from '../pages/layout.tsx'
import { chooseMessages } from '../pages/messages/choose.ts'
import type { Messages } from '../pages/messages/en.ts'
import type { AppContext } from './app-env.ts'
import { setPageHeaders } from './security-headers.ts'

interface PageOptions {
  title: string
  status?: number
  /** The origins that the page's forms lead to. Chromium also checks every redirect after a post. */
  formTargets?: readonly string[]
  css?: string
  script?: string
}

/** The user's language: the one the app requested, otherwise the browser's. */
export function messagesFor(c: AppContext): Messages {
  const requested = (c.req.query('ui_locales') ?? '').replaceAll(' ', ',')
  return chooseMessages(`${requested},${c.req.header('Accept-Language') ?? ''}`)
}

/** Browsers accept HTML for a page; programs get JSON. */
export function wantsPage(c: AppContext): boolean {
  return c.req.header('Accept')?.includes('text/html') ?? false
}

/** Responds with a page that loads nothing from other origins and cannot be framed or cached. */
export function respondWithPage(
  c: AppContext,
  page: Child,
  { title, status = 200, formTargets = [], css, script }: PageOptions,
): Response | Promise<Response> {
  const nonce = crypto.randomUUID()
  setPageHeaders(
    c,
    [
      "default-src 'none'",
      `style-src 'nonce-${nonce}'`,
      ...(script ? [`script-src 'nonce-${nonce}'`] : []),
      'img-src data:',
      `form-action ${["'self'", ...formTargets].join(' ')}`,
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; '),
  )
  c.header('Vary', 'Accept-Language, Cookie', { append: true })
  c.status(status as 200)
  return c.html(
    <Layout title={title} messages={messagesFor(c)} nonce={nonce} css={css} script={script}>
      {page}
    </Layout>,
  )
}
