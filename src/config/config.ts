import type * as z from 'zod/mini'
import { Seal } from '../crypto/seal.ts'
import { ConfigurationError } from '../errors.ts'
import { parseJson } from '../json.ts'
import {
  type BuiltInProvider,
  mentionedProviders,
  type PROVIDER_SETTINGS,
  settingName,
} from './built-in-providers.ts'
import { type Client, clientProblems, toClient, withDefaults } from './clients.ts'
import { isLoopback } from './loopback.ts'
import { contradictions, settingsSchema } from './settings.ts'

/** The deployment, checked. Nobody else reads `env.SOME_STRING`. */
export interface Config {
  /** The public origin of this service, and the issuer of its tokens. Never taken from a request. */
  issuer: string
  /** A development service: its own address is a loopback one. */
  isLoopback: boolean
  seal: Seal
  clients: readonly Client[]
  /** The providers this deployment enables, by id. */
  providers: ReadonlyMap<BuiltInProvider, ProviderSettings>
  /** A stand-in of the video platform, on this machine. */
  standIn: { webUrl: string | undefined; apiUrl: string | undefined }
  redirectProxy: RedirectProxy
  /** People can sign in by scanning a code with the platform's app. */
  hasQrCode: boolean
  /** How old a signature of the platform's may be, in seconds. */
  webhookWindow: number
}

/** What a deployment says about a provider. */
export interface ProviderSettings {
  clientId: string
  clientSecret: string
  /** Tried when the platform refuses the first: while a secret is being replaced, one of two is good. */
  otherClientSecret: string | undefined
  issuer: string | undefined
  name: string | undefined
  scope: string | undefined
  /** `keep`: the platform's tokens are kept for clients that may have them. */
  tokens: string | undefined
}

/** One registered callback for deployments that come and go. */
export interface RedirectProxy {
  /** The `/api/auth` of the deployment whose callback is registered; set on the others. */
  url: string | undefined
  /** Whom that deployment passes people on to; set there. `*` stands for one label of a host. */
  origins: readonly string[]
  /** What both know. */
  seal: Seal | undefined
}

/** The usual patience for a webhook. */
const FIVE_MINUTES = 300 // seconds

const configs = new WeakMap<object, Config>()

/** Parses the deployment once per isolate, or throws one error that names everything wrong with it. */
export function readConfig(env: object): Config {
  const known = configs.get(env)
  if (known) return known
  const config = parse(env as Record<string, unknown>)
  configs.set(env, config)
  return config
}

function parse(env: Record<string, unknown>): Config {
  const local = typeof env['AUTH_URL'] === 'string' && isLoopback(env['AUTH_URL'])
  const settings = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => isSetting(name) && value !== undefined),
  )
  const older = Object.keys(settings)
    .filter((name) => OLDER_SECRET.test(name))
    .sort(byNumber)
  const enabled = mentionedProviders(settings)
  const result = settingsSchema(local, older, enabled).safeParse({
    ...settings,
    CLIENTS: registrations(env['CLIENTS']),
  })
  const problems = result.error?.issues.map(describe) ?? []
  problems.push(...contradictions(settings, local))
  problems.push(...(result.data?.CLIENTS.flatMap((client) => clientProblems(client, local)) ?? []))
  if (!result.data || problems.length > 0) throw new ConfigurationError(problems)

  const { AUTH_URL, AUTH_SECRET, CLIENTS, ...rest } = result.data
  return {
    issuer: AUTH_URL,
    isLoopback: local,
    seal: new Seal([AUTH_SECRET, ...older.map((name) => String(settings[name]))]),
    clients: CLIENTS.map((client) => toClient(client, local)),
    providers: new Map(enabled.map((id) => [id, settingsOf(id, settings)])),
    standIn: { webUrl: rest.AUTH_TIKTOK_WEB_URL, apiUrl: rest.AUTH_TIKTOK_API_URL },
    hasQrCode: rest.AUTH_TIKTOK_QR === 'on',
    webhookWindow: Number(rest.AUTH_TIKTOK_WEBHOOK_WINDOW ?? FIVE_MINUTES),
    redirectProxy: {
      url: rest.AUTH_REDIRECT_PROXY_URL,
      origins: rest.AUTH_REDIRECT_PROXY_ORIGINS?.split(',') ?? [],
      seal: rest.AUTH_REDIRECT_PROXY_SECRET
        ? new Seal([rest.AUTH_REDIRECT_PROXY_SECRET])
        : undefined,
    },
  }
}

/** `AUTH_SECRET_1`, `AUTH_SECRET_2`, …: no longer used to seal, still good to open. */
const OLDER_SECRET = /^AUTH_SECRET_\d+$/

function byNumber(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true })
}

/** Bindings pass; what claims to be ours by its name must be known to the schema. */
function isSetting(name: string): boolean {
  return name.startsWith('AUTH_') || name === 'CLIENTS'
}

function settingsOf(id: BuiltInProvider, settings: Record<string, unknown>): ProviderSettings {
  const read = (setting: (typeof PROVIDER_SETTINGS)[number]) =>
    settings[settingName(id, setting)] as string
  return {
    clientId: read('ID'),
    clientSecret: read('SECRET'),
    otherClientSecret: read('SECRET_1'),
    issuer: read('ISSUER'),
    name: read('NAME'),
    scope: read('SCOPE'),
    tokens: read('TOKENS'),
  }
}

/** The clients as they are registered: tables of `wrangler.toml`, or JSON. */
function registrations(value: unknown): unknown {
  const list = typeof value === 'string' ? parseJson(value) : (value ?? [])
  return Array.isArray(list) ? list.map(withDefaults) : list
}

function describe(issue: z.core.$ZodIssue): string {
  const where = issue.path.join('.')
  if (issue.code !== 'unrecognized_keys') return `${where} ${issue.message}`
  return issue.keys
    .map((key) => `${where}${where && '.'}${key} is not a setting of this service.`)
    .join(' ')
}
