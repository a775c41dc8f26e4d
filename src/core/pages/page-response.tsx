import type { Child } from 'hono/jsx'
import type { NamedUser } from '../../foundation/errors/sign-in-error.ts'
import { hasPlainHost, isHttpsImageUrl } from '../../foundation/values/image-url.ts'
import { isLoopback } from '../../foundation/values/loopback.ts'
import type { Config } from '../config/config.ts'
import type { AppContext } from '../http/app-env.ts'
import { setPageHeaders } from '../http/security-headers.ts'
import { chooseLanguage } from '../messages/choose.ts'
import { createLanguages } from '../messages/languages.ts'
import type { Messages } from '../messages/messages.ts'
import type { Client } from '../registration-schemas/clients.ts'
import type { App, ShownUser } from './identity.tsx'
import { type LanguageSwitch, Layout, type Outcome } from './layout.tsx'
import type { PagePart } from './page-part.ts'
import { readPreference, setPreference } from './preferences.ts'
import { providerRules } from './stylesheet.ts'
import { brandCss, type ResolvedTheme, resolveTheme } from './theme.ts'

interface PageOptions {
  title: string
  status?: number
  /**
   * Where browsers continue by themselves: a URL that has been checked. The page must have a
   * link to it.
   */
  continueTo?: string | undefined
  /**
   * The page's form may post to another origin. Chromium applies `form-action` to every redirect
   * after a post too, so it would have to list wherever that origin redirects to.
   */
  postsToOtherOrigin?: boolean
  /** Rules of this page only. */
  css?: string
  /** The URLs of the page's images, besides the logos of the deployment and the app. */
  images?: readonly (string | undefined)[]
  script?: string | undefined
  /** Whether the script sends requests to this service. */
  connects?: boolean | undefined
  /**
   * The app that the page is about, if not the one of the interaction. Its logo and colour replace
   * those of the deployment.
   */
  client?: Client | undefined
  /** Whether a GET request for the page can be repeated, in another language. */
  isRepeatable?: boolean
  /** The path at which a GET request shows the page again, also if a form has led to it. */
  repeatAt?: string
  /** Whether the page contains another page of this service, or is contained in one. */
  frame?: 'contains' | 'contained' | undefined
  isWide?: boolean
  /** What the page reports: that something was done, or that it has failed. */
  outcome?: Outcome | undefined
  /** The language of a page that exists in one language only. */
  messages?: Messages
  /** What precedes the card. */
  header?: Child
  /** Contains the heading of a page that has more in it than the title. */
  heading?: Child
}

/**
 * The user's language: the one they just chose, otherwise the one the app requested, the one they
 * chose earlier, and the browser's.
 */
export async function messagesFor(c: AppContext): Promise<Messages> {
  const languages = languagesOf(c)
  const requested = (c.req.query('ui_locales') ?? '').replaceAll(' ', ',')
  const preferences = [
    c.req.query(LANGUAGE_PARAMETER),
    requested,
    readPreference(c, 'language'),
    c.req.header('Accept-Language'),
  ]
  return chooseLanguage(languages, preferences.filter(Boolean).join(',')).loadMessages()
}

/** The parameter that shows a page in another language. */
export const LANGUAGE_PARAMETER = 'language'

/**
 * Builds the language switch, which shows the page again, at `repeatAt` if that is given. A
 * parameter of the app would take precedence.
 */
function languageSwitch(c: AppContext, repeatAt: string | undefined): LanguageSwitch {
  const { pathname, searchParams } = new URL(repeatAt ?? c.req.url, c.req.url)
  searchParams.delete('ui_locales')
  searchParams.delete(LANGUAGE_PARAMETER)
  return {
    languages: [...languagesOf(c).values()],
    action: repeatAt && pathname,
    fields: [...searchParams],
    parameter: LANGUAGE_PARAMETER,
  }
}

const DEFAULT_LANGUAGES = createLanguages({})

/** A misconfigured deployment has no Config, but error pages. */
function languagesOf(c: AppContext): Config['languages'] {
  const config: Config | undefined = c.get('config')
  return config?.languages ?? DEFAULT_LANGUAGES
}

/** What the pages of a deployment have in common. */
interface Appearance {
  theme: ResolvedTheme
  /** The colours of the deployment's providers. */
  providerCss: string
}

const appearances = new WeakMap<Config, Appearance>()

