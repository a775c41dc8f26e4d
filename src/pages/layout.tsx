import { raw } from 'hono/html'
import type { Child, PropsWithChildren } from 'hono/jsx'
import type { Messages } from './messages/en.ts'
import { isRightToLeft } from './messages/languages.ts'
import type { ResolvedTheme, ThemeLogo } from './theme.ts'

type LayoutProps = PropsWithChildren<{
  title: string
  messages: Messages
  theme: ResolvedTheme
  /** The alternative text of a logo that has none of its own. */
  serviceName: string
  /** Allows the inline style and script under the page's Content-Security-Policy. */
  nonce: string
  /** Rules that only this page needs. */
  css?: string | undefined
  script?: string | undefined
  /** What precedes the card. */
  header?: Child
}>

/** The HTML document around every page; its title is also the heading. */
export function Layout(props: LayoutProps) {
  const { title, messages, theme, serviceName, nonce, css = '', script, header, children } = props
  return (
    <>
      {raw('<!doctype html>')}
      <html lang={messages.language} dir={isRightToLeft(messages.language) ? 'rtl' : undefined}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <title>{title}</title>
          {/* Without an icon, browsers request /favicon.ico. */}
          <link rel="icon" href="data:," />
          <style nonce={nonce}>{raw(theme.stylesheet + css + theme.css)}</style>
        </head>
        <body>
          {header}
          <main>
            {theme.logo && <Logo logo={theme.logo} serviceName={serviceName} />}
            <h1>{title}</h1>
            {children}
          </main>
          {script && <script nonce={nonce}>{raw(script)}</script>}
        </body>
      </html>
    </>
  )
}

function Logo({ logo, serviceName }: { logo: ThemeLogo; serviceName: string }) {
  const image = <img class="logo" src={logo.light} alt={logo.alt ?? serviceName} />
  if (!logo.dark) return image
  return (
    <picture>
      <source srcset={logo.dark} media="(prefers-color-scheme: dark)" />
      {image}
    </picture>
  )
}
