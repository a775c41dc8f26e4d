import * as z from 'zod/mini'
import { ConfigurationError } from './errors.ts'
import { Seal } from './seal.ts'

/** The deployment, checked. Nobody else reads `env.SOME_STRING`. */
export interface Config {
  /** The public origin of this service, and the issuer of its tokens. Never taken from a request. */
  issuer: string
  /** A development service: its own address is a loopback one. */
  isLoopback: boolean
  seal: Seal
  clients: readonly Client[]
  tiktok: TikTokSettings
}

/** A relying app, under the names of OpenID Connect registration. */
export interface Client {
  client_id: string
  client_name: string
  redirect_uris: readonly string[]
  /** The origins of its redirect URIs: where its people may be returned to, and who may ask for their session. */
  origins: readonly string[]
}

export interface TikTokSettings {
  clientId: string
  clientSecret: string
  scope: string | undefined
  webUrl: string | undefined
  apiUrl: string | undefined
}

/** {@link https://www.rfc-editor.org/rfc/rfc6749#section-2.2}, without what would have to be escaped anywhere. */
const CLIENT_ID = /^[A-Za-z0-9._~-]{1,256}$/

/** The shape of the platform's production keys. Sandbox keys begin with `sbaw`. */
const PRODUCTION_KEY = /^aw[a-z0-9]{14,}$/

/** 32 bytes, the size of the keys that are derived from it, are 43 characters of base64url or more in hex. */
const SHORTEST_SECRET = 32

/** Random text of 32 characters has about 24 different ones even in base64, and hex at least 10. */
const FEWEST_DIFFERENT_CHARACTERS = 10

const EXAMPLES = /example|change.?me|placeholder|your.secret|stand-?in|loopback-only|test-only/i

const configs = new WeakMap<object, Config>()

/** Parses the deployment once per isolate, or throws one error that names everything wrong with it. */
export function readConfig(env: object): Config {
  const known = configs.get(env)
  if (known) return known
  const config = parse(env as Record<string, unknown>)
  configs.set(env, config)
  return config
}

/** `localhost`, its subdomains, 127.0.0.0/8 and ::1. */
export function isLoopback(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? ''
  return /^(?:.+\.)?localhost$|^127\.\d+\.\d+\.\d+$|^\[::1\]$/.test(host)
}

function parse(env: Record<string, unknown>): Config {
  const local = typeof env['AUTH_URL'] === 'string' && isLoopback(env['AUTH_URL'])
  const settings = Object.fromEntries(Object.entries(env).filter(([name]) => isSetting(name)))
  const older = Object.keys(settings)
    .filter((name) => OLDER_SECRET.test(name))
    .sort(byNumber)
  const result = schema(local, older).safeParse({ ...settings, CLIENTS: parseJson(env['CLIENTS']) })
  const problems = result.error?.issues.map(describe) ?? []
  problems.push(...contradictions(settings, local))
  if (!result.data || problems.length > 0) throw new ConfigurationError(problems)

  const { AUTH_URL, AUTH_SECRET, CLIENTS, ...rest } = result.data
  return {
    issuer: AUTH_URL,
    isLoopback: local,
    seal: new Seal([AUTH_SECRET, ...older.map((name) => String(settings[name]))]),
    clients: CLIENTS.map((client) => ({
      ...client,
      client_name: client.client_name ?? client.client_id,
      origins: originsOf(client.redirect_uris, local),
    })),
    tiktok: {
      clientId: rest.AUTH_TIKTOK_ID,
      clientSecret: rest.AUTH_TIKTOK_SECRET,
      scope: rest.AUTH_TIKTOK_SCOPE,
      webUrl: rest.AUTH_TIKTOK_WEB_URL,
      apiUrl: rest.AUTH_TIKTOK_API_URL,
    },
  }
}

/** `AUTH_SECRET_1`, `AUTH_SECRET_2`, …: no longer used to seal, still good to open. */
const OLDER_SECRET = /^AUTH_SECRET_\d+$/

function byNumber(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true })
}

/** A native app's loopback address is good to be redirected to; a public service shares no session with it. */
function originsOf(uris: readonly string[], local: boolean): string[] {
  const shared = uris.filter((uri) => local || !isLoopback(uri))
  return [...new Set(shared.map((uri) => new URL(uri).origin))]
}

/** Bindings pass; what claims to be ours by its name must be known to the schema. */
function isSetting(name: string): boolean {
  return name.startsWith('AUTH_') || name === 'CLIENTS'
}

