import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { DeclaredOptions } from '../src/core/config/config.ts'
import { ConfigurationError } from '../src/core/config/configuration-error.ts'
import { listSettings } from '../src/core/config/declared-settings.ts'
import { validateOptions } from '../src/core/config/options.ts'
import { parseConfig } from '../src/core/config/read-config.ts'
import { en } from '../src/core/messages/en.ts'
import { isLoopback } from '../src/foundation/values/loopback.ts'
import { formatProblem } from '../src/foundation/values/problem.ts'
import { SANDBOX_APP } from '../src/libraries/testing/video-platform/apps.ts'
import { defineCommand } from './command.ts'
import { CommandError, UsageError } from './command-error.ts'
import { readEntryFile } from './configuration/read-entry-file.ts'
import {
  readSecrets,
  readWranglerConfig,
  type WranglerConfig,
} from './configuration/read-settings.ts'
import { errorMessage } from './error-message.ts'
import { portalTab } from './redirect-uri.ts'
import { Prompt } from './setup/prompt.ts'
import {
  providersToSetUp,
  type RequiredSetting,
  requiredSettings,
} from './setup/required-settings.ts'
import { createSecret, isIgnoredByGit, writeSecrets } from './setup/secrets-file.ts'
import { replaceAddress } from './setup/wrangler-address.ts'

/** On which `wrangler dev` listens by default. */
const WRANGLER_PORT = '8787'

/** Writes the secrets file of a deployment. */
export const setup = defineCommand({
  summary: 'Enter the address and the keys of a login service, and write its secrets file',
  details: `Asks for the address of the service and the keys of its providers, generates AUTH_SECRET, writes a
secrets file that git ignores, and prints the redirect URIs to register with the providers. With a
loopback address, the file is .dev.vars, which \`npm run dev\` reads. With a public address, the file
is .secrets, for \`npm run deploy -- --secrets-file .secrets\`; the address is entered in wrangler.toml.`,
  options: {
    url: {
      type: 'string',
      value: 'URL',
      help: 'the origin of the service, such as https://login.example.com',
    },
    set: {
      type: 'string',
      multiple: true,
      value: 'NAME=VALUE',
      help: 'a setting, such as AUTH_TIKTOK_ID=…; can be repeated. Variables of the\nenvironment with the names of missing settings are used too',
    },
    'stand-in': {
      type: 'string',
      value: 'URL',
      help: 'use the stand-in for TikTok at this origin, which `npx vestibule-auth platform` has\nstarted; implies --yes',
    },
    env: {
      type: 'string',
      value: 'NAME',
      help: 'an environment of wrangler.toml; the file is .dev.vars.NAME or .secrets.NAME',
    },
    config: { type: 'string', value: 'FILE', help: 'read this file instead of wrangler.toml' },
    force: {
      type: 'boolean',
      help: 'add what is missing to an existing secrets file; --set also replaces a value',
    },
    yes: { type: 'boolean', help: 'ask nothing; what is missing is an error' },
  },
  exitCodes: '0 for success, 1 if a value is invalid or a file cannot be written',
  async run({ values, rejectUsage }) {
    const { 'stand-in': standIn, set = [], yes } = values
    const given = { ...standInSettings(standIn), ...parseSettings(set, rejectUsage) }
    const prompt = new Prompt(!yes && standIn === undefined)
    try {
      process.stdout.write(await setUp(values, { given, prompt, rejectUsage }))
    } catch (cause) {
      if (cause instanceof UsageError) throw cause
      throw new CommandError(errorMessage(cause), { cause })
    } finally {
      prompt.close()
    }
  },
})

interface SetupValues {
  url?: string | undefined
  env?: string | undefined
  config?: string | undefined
  force?: boolean | undefined
}

interface Answers {
  given: Record<string, string>
  prompt: Prompt
  rejectUsage: (message: string) => never
}

function parseSettings(
  assignments: readonly string[],
  rejectUsage: (message: string) => never,
): Record<string, string> {
  return Object.fromEntries(
    assignments.map((assignment) => {
      const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/s.exec(assignment) ?? []
      if (name !== undefined && value !== undefined) return [name, value]
      // The value may be a secret, which must not appear in the log of a script.
      return rejectUsage(`--set takes NAME=VALUE, not ${assignment.split('=')[0]}=…`)
    }),
  )
}

function standInSettings(origin: string | undefined): Record<string, string> {
  if (origin === undefined) return {}
  return {
    AUTH_TIKTOK_ID: SANDBOX_APP.clientKey,
    AUTH_TIKTOK_SECRET: SANDBOX_APP.clientSecret,
    AUTH_TIKTOK_WEB_URL: origin,
    AUTH_TIKTOK_API_URL: origin,
  }
}

