import { every } from 'hono/combine'
import { createMiddleware } from 'hono/factory'
import { raw } from 'hono/html'
import type { Child, FC } from 'hono/jsx'
import { type ContentSecurityPolicyOptionHandler, secureHeaders } from 'hono/secure-headers'

interface PageProps {
  title: string
  /** The page's styles: a `<link>` or a `<style>` element. */
  styles: Child
  children?: Child
}

/** A complete HTML document. It loads nothing from the internet. */
export const Page: FC<PageProps> = ({ title, styles, children }) => (
  <>
    {raw('<!doctype html>')}
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        {styles}
      </head>
      <body>{children}</body>
    </html>
  </>
)

/** What the scripts of a page may do. Without it, the page has none. */
type ScriptPolicy = Partial<
  Record<'scriptSrc' | 'connectSrc', (string | ContentSecurityPolicyOptionHandler)[]>
>

const preventCaching = createMiddleware(async (c, next) => {
  await next()
  c.header('Cache-Control', 'no-store')
})

/**
 * The response headers of a demo app. The app's settings must include `AUTH_URL` and
 * `PICTURES_URL`.
 */
export function pageHeaders(policy: ScriptPolicy = {}) {
  const securityHeaders = secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:', (c) => c.env.PICTURES_URL],
      // Chromium applies form-action to redirects too, and sign-out redirects to the login service.
      formAction: ["'self'", (c) => c.env.AUTH_URL],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
      ...policy,
    },
    xFrameOptions: 'DENY',
    // Not `no-referrer`: browsers would then send `Origin: null` with the sign-out form.
    referrerPolicy: 'strict-origin',
  })
  return every(securityHeaders, preventCaching)
}
