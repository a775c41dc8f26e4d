import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { Messages } from './messages/choose.ts'
import { stylesheet } from './stylesheet.ts'

interface LayoutProps {
  title: string
  messages: Messages
  nonce: string
  /** Rules that only this page needs. */
  css?: string | undefined
  script?: string | undefined
  children?: Child
}

/** The frame of every page a person sees, and its heading. */
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
