import type { Child } from 'hono/jsx'
import type { Config } from '../config/config.ts'
import { Layout } from '../pages/layout.tsx'
import { chooseLanguage } from '../pages/messages/choose.ts'
import type { Messages } from '../pages/messages/en.ts'
import { createLanguages } from '../pages/messages/languages.ts'
import { resolveTheme } from '../pages/theme.ts'
import type { AppContext } from './app-env.ts'
import { setPageHeaders } from './security-headers.ts'

interface PageOptions {
  title: string
  status?: number
  /**
   * Where browsers continue by themselves: an address that has been checked. The page must have a
   * link to it.
   */
  continueTo?: string | undefined
  /**
   * The page's form may post to another origin. Chromium applies `form-action` to every redirect
   * after a post too, so it would have to list wherever that origin redirects to.
   */
  postsToOtherOrigin?: boolean
  css?: string
  /** The origins of the page's images, besides those that are part of the page. */
  imageOrigins?: readonly string[]
  script?: string
  /** The language of a page that exists in one language only. */
  messages?: Messages
  /** What precedes the card. */
  header?: Child
}

/** The user's language: the one the app requested, otherwise the browser's. */
export function messagesFor(c: AppContext): Messages {
  const { languages } = appearance(c)
  const requested = (c.req.query('ui_locales') ?? '').replaceAll(' ', ',')
  return chooseLanguage(languages, `${requested},${c.req.header('Accept-Language') ?? ''}`)
}

/** How pages look. A misconfigured deployment has no Config; its error page looks like ours. */
function appearance(c: AppContext): Pick<Config, 'theme' | 'languages' | 'serviceName'> {
  const config: Config | undefined = c.get('config')
  return config ?? { theme: resolveTheme({}), languages: createLanguages({}), serviceName: '' }
}

/** Browsers accept HTML for a page; programs get JSON. */
export function wantsPage(c: AppContext): boolean {
  return c.req.header('Accept')?.includes('text/html') ?? false
}

/**
 * Responds with a page that loads nothing from other origins, except the deployment's logo and
 * images from origins that the page lists, and that cannot be framed or cached.
 */
export async function respondWithPage(
  c: AppContext,
  page: Child,
  options: PageOptions,
): Promise<Response> {
  const { title, status = 200, continueTo, postsToOtherOrigin, css, imageOrigins = [] } = options
  const { script, messages = messagesFor(c), header } = options
  const nonce = crypto.randomUUID()
  const { theme, serviceName } = appearance(c)
  setPageHeaders(
    c,
    [
      "default-src 'none'",
      `style-src 'nonce-${nonce}'`,
      ...(script ? [`script-src 'nonce-${nonce}'`] : []),
      ['img-src data:', ...new Set([...theme.imageOrigins, ...imageOrigins])].join(' '),
      ...(postsToOtherOrigin ? [] : ["form-action 'self'"]),
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; '),
  )
  c.header('Vary', 'Accept-Language, Cookie', { append: true })
  if (continueTo) c.header('Refresh', `0; url=${continueTo}`)
  c.status(status as 200)
  return c.html(
    <Layout
      title={title}
      messages={messages}
      theme={theme}
      serviceName={serviceName}
      nonce={nonce}
      css={css}
      script={script}
      header={header}
    >
      {page}
    </Layout>,
  )
}
