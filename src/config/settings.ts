import * as z from 'zod/mini'
import {
  type BuiltInProvider,
  mentionedProviders,
  NEED_ISSUER,
  settingName,
  TAKE_ISSUER,
} from './built-in-providers.ts'
import { clientSchema } from './clients.ts'
import { isLoopback } from './loopback.ts'
import { NOT_EMPTY, oneOf, SHORT, text } from './schemas.ts'

/** The shape of the platform's production keys. Sandbox keys begin with `sbaw`. */
const PRODUCTION_KEY = /^aw[a-z0-9]{14,}$/

/** 32 bytes, the size of the keys that are derived from it, are 43 characters of base64url or more in hex. */
const SHORTEST_SECRET = 32

/** Random text of 32 characters has about 24 different ones even in base64, and hex at least 10. */
const FEWEST_DIFFERENT_CHARACTERS = 10

const EXAMPLES = /example|change.?me|placeholder|your.secret|stand-?in|loopback-only|test-only/i

/** Every setting of the service, for a deployment that is local or not and enables these providers. */
export function settingsSchema(
  local: boolean,
  older: readonly string[],
  enabled: readonly BuiltInProvider[],
) {
  const secret = text(NOT_EMPTY, [
    (secret) => local || isStrong(secret),
    `is too weak: take ${SHORTEST_SECRET} random bytes, as \`openssl rand -base64 32\` makes them.`,
  ])
  const platformSetting = text(NOT_EMPTY, [
    (value) => local || !EXAMPLES.test(value),
    'is an example value.',
  ])
  const standIn = z.optional(
    text(
      [
        (url) => isOrigin(url) && isLoopback(url),
        'points to a stand-in of the platform, and must be a loopback origin such as http://localhost:8788.',
      ],
      [() => local, 'is for development: leave it unset where AUTH_URL is public.'],
    ),
  )

  const fixed = {
    AUTH_URL: text([
      (url) => isOrigin(url) && (local || url.startsWith('https:')),
      'must be an https origin without a path, such as https://login.example.com.',
    ]),
    AUTH_SECRET: secret,
    AUTH_TIKTOK_WEB_URL: standIn,
    AUTH_TIKTOK_API_URL: standIn,
    AUTH_TIKTOK_QR: z.optional(oneOf('on', 'off')),
    AUTH_TIKTOK_WEBHOOK_WINDOW: z.optional(
      text([(number) => /^\d{1,6}$/.test(number), 'is a number of seconds, such as 300.']),
    ),
    CLIENTS: z
      .array(clientSchema, 'must be a list of tables, each under [[vars.CLIENTS]].')
      .check(
        z.refine(
          (clients) => new Set(clients.map(({ client_id }) => client_id)).size === clients.length,
          { error: 'has two entries with the same client_id.' },
        ),
      ),
    AUTH_REDIRECT_PROXY_URL: z.optional(
      text([
        (url) => isAddress(url) && url.endsWith('/api/auth'),
        'is the /api/auth of the deployment whose callback is registered, such as https://login.example.com/api/auth.',
      ]),
    ),
    AUTH_REDIRECT_PROXY_ORIGINS: z.optional(
      text([
        (list) => list.split(',').every(isOriginPattern),
        'is a list of origins with commas and no spaces, such as https://*.preview.example.com,http://localhost:8787.',
      ]),
    ),
    AUTH_REDIRECT_PROXY_SECRET: z.optional(secret),
  }
  const named = [
    ...older.map((name) => [name, secret] as const),
    ...enabled.flatMap((id) => providerSettings(id, platformSetting, local)),
  ]
  return z.strictObject({ ...fixed, ...Object.fromEntries(named) } as typeof fixed)
}

function providerSettings(id: BuiltInProvider, credential: z.ZodMiniType<string>, local: boolean) {
  const issuer = text([
    (url) => isAddress(url) && (local || url.startsWith('https:')),
    'must be the https address that the provider calls its issuer.',
  ])
  return [
    [settingName(id, 'ID'), credential],
    [settingName(id, 'SECRET'), credential],
    [settingName(id, 'SECRET_1'), z.optional(credential)],
    ...(TAKE_ISSUER.includes(id)
      ? [
          [
            settingName(id, 'ISSUER'),
            NEED_ISSUER.includes(id) ? issuer : z.optional(issuer),
          ] as const,
        ]
      : []),
    [settingName(id, 'NAME'), z.optional(text(NOT_EMPTY, SHORT))],
    [settingName(id, 'TOKENS'), z.optional(oneOf('keep', 'drop'))],
    [settingName(id, 'SCOPE'), z.optional(id === 'tiktok' ? tiktokScope : text())],
  ] as const
}

const tiktokScope = text(
  [
    (list) => list.split(',').every((scope) => /^[a-z._]+$/.test(scope)),
    'is a list of scopes with commas and no spaces.',
  ],
  [
    (list) => list.split(',').includes('user.info.basic'),
    'needs user.info.basic: without it nobody can be recognised.',
  ],
)

/** An origin, of whose host `*` may be the first label. */
function isOriginPattern(pattern: string): boolean {
  const origin = pattern.replace('//*.', '//x.')
  return isOrigin(origin) && !origin.includes('*')
}

function isAddress(url: string): boolean {
  const parsed = URL.parse(url)
  return (
    parsed !== null &&
    /^https?:$/.test(parsed.protocol) &&
    parsed.search === '' &&
    parsed.hash === ''
  )
}

/** An issuer is compared letter for letter, so there is one way to write it: as the browser does. */
function isOrigin(url: string): boolean {
  return /^https?:/.test(url) && URL.parse(url)?.origin === url
}

function isStrong(secret: string): boolean {
  return (
    secret.length >= SHORTEST_SECRET &&
    new Set(secret).size >= FEWEST_DIFFERENT_CHARACTERS &&
    !EXAMPLES.test(secret)
  )
}

/** What no single setting can know. */
export function contradictions(settings: Record<string, unknown>, local: boolean): string[] {
  const isProxied = settings['AUTH_REDIRECT_PROXY_URL'] ?? settings['AUTH_REDIRECT_PROXY_ORIGINS']
  const isReal = settings['AUTH_TIKTOK_WEB_URL'] === undefined
  const isProduction = PRODUCTION_KEY.test(String(settings['AUTH_TIKTOK_ID']))
  const callback = '/api/auth/callback/tiktok'
  return [
    ...(mentionedProviders(settings).length === 0
      ? [
          'No provider is enabled: set AUTH_TIKTOK_ID and AUTH_TIKTOK_SECRET, or those of another one.',
        ]
      : []),
    ...(isProxied && !settings['AUTH_REDIRECT_PROXY_SECRET']
      ? ['AUTH_REDIRECT_PROXY_SECRET is missing: both sides of a redirect proxy need the same one.']
      : []),
    ...(local && isReal && isProduction
      ? [
          `AUTH_URL is a loopback address, which the platform refuses for a production app. Register https://<your domain>${callback} on the app's Web tab and set AUTH_URL to that origin, or develop with the sandbox key and register ${settings['AUTH_URL']}${callback} on the sandbox's Desktop tab.`,
        ]
      : []),
  ]
}