function schema(local: boolean, older: readonly string[]) {
  const secret = text().check(
    z.minLength(1, 'is empty.'),
    z.refine((text) => local || isStrong(text), {
      error: `is too weak: take ${SHORTEST_SECRET} random bytes, as \`openssl rand -base64 32\` makes them.`,
    }),
  )
  const platformSetting = text().check(
    z.minLength(1, 'is empty.'),
    z.refine((text) => local || !EXAMPLES.test(text), { error: 'is an example value.' }),
  )
  const standIn = z.optional(
    text().check(
      z.refine((url) => isOrigin(url) && isLoopback(url), {
        error:
          'points to a stand-in of the platform, and must be a loopback origin such as http://localhost:8788.',
      }),
      z.refine(() => local, {
        error: 'is for development: leave it unset where AUTH_URL is public.',
      }),
    ),
  )

  return z.strictObject({
    AUTH_URL: text().check(
      z.refine((url) => isOrigin(url) && (local || url.startsWith('https:')), {
        error: 'must be an https origin without a path, such as https://login.example.com.',
      }),
    ),
    AUTH_SECRET: secret,
    AUTH_TIKTOK_ID: platformSetting,
    AUTH_TIKTOK_SECRET: platformSetting,
    AUTH_TIKTOK_SCOPE: z.optional(
      text().check(
        z.refine((scope) => scope.split(',').every((one) => /^[a-z._]+$/.test(one)), {
          error: 'is a list of scopes with commas and no spaces.',
        }),
        z.refine((scope) => scope.split(',').includes('user.info.basic'), {
          error: 'needs user.info.basic: without it nobody can be recognised.',
        }),
      ),
    ),
    AUTH_TIKTOK_WEB_URL: standIn,
    AUTH_TIKTOK_API_URL: standIn,
    CLIENTS: z.array(client, 'must be a list of tables, each under [[vars.CLIENTS]].').check(
      z.refine(
        (clients) => new Set(clients.map(({ client_id }) => client_id)).size === clients.length,
        {
          error: 'has two entries with the same client_id.',
        },
      ),
    ),
    ...Object.fromEntries(older.map((name) => [name, secret])),
  })
}

function text() {
  return z.string({ error: ({ input }) => (input === undefined ? 'is missing.' : 'must be text.') })
}

const client = z.strictObject({
  client_id: text().check(z.regex(CLIENT_ID, 'may hold letters, digits and . _ ~ - only.')),
  client_name: z.optional(text().check(z.minLength(1), z.maxLength(64))),
  redirect_uris: z
    .array(
      text().check(
        z.refine(isRedirectUri, {
          error:
            'must be an https address, or http on loopback, without a fragment or a user name.',
        }),
      ),
    )
    .check(z.minLength(1, 'names no address.')),
})

/** An issuer is compared letter for letter, so there is one way to write it: as the browser does. */
function isOrigin(url: string): boolean {
  return /^https?:/.test(url) && URL.parse(url)?.origin === url
}

function isRedirectUri(uri: string): boolean {
  const url = URL.parse(uri)
  if (url === null) return false
  if (uri.includes('#') || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(uri))
}

function isStrong(secret: string): boolean {
  return (
    secret.length >= SHORTEST_SECRET &&
    new Set(secret).size >= FEWEST_DIFFERENT_CHARACTERS &&
    !EXAMPLES.test(secret)
  )
}

/** What no single setting can know. */
function contradictions(settings: Record<string, unknown>, local: boolean): string[] {
  const real = settings['AUTH_TIKTOK_WEB_URL'] === undefined
  const key = String(settings['AUTH_TIKTOK_ID'])
  if (!local || !real || !PRODUCTION_KEY.test(key)) return []
  const callback = '/api/auth/callback/tiktok'
  return [
    `AUTH_URL is a loopback address, which the platform refuses for a production app. Register https://<your domain>${callback} on the app's Web tab and set AUTH_URL to that origin, or develop with the sandbox key and register ${settings['AUTH_URL']}${callback} on the sandbox's Desktop tab.`,
  ]
}

function parseJson(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? []
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function describe(issue: z.core.$ZodIssue): string {
  const where = issue.path.join('.')
  if (issue.code !== 'unrecognized_keys') return `${where} ${issue.message}`
  return issue.keys
    .map((key) => `${where}${where && '.'}${key} is not a setting of this service.`)
    .join(' ')
}