/** A misconfigured deployment has no Config; its error page looks like ours. */
function appearance(config: Config | undefined): Appearance {
  if (!config) return { theme: resolveTheme({}), providerCss: '' }
  const known = appearances.get(config)
  if (known) return known
  const created = {
    theme: resolveTheme(config.theme),
    providerCss: providerRules([...config.providers, ...config.localProviders]),
  }
  appearances.set(config, created)
  return created
}

/** The scripts of these parts of a page; undefined if none has one. */
export function joinScripts(parts: readonly (PagePart | undefined)[]): string | undefined {
  const scripts = parts.flatMap((part) => part?.script ?? [])
  return scripts.length > 0 ? scripts.join('\n') : undefined
}

/** Browsers accept HTML for a page; programs get JSON. */
export function wantsPage(c: AppContext): boolean {
  return c.req.header('Accept')?.includes('text/html') ?? false
}

/**
 * What pages show of a user. A picture that is not loaded over https is left out, except on this
 * machine.
 */
export function toShownUser({ isDevelopment }: Config, user: NamedUser): ShownUser {
  // Users who sign in by email may have no other name.
  const { name, username, email, image } = user
  const isLoaded = image && (isHttpsImageUrl(image) || (isDevelopment && isLoopback(image)))
  return { name: name ?? username ?? email ?? undefined, image: isLoaded ? image : undefined }
}

function toApp({ client_name, logo_uri, policy_uri, tos_uri, unregistered }: Client): App {
  const isUnregistered = unregistered !== undefined
  return {
    name: client_name,
    logo: logo_uri,
    policyUri: policy_uri,
    termsUri: tos_uri,
    isUnregistered,
  }
}

/**
 * Responds with a page that loads nothing from other origins, except the logo of the deployment or
 * the app and the images that the page lists, and that cannot be framed or cached.
 */
export async function respondWithPage(
  c: AppContext,
  page: Child,
  options: PageOptions,
): Promise<Response> {
  const { title, status = 200, continueTo, postsToOtherOrigin, images = [] } = options
  const { css = '', script, frame, isRepeatable = false, repeatAt, isWide = false } = options
  const canRepeat = repeatAt !== undefined || (isRepeatable && c.req.method === 'GET')
  const { messages = await messagesFor(c), header, heading } = options
  const nonce = crypto.randomUUID()
  const config: Config | undefined = c.get('config')
  const { client = c.get('client') ?? c.get('returnClient') } = options
  const { theme, providerCss } = appearance(config)
  setPageHeaders(
    c,
    [
      "default-src 'none'",
      `style-src 'nonce-${nonce}'`,
      `script-src 'nonce-${nonce}'`,
      imagePolicy(theme.imageOrigins, [client?.logo_uri, ...images]),
      ...(postsToOtherOrigin ? [] : ["form-action 'self'"]),
      ...(frame === 'contains' ? ["frame-src 'self'"] : []),
      ...(options.connects ? ["connect-src 'self'"] : []),
      `frame-ancestors ${frame === 'contained' ? "'self'" : "'none'"}`,
      "base-uri 'none'",
    ].join('; '),
  )
  if (frame === 'contained') c.header('X-Frame-Options', 'SAMEORIGIN')
  c.header('Vary', 'Accept-Language, Cookie', { append: true })
  if (continueTo) c.header('Refresh', `0; url=${continueTo}`)
  if (c.req.query(LANGUAGE_PARAMETER) === messages.language) {
    setPreference(c, 'language', messages.language)
  }
  c.status(status as 200)
  return c.html(
    <Layout
      title={title}
      messages={messages}
      theme={theme}
      serviceName={config?.serviceName ?? ''}
      app={client && toApp(client)}
      languageSwitch={canRepeat ? languageSwitch(c, repeatAt) : undefined}
      outcome={options.outcome}
      isWide={isWide}
      isLeaving={continueTo !== undefined}
      isInert={frame === 'contained'}
      nonce={nonce}
      css={providerCss + css + (client?.brand_color ? brandCss(client.brand_color) : '')}
      script={script}
      header={header}
      heading={heading}
    >
      {page}
    </Layout>,
  )
}

/**
 * Where browsers may load images from. Images that are part of the page have no origin. Settings
 * and profiles are validated before; here a URL that could end the directive is left out whatever
 * its source.
 */
function imagePolicy(origins: readonly string[], images: readonly (string | undefined)[]): string {
  const loaded = images.filter((image) => image !== undefined && /^https?:/.test(image))
  const listed = loaded.filter((image) => hasPlainHost(image as string))
  const ownOrigins = listed.map((image) => new URL(image as string).origin)
  return ['img-src data:', ...new Set([...origins, ...ownOrigins])].join(' ')
}
