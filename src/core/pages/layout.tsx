import { raw } from 'hono/html'
import type { Child, PropsWithChildren } from 'hono/jsx'
import { isolateTextDirection } from '../../foundation/values/isolate-text-direction.ts'
import type { ThemeLogo } from '../config/theme.ts'
import type { Language } from '../messages/languages.ts'
import type { Messages } from '../messages/messages.ts'
import { isRightToLeft } from '../messages/right-to-left.ts'
import { HiddenFields } from './form-button.tsx'
import { type App, AppLogo } from './identity.tsx'
import pageScript from './page-script.txt'
import { languageCss } from './stylesheet.ts'
import type { ResolvedTheme } from './theme.ts'

type LayoutProps = PropsWithChildren<{
  title: string
  messages: Messages
  theme: ResolvedTheme
  /** The host of this service, by which users recognise it. */
  serviceName: string
  /** The app that the page is about. */
  app: App | undefined
  /** Absent on a page that cannot be opened again. */
  languageSwitch: LanguageSwitch | undefined
  /** What the page reports: that something was done, or that it has failed. */
  outcome: Outcome | undefined
  /** Whether the page has lists, which need more room than a sentence and two buttons. */
  isWide: boolean
  /** Whether browsers leave the page at once, so that it is shown only if they take long. */
  isLeaving: boolean
  /** Whether the page is only looked at, inside another one. */
  isInert?: boolean
  /** Allows the inline style and script under the page's Content-Security-Policy. */
  nonce: string
  /** The colours of providers and of the app, and the rules of the console on its pages. */
  css: string
  script: string | undefined
  /** What precedes the card. */
  header: Child
  /** Contains the heading of a page that has more in it than the title. */
  heading?: Child
}>

export type Outcome = 'done' | 'failed'

/** Opens the same page in another language. */
export interface LanguageSwitch {
  languages: readonly Pick<Language, 'tag' | 'name'>[]
  /** The path at which the page is shown again, if not that of the page itself. */
  action: string | undefined
  /** The parameters of its query. */
  fields: readonly (readonly [name: string, value: string])[]
  /** The name of the parameter with the language. */
  parameter: string
}

/** The HTML document around every page; its title is also the heading, unless that is given. */
export function Layout(props: LayoutProps) {
  const { title, messages, theme, app, isInert, nonce, css, script } = props
  const { header, heading = <h1>{title}</h1>, children } = props
  return (
    <>
      {raw('<!doctype html>')}
      <html lang={messages.language} dir={isRightToLeft(messages.language) ? 'rtl' : undefined}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex, nofollow" />
          <title>{title}</title>
          {/* Without an icon, browsers request /favicon.ico. */}
          <link rel="icon" href={app?.logo ?? theme.logo?.light ?? 'data:,'} />
          <style nonce={nonce}>
            {raw(theme.stylesheet + languageCss(messages.language, theme.font) + css + theme.css)}
          </style>
        </head>
        <body inert={isInert}>
          {header}
          <main id={header === undefined ? undefined : 'main'} class={mainClass(props)}>
            <Marks {...props} />
            {heading}
            {children}
          </main>
          <Footer {...props} />
          <script nonce={nonce}>{raw(pageScript)}</script>
          {/* A browser that cannot compile the first script still runs this one. */}
          {script && <script nonce={nonce}>{raw(script)}</script>}
        </body>
      </html>
    </>
  )
}

function mainClass({ isWide, isLeaving }: LayoutProps): string | undefined {
  return isLeaving ? 'leaving' : isWide ? 'wide' : undefined
}

/** The logo of the app or the deployment, and the mark of what the page reports. */
function Marks({ theme, serviceName, app, outcome }: LayoutProps) {
  const logo = app ? (
    <AppLogo {...app} />
  ) : (
    theme.logo && <Logo {...theme.logo} name={serviceName} />
  )
  if (!outcome) return <>{logo}</>
  return (
    <div class="row">
      {logo}
      <OutcomeMark outcome={outcome} />
    </div>
  )
}

/** The title of the page says the same. */
function OutcomeMark({ outcome }: { outcome: Outcome }) {
  return (
    <span class={`outcome ${outcome}`}>
      <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
        <path d={outcome === 'done' ? 'm5 13 5 5 9-11' : 'm6 6 12 12m0-12L6 18'} />
      </svg>
    </span>
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

/** Who runs this page, what the app's policies are, and the language switch. */
function Footer({ messages, theme, serviceName, app, languageSwitch }: LayoutProps) {
  const name = isolateTextDirection(app?.name ?? '')
  return (
    <footer>
      {/* At the top of the page is the app's own logo. */}
      {app && theme.logo ? <Logo {...theme.logo} name={serviceName} /> : <span>{serviceName}</span>}
      {app?.policyUri && (
        <a href={app.policyUri}>{messages.t('footer.privacyPolicy', { app: name })}</a>
      )}
      {app?.termsUri && <a href={app.termsUri}>{messages.t('footer.terms', { app: name })}</a>}
      {languageSwitch && <LanguageMenu messages={messages} {...languageSwitch} />}
    </footer>
  )
}

/**
 * A form, because twelve links would repeat the query of the page. The globe is for users who
 * cannot read the current language.
 */
function LanguageMenu(props: LanguageSwitch & { messages: Messages }) {
  const { messages, languages, action, fields, parameter } = props
  return (
    <details>
      <summary>
        <svg viewBox="0 0 16 16" role="img" aria-label={messages.t('footer.language')}>
          <path d="M8 1a7 7 0 0 0 0 14A7 7 0 0 0 8 1C4 5 4 11 8 15 12 11 12 5 8 1M1 8h14" />
        </svg>
        {messages.t('languageName')}
      </summary>
      <form action={action}>
        <HiddenFields fields={fields} />
        {languages.map(({ tag, name }) => (
          <button
            type="submit"
            name={parameter}
            value={tag}
            lang={tag}
            aria-current={tag === messages.language ? 'true' : undefined}
          >
            {name}
          </button>
        ))}
      </form>
    </details>
  )
}
