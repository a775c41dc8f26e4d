import { raw } from 'hono/html'
import type { PropsWithChildren } from 'hono/jsx'
import type { Messages } from './messages/en.ts'
import { stylesheet } from './stylesheet.ts'

type LayoutProps = PropsWithChildren<{
  title: string
  messages: Messages
  /** Allows the inline style and script under the page's Content-Security-Policy. */
  nonce: string
  /** Rules that only this page needs. */
  css?: string | undefined
  script?: string | undefined
}>

/** The HTML document around every page; its title is also the heading. */
export function Layout({ title, messages, nonce, css = '', script, children }: LayoutProps) {
  return (
    <>
      {raw('<!doctype html>')}
      <html lang={messages.language}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <title>{title}</title>
          {/* Without an icon, browsers request /favicon.ico. */}
          <link rel="icon" href="data:," />
          <style nonce={nonce}>{raw(stylesheet + css)}</style>
        </head>
        <body>
          <main>
            <h1>{title}</h1>
            {children}
          </main>
          {script && <script nonce={nonce}>{raw(script)}</script>}
        </body>
      </html>
    </>
  )
}
