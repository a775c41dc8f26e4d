import { every } from 'hono/combine'
import { createMiddleware } from 'hono/factory'
import { type ContentSecurityPolicyOptionHandler, secureHeaders } from 'hono/secure-headers'

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
