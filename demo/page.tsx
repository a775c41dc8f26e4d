import { createMiddleware } from 'hono/factory'
import { raw } from 'hono/html'
import type { Child, FC } from 'hono/jsx'

interface PageProps {
  title: string
  stylesheet: string
  children?: Child
}

/** A whole page of a demo app. It works without JavaScript, and asks nobody but its services. */
export const Page: FC<PageProps> = ({ title, stylesheet, children }) => (
  <>
    {raw('<!doctype html>')}
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        <style>{raw(stylesheet)}</style>
      </head>
      <body>{children}</body>
    </html>
  </>
)

/** Lets a page load its own stylesheet and the platform's pictures, and its forms lead to the login service. */
export function pageHeaders(stylesheet: string) {
  return createMiddleware<{ Bindings: { AUTH_URL: string; PICTURES_URL: string } }>(
    async (c, next) => {
      await next()

      const policy = [
        "default-src 'none'",
        `style-src '${await hashOf(stylesheet)}'`,
        `img-src data: ${c.env.PICTURES_URL}`,
        // Chromium also checks where a form's answer redirects to: sign-out goes on at the login service.
        `form-action 'self' ${c.env.AUTH_URL}`,
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ]
      c.header('Content-Security-Policy', policy.join('; '))
      c.header('Cache-Control', 'no-store')
      c.header('X-Content-Type-Options', 'nosniff')
      // Not `no-referrer`: browsers would then send `Origin: null` with the sign-out form.
      c.header('Referrer-Policy', 'strict-origin')
    },
  )
}

async function hashOf(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}`
}
