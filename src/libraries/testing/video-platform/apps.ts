import * as z from 'zod/mini'
import { NON_TARGET_USER, PERSONAS } from './personas.ts'

const webRedirect = z.object({
  platform: z.literal('web'),
  uri: z.url({ protocol: /^https$/ }).check(z.maxLength(511), z.regex(/^[^?#]+$/)),
})

const desktopRedirect = z.object({
  platform: z.literal('desktop'),
  uri: z
    .string()
    .check(z.maxLength(511), z.regex(/^https?:\/\/(localhost|127\.0\.0\.1):(\d{1,5}|\*)\/[^?#]*$/)),
})

/** A Universal Link or App Link, to which the SDK returns the user of an app on a phone. */
const mobileRedirect = z.object({ platform: z.literal('mobile'), uri: webRedirect.shape.uri })

/** An app, with the developer portal's own rules on redirect URIs and target users. */
export const app = z.object({
  clientKey: z.string().check(z.minLength(1)),
  clientSecret: z.string().check(z.minLength(1)),
  /** Stays valid for a while after the portal created a new secret. */
  previousSecret: z.optional(z.string().check(z.minLength(1))),
  name: z._default(z.string(), 'An app'),
  kind: z.enum(['production', 'sandbox']),
  status: z._default(z.enum(['draft', 'in_review', 'live']), 'live'),
  /** Whether the Login Kit product was added to the app. */
  loginKit: z._default(z.boolean(), true),
  scopes: z._default(z.array(z.string()), ['user.info.basic']),
  redirectUris: z
    .array(z.discriminatedUnion('platform', [webRedirect, desktopRedirect, mobileRedirect]))
    .check(z.maxLength(10)),
  /** The bundle ids or packages of the apps on phones that may use the SDK. */
  bundleIds: z._default(z.array(z.string()), []),
  /** The handles of the users who may log in to a sandbox. If empty, nobody may. */
  targetUsers: z._default(z.array(z.string()).check(z.maxLength(10)), []),
  /** Receives the app's webhooks. Must be https, as in the portal, or loopback. */
  webhookUrl: z.optional(z.url().check(z.regex(/^https:|^http:\/\/(localhost|127\.0\.0\.1)[:/]/))),
  /** A user has the same `union_id` in all apps of one developer. */
  developer: z._default(z.string(), 'vestibule'),
})

export type App = z.infer<typeof app>
export type Redirect = App['redirectUris'][number]

const WEB_CALLBACK = 'https://login.example/api/auth/callback/tiktok'

/** The app that login services on this machine use. */
export const SANDBOX_APP: App = app.parse({
  clientKey: 'sbawstandin0000001',
  clientSecret: 'stand-in-secret-for-loopback-only-0001',
  name: 'Vestibule (sandbox)',
  kind: 'sandbox',
  scopes: ['user.info.basic', 'user.info.profile', 'user.info.stats'],
  redirectUris: [
    { platform: 'desktop', uri: 'http://localhost:*/api/auth/callback/tiktok' },
    { platform: 'desktop', uri: 'http://127.0.0.1:*/api/auth/callback/tiktok' },
    { platform: 'web', uri: WEB_CALLBACK },
    { platform: 'mobile', uri: 'https://shop.example/tiktok' },
  ],
  bundleIds: ['com.example.shop'],
  targetUsers: PERSONAS.map(({ handle }) => handle).filter((handle) => handle !== NON_TARGET_USER),
})

export const APPS: readonly App[] = [
  SANDBOX_APP,
  app.parse({
    clientKey: 'awstandin00000001',
    clientSecret: 'stand-in-secret-for-loopback-only-0002',
    name: 'Vestibule',
    kind: 'production',
    scopes: ['user.info.basic', 'user.info.profile'],
    redirectUris: [{ platform: 'web', uri: WEB_CALLBACK }],
  }),
  app.parse({
    clientKey: 'awstandin00000002',
    clientSecret: 'stand-in-secret-for-loopback-only-0003',
    name: 'Vestibule (draft)',
    kind: 'production',
    status: 'draft',
    redirectUris: [{ platform: 'web', uri: WEB_CALLBACK }],
  }),
]

/** {@link APPS}, where the sandbox app receives webhooks at this address. */
export function appsWithWebhook(webhookUrl: string | undefined): App[] {
  return APPS.map((registered) =>
    registered.kind === 'sandbox' && webhookUrl
      ? app.parse({ ...registered, webhookUrl })
      : registered,
  )
}

/**
 * Redirect URIs must match exactly, except that a desktop URI registered with port `*` matches any
 * port.
 */
export function findRedirect(app: App, uri: string): Redirect | undefined {
  return app.redirectUris.find((registered) => {
    const [beforePort, afterPort] = registered.uri.split(':*')
    if (beforePort === undefined || afterPort === undefined) return registered.uri === uri
    const port = uri.slice(beforePort.length, uri.length - afterPort.length)
    return /^:\d{1,5}$/.test(port) && uri === beforePort + port + afterPort
  })
}

/** Finds an app that users can log in to: it has Login Kit, and is a sandbox or live. */
export function findLoginApp(apps: ReadonlyMap<string, App>, clientKey: string): App | undefined {
  const app = apps.get(clientKey)
  const isUsable = app?.kind === 'sandbox' || app?.status === 'live'
  return app?.loginKit && isUsable ? app : undefined
}

/** Whether at least one scope is requested and every one is approved for the app. */
export function areScopesApproved(app: App, scopes: readonly string[]): boolean {
  return scopes.length > 0 && scopes.every((scope) => app.scopes.includes(scope))
}

/** Only target users may log in to a sandbox app; everyone may log in to a production app. */
export function mayLogIn(app: App, handle: string): boolean {
  return app.kind === 'production' || app.targetUsers.includes(handle)
}
