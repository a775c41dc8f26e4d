import { raw } from 'hono/html'
import type { Child, PropsWithChildren } from 'hono/jsx'
import { type App, AppLogo } from './identity.tsx'
import type { Messages } from './messages/en.ts'
import { isRightToLeft } from './messages/languages.ts'
import type { ResolvedTheme, ThemeLogo } from './theme.ts'

type LayoutProps = PropsWithChildren<{
  title: string
  messages: Messages
  theme: ResolvedTheme
  /** The host of this service, by which users recognise it. */
  serviceName: string
  /** The app that the page is about. */
  app: App | undefined
  /** Links to this page in the other languages. */
  languages: readonly LanguageLink[]
  /** Whether the page has lists, which need more room than a sentence and two buttons. */
  isWide: boolean
  /** Allows the inline style and script under the page's Content-Security-Policy. */
  nonce: string
  /** Rules that only this page needs. */
  css: string
  script: string | undefined
  /** What precedes the card. */
  header: Child
}>

export interface LanguageLink {
  language: string
  /** Its own name. */
  name: string
  href: string
}

/** The HTML document around every page; its title is also the heading. */
export function Layout(props: LayoutProps) {
  const { title, messages, theme, serviceName, app, isWide, nonce, css, script } = props
  const { header, children } = props
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
          <main class={isWide ? 'wide' : undefined}>
            {app ? <AppLogo {...app} /> : theme.logo && <Logo {...theme.logo} name={serviceName} />}
            <h1>{title}</h1>
            {children}
          </main>
          <Footer {...props} />
          {script && <script nonce={nonce}>{raw(script)}</script>}
        </body>
      </html>
    </>
  )
}

/** The image of the deployment. Its name is the alternative text if it has none of its own. */
function Logo({ light, dark, alt, name }: ThemeLogo & { name: string }) {
  const image = <img class="logo" src={light} alt={alt ?? name} />
  if (!dark) return image
  return (
    <picture>
      <source srcset={dark} media="(prefers-color-scheme: dark)" />
      {image}
    </picture>
  )
}

/** Who runs this page, what the app's policies are, and in which other languages the page exists. */
function Footer({ messages, theme, serviceName, app, languages }: LayoutProps) {
  const { privacyPolicy, terms, language } = messages.footer
  return (
    <footer>
      {/* At the top of the page is the app's own logo. */}
      {app && theme.logo ? <Logo {...theme.logo} name={serviceName} /> : <span>{serviceName}</span>}
      {app?.policyUri && <a href={app.policyUri}>{privacyPolicy}</a>}
      {app?.termsUri && <a href={app.termsUri}>{terms}</a>}
      {languages.length > 0 && (
        <details>
          <summary>{language}</summary>
          <ul>
            {languages.map((link) => (
              <li>
                <a href={link.href} lang={link.language} hreflang={link.language}>
                  {link.name}
                </a>
              </li>
            ))}
          </ul>
        </details>
      )}
    </footer>
  )
}