/** Returns what to do next. */
async function setUp(
  { url, env, config: configFile, force }: SetupValues,
  { given, prompt, rejectUsage }: Answers,
): Promise<string> {
  const config = await readWranglerConfig({ config: configFile, env })
  const { options } = await readEntryFile(config.main)
  const { problems, declared } = validateOptions(options, () => en)
  if (problems.length > 0) throw new Error(problems.map(formatProblem).join('\n'))
  const current = await currentAddress(config, env)
  const origin = url ?? (await prompt.ask(`Address of the service [${current}]: `)) ?? current
  const file = join(dirname(config.configPath), secretsFileName(origin, env))
  const name = relative('.', file)
  if (existsSync(file) && !force) {
    throw new Error(`${name} exists already. Use --force to change the values in it.`)
  }
  if (!isIgnoredByGit(file)) {
    throw new Error(`${name} would be visible to git. Add this line to .gitignore: ${name}`)
  }
  const existing = existsSync(file) ? ((await readSecrets(file)) as Record<string, string>) : {}
  const secrets = {
    ...existing,
    ...given,
    AUTH_SECRET: given['AUTH_SECRET'] ?? existing['AUTH_SECRET'] ?? createSecret(),
    ...(isLoopback(origin) && { AUTH_URL: origin }),
  }
  const providers = providersToSetUp(declared, { ...config.vars, ...secrets })
  const declaredSettings = listSettings(declared).filter(
    (setting) => 'isRequired' in setting && setting.isRequired,
  )
  const missing = [...providers.flatMap(requiredSettings), ...declaredSettings].filter(
    ({ name }) => !(name in secrets) && config.vars[name] === undefined,
  )
  Object.assign(secrets, await readMissing(missing, prompt, rejectUsage))

  rejectProblems(declared, { ...config.vars, ...secrets, AUTH_URL: origin })
  await writeSecrets(file, secrets)
  const address = isLoopback(origin) ? '' : await enterAddress(config, env, origin)
  // The apps of the stand-in have their redirect URIs already.
  const usesStandIn = 'AUTH_TIKTOK_WEB_URL' in secrets
  const callbacks = providers
    .filter(({ id }) => id !== 'tiktok' || !usesStandIn)
    .map(({ id }) => `${callbackBase(config, origin)}/callback/${id}`)
  return `Wrote ${name}.${address}
${describeCallbacks(callbacks)}
Next:
${nextSteps(origin, env, name)}`
}

/** In development, the address in .dev.vars replaces the one in wrangler.toml. */
async function currentAddress(
  { configPath, vars }: WranglerConfig,
  env: string | undefined,
): Promise<string> {
  const declared = String(vars['AUTH_URL'] ?? `http://localhost:${WRANGLER_PORT}`)
  const file = join(dirname(configPath), secretsFileName(declared, env))
  if (!isLoopback(declared) || !existsSync(file)) return declared
  return String((await readSecrets(file))['AUTH_URL'] ?? declared)
}

/** With a redirect proxy, providers return users to its address. */
function callbackBase({ vars }: WranglerConfig, origin: string): string {
  return String(vars['AUTH_REDIRECT_PROXY_URL'] ?? `${origin}/api/auth`)
}

function secretsFileName(origin: string, env: string | undefined): string {
  const suffix = env === undefined ? '' : `.${env}`
  return isLoopback(origin) ? `.dev.vars${suffix}` : `.secrets${suffix}`
}

async function readMissing(
  settings: readonly RequiredSetting[],
  prompt: Prompt,
  rejectUsage: (message: string) => never,
): Promise<Record<string, string>> {
  const values: Record<string, string> = {}
  for (const setting of settings) {
    const value = process.env[setting.name] ?? (await askFor(setting, prompt))
    if (value) values[setting.name] = value.trim()
  }
  const missing = settings.map(({ name }) => name).filter((name) => values[name] === undefined)
  if (missing.length === 0) return values
  return rejectUsage(
    `Missing: ${missing.join(', ')}. Use --set ${missing[0]}=…, or a variable of the environment with that name.`,
  )
}

function askFor({ name, hint }: RequiredSetting, prompt: Prompt): Promise<string | undefined> {
  const question = hint ? `${name} (${hint}): ` : `${name}: `
  return /_(SECRET|KEY)$/.test(name) ? prompt.askForSecret(question) : prompt.ask(question)
}

/** Settings that this command does not ask for are checked by the doctor. */
function rejectProblems(declared: DeclaredOptions, settings: Record<string, unknown>): void {
  try {
    parseConfig(settings, declared)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    const own = error.problems.filter(({ path }) => String(path[0]).startsWith('AUTH_'))
    if (own.length > 0) throw new Error(own.map(formatProblem).join('\n'), { cause: error })
  }
}

async function enterAddress(
  { configPath, vars }: WranglerConfig,
  env: string | undefined,
  origin: string,
): Promise<string> {
  if (vars['AUTH_URL'] === origin) return ''
  const name = relative('.', configPath)
  return (await replaceAddress(configPath, env, origin))
    ? ` Entered AUTH_URL in ${name}.`
    : ` Now set AUTH_URL = "${origin}" in ${name}.`
}

function describeCallbacks(callbacks: readonly string[]): string {
  if (callbacks.length === 0) return ''
  return `Register ${callbacks.length === 1 ? 'this redirect URI' : 'these redirect URIs'}:
${callbacks.map(describeCallback).join('\n')}
`
}

function describeCallback(callback: string): string {
  if (!callback.endsWith('/tiktok')) return `  ${callback}`
  return `  ${callback}   on the ${portalTab(callback)} tab of TikTok's developer portal`
}

function nextSteps(origin: string, env: string | undefined, file: string): string {
  const flag = env === undefined ? '' : ` --env ${env}`
  if (isLoopback(origin)) {
    const flags = `${flag}${portFlag(origin)}`
    return `  npx vestibule-auth doctor${flag}\n  npm run dev${flags && ` --${flags}`}\n`
  }
  return `  npx vestibule-auth doctor${flag} --secrets-file ${file}
  npm run deploy --${flag} --secrets-file ${file}
  npx vestibule-auth doctor ${origin}

Keep ${file} somewhere safe: without AUTH_SECRET, all sessions and signing keys are lost.
`
}

/** `wrangler dev` does not know the address of the service. */
function portFlag(origin: string): string {
  const { port } = new URL(origin)
  return port === WRANGLER_PORT ? '' : ` --port ${port || '80'}`
}
