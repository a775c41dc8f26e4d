import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { LOGIN_SYSTEMS } from '../cli/admin/login-systems.ts'
import recordedDigests from '../docs/images/digests.json' with { type: 'json' }
import packageJson from '../package.json' with { type: 'json' }
import { ADMIN_SCOPE_NAMES } from '../src/administration/admin-scopes.ts'
import { CLIENT_KINDS } from '../src/administration/client-kinds.ts'
import { ZONE_COOKIE } from '../src/administration/console/time-zone.ts'
import { createUserApp } from '../src/core/app.ts'
import { AUDIT_EVENTS } from '../src/core/audit/audit-entry.ts'
import { callbacksSchema } from '../src/core/config/callbacks.ts'
import { listSettings } from '../src/core/config/declared-settings.ts'
import { eventsSchema } from '../src/core/config/events.ts'
import { optionProblems, optionsSchema, validateOptions } from '../src/core/config/options.ts'
import { PROVIDER_SETTINGS } from '../src/core/config/providers.ts'
import { resolveLifetimes } from '../src/core/config/session-options.ts'
import { settingsSchema } from '../src/core/config/settings.ts'
import { themeSchema } from '../src/core/config/theme.ts'
import { FLOW_COOKIES, SEALED_COOKIES } from '../src/core/http/cookies.ts'
import { LOG_EVENTS } from '../src/core/http/log-events.ts'
import { type GuessDelays, USE_LIMITS, type UseLimit } from '../src/core/limits/limit-table.ts'
import { readEnglish } from '../src/core/messages/english.ts'
import { PREFERENCES } from '../src/core/pages/preferences.ts'
import { checkReadiness } from '../src/core/readiness/check-readiness.ts'
import { apiSchemaOf, clientSchemaOf } from '../src/core/registration-schemas/deployment-schemas.ts'
import { options } from '../src/deployment.ts'
import { unregisteredClientsSchema } from '../src/features/agents/policy.ts'
import { MARK_COOKIE, PROOF_COOKIE } from '../src/features/device-bound/cookies.ts'
import { deviceBound } from '../src/features/device-bound/feature.ts'
import { totp } from '../src/features/totp/feature.ts'
import { EVENT_TYPES } from '../src/features/webhooks/event-types.ts'
import { createWebhookSchema } from '../src/features/webhooks/webhook-schema.ts'
import * as featureExports from '../src/features.ts'
import { SIGN_IN_ERRORS } from '../src/foundation/errors/sign-in-error.ts'
import { Email, Oidc, PostmarkSender, ResendSender, SesSender, TikTok } from '../src/providers.ts'
import templateJson from '../template/package.json' with { type: 'json' }
import wranglerToml from '../wrangler.toml?raw'
import { everyWayToSignIn } from './combined/every-way-to-sign-in.ts'
import { readConfig } from './deployment.ts'
import { findAnchors, findLinks } from './document-links.ts'
import { digestSources } from './e2e/image-sources.ts'
import { updateCatalogue } from './providers/provider-docs.ts'

/** Every page of documentation, by its path from the root of the repository. */
const pages = new Map(
  Object.entries(
    import.meta.glob<string>(['../docs/**/*.md', '../*.md'], {
      query: '?raw',
      import: 'default',
      eager: true,
    }),
  ).map(([path, text]) => [path.replace('../', ''), text]),
)

/** The generated tables of what each route needs. */
const [dependencies = ''] =
  pages.get('docs/failures.md')?.match(/<!-- The dependencies,.*<!-- The end/s) ?? []

const { declared } = validateOptions(
  {
    ...options,
    providers: [
      TikTok,
      ...[ResendSender(), PostmarkSender(), SesSender()].map((sender) => Email({ sender })),
    ],
  },
  readEnglish,
)

const settings = [
  ...Object.keys(
    settingsSchema({
      isDevelopment: false,
      olderSecrets: ['AUTH_SECRET_1', 'AUTH_SECRET_LEAKED'],
      providers: [],
      declared: listSettings(declared),
    }).shape,
    // All providers have it; TikTok has a format for it.
  ).filter((name) => name !== 'AUTH_TIKTOK_SCOPE'),
  ...PROVIDER_SETTINGS.map((name) => `AUTH_<ID>_${name}`),
  ...declared.features
    .flatMap(({ providerSettings }) => providerSettings?.(Oidc({ id: 'x' })) ?? [])
    .map(({ name }) => name.replace('AUTH_X_', 'AUTH_<ID>_')),
]

/** All features, also those that this repository's deployment does not list. */
const everyFeature = validateOptions(
  { ...everyWayToSignIn, features: [...(everyWayToSignIn.features ?? []), totp(), deviceBound()] },
  readEnglish,
).declared.features

/** The bindings of wrangler.toml, without those of the test runner and the tests. */
const bindings = Object.entries(env)
  .filter(([, value]) => typeof value === 'object' && !Array.isArray(value))
  .map(([name]) => name)
  .filter((name) => !/^(__VITEST|TEST_)/.test(name))

/** What is exported for operators who write a feature or translate texts. */
const HELPERS = ['defineFeature', 'featureTexts', 'Field', 'qrCode', 'withTexts']

/** The functions that a deployment calls to add a feature. */
const features = [
  ...Object.keys(featureExports).filter((name) => !HELPERS.includes(name)),
  ...['Passkey', 'Email', 'Credentials'],
].map((name) => `${name}()`)

/** The service creates the secrets of a webhook. */
const { sealed_secrets: _, ...webhookFields } = createWebhookSchema().shape

/** The programs that the tests sign in with, by their path from the root of the repository. */
const programs = Object.keys(
  import.meta.glob<string>('./interop/*/**', { query: '?raw', import: 'default', eager: true }),
).map((path) => path.replace('./', 'test/'))

/** The files of the examples, by their path from the root of the repository. */
const exampleFiles = new Map(
  Object.entries(
    import.meta.glob<string>(['../examples/**', '!../examples/own-feature', '!**/node_modules'], {
      query: '?raw',
      import: 'default',
      eager: true,
    }),
  ).map(([path, text]) => [path.replace('../', ''), text]),
)

const examplePackages = [...exampleFiles]
  .filter(([path]) => path.endsWith('/package.json'))
  .map(([, text]): { scripts: object } => JSON.parse(text))

/** Which section quotes the files of which example. */
const QUOTED = [
  ['docs/server.md', '## Express', 'express'],
  ['docs/server.md', '## Fastify', 'fastify'],
  ['docs/server.md', '## Hono', 'hono'],
  ['docs/server.md', '## Next.js', 'next'],
  ['docs/server.md', '## SvelteKit', 'sveltekit'],
  ['docs/server.md', '## Nuxt', 'nuxt'],
  ['docs/server.md', '## React Router', 'react-router'],
  ['docs/server.md', '## Astro', 'astro'],
  ['docs/server.md', '## Cloudflare Workers', 'worker'],
  ['docs/relying-apps.md', '### React', 'react-vite'],
  ['docs/relying-apps.md', '### Hono', 'hono-api'],
] as const

/** The source of the modules of providers. */
const providerModules = Object.values(
  import.meta.glob<string>('../src/providers/**/*.ts', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
)

const migrations = Object.values(
  import.meta.glob<string>('../migrations/*.sql', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
)

const modules = import.meta.glob<string>('../src/**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const sources = Object.values(modules)

const storefront = import.meta.glob<string>('../demo/storefront/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** A number that a module does not export. */
function readConstant(module: string, name: string): number {
  const source = modules[`../src/${module}.ts`] ?? ''
  const [, digits = ''] = source.match(new RegExp(`^const ${name} = ([\\d_]+)`, 'm')) ?? []
  return Number(digits.replaceAll('_', ''))
}

/** The source of the commands, by their paths. */
const commandModules = import.meta.glob<string>(['../cli/*.ts', '../cli/admin/*.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Whether `npx vestibule-auth` has a command, and the command this subcommand, if it has any. */
function isCommand({ command, subcommand }: { command: string; subcommand: string }): boolean {
  const list = commandModules['../cli/run-command.ts'] ?? ''
  const [, groups = ''] = list.split('  commands: {')
  if (!new RegExp(`[ ,]${command}[, ]`).test(groups.split('\n  },')[0] ?? '')) return false
  const source = commandModules[`../cli/${command}.ts`] ?? ''
  if (subcommand === '' || !source.includes('defineGroup(')) return true
  const shared = commandModules['../cli/admin/registration-commands.ts'] ?? ''
  return new RegExp(`^ +'?${subcommand}'?: `, 'm').test(source + shared)
}

/** The source of what a user's object stores. */
const userModules = Object.entries(modules)
  .filter(
    ([path, source]) =>
      /src\/core\/(users|grants)\//.test(path) || source.includes('implements UserRecords'),
  )
  .map(([, source]) => source)

/** The part of a page between a heading and the next one. */
function findSection(path: string, heading: string): string {
  const [, rest = ''] = `\n${pages.get(path)}`.split(`\n${heading}\n`)
  const [section = ''] = rest.split(heading.startsWith('###') ? /\n#{1,3} / : /\n##? /)
  return section
}

/** The programs of a section that begin with the name of their file, by that name. */
function readQuotes(section: string): [file: string, code: string][] {
  const blocks = section.matchAll(/^```\w+\n(?:\/\/ (\S+)|<!-- (\S+) -->)\n(.*?)^```$/gms)
  return Array.from(blocks, ([, file, other, code = '']) => [file ?? other ?? '', code])
}

/** The names in the first column of the first table of a section. */
function firstColumn(path: string, heading: string): string[] {
  const [table = ''] = findSection(path, heading).match(/^\|(.|\n\|)*/m) ?? []
  const [, , ...rows] = table.split('\n')
  return rows.flatMap((row) =>
    Array.from((row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g), ([, name = '']) => name),
  )
}

/** A number of seconds, in words. */
function duration(seconds: number): string {
  const names = new Map([
    [60, 'a minute'],
    [3600, 'an hour'],
    [24 * 3600, 'a day'],
  ])
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60]
  return names.get(seconds) ?? (rest > 0 ? `${seconds} seconds` : `${minutes} minutes`)
}

function uses(limits: readonly UseLimit[]): string {
  return limits.map(({ max, period }) => `${max} in ${duration(period)}`).join(', ')
}

function delays({ free, maxDelay, memory }: GuessDelays): string {
  return `${free}, then delays of up to ${duration(maxDelay)}; forgotten after ${duration(memory)}`
}

describe('the documentation', () => {
  it('lists every error code with its status, and no others', () => {
    const codes = everyFeature.flatMap(({ errors }) => errors?.users ?? [])
    const featureErrors = Object.fromEntries(codes.map((code) => [code, 403]))
    const [, table = ''] = (pages.get('docs/endpoints.md') ?? '').split('## Error codes')
    const rows = Array.from(table.matchAll(/^\| (`[^|]+`) \| (\d+)/gm), ([, codes = '', status]) =>
      codes
        .replaceAll('`', '')
        .split(', ')
        .map((code) => [code, Number(status)]),
    )

    expect(Object.fromEntries(rows.flat())).toEqual({ ...SIGN_IN_ERRORS, ...featureErrors })
  })

  it.each([
    ['reference', '## Fields of clients', Object.keys(clientSchemaOf(everyFeature).shape)],
    ['reference', '## Fields of APIs', Object.keys(apiSchemaOf(everyFeature).shape)],
    ['reference', '## Settings', settings],
    ['features', '# Features', features],
    ['agents', '## Settings', Object.keys(unregisteredClientsSchema.shape)],
    ['configuration', '# Configuration', Object.keys(optionsSchema.shape)],
    ['configuration', '## Events', Object.keys(eventsSchema().shape)],
    ['configuration', '## Theme', Object.keys(themeSchema().shape)],
    ['admin', '## The admin API', ADMIN_SCOPE_NAMES],
    ['webhooks', '## Events', [...EVENT_TYPES, 'test']],
    ['webhooks', '## Fields', Object.keys(webhookFields)],
  ])('%s.md lists under "%s" what the code has, and nothing else', (name, heading, names) => {
    const listed = firstColumn(`docs/${name}.md`, heading)

    expect(listed.toSorted()).toEqual([...names].sort())
  })

  it('lists every event of the audit log, and no others', () => {
    const section = findSection('docs/reference.md', '## Events of the audit log')
    const rows = section.split('\n').filter((line) => line.startsWith('|'))
    const names = Array.from(rows.join().matchAll(/`(\w+)`/g), ([, name = '']) => name)

    const declaredEvents = everyFeature.flatMap(({ audit = {} }) => Object.keys(audit))

    expect(names.sort()).toEqual([...AUDIT_EVENTS, ...declaredEvents].sort())
  })

  it('has the rate limits of wrangler.toml', () => {
    const limits = wranglerToml.matchAll(/^name = "(\w+_RATE_LIMIT)"\n.*\n.*limit = (\d+)/gm)
    const section = findSection('docs/reference.md', '## Limits')
    const listed = section.matchAll(/\| ([\d,]+), `(\w+_RATE_LIMIT)` \|/g)

    expect(
      Object.fromEntries(Array.from(listed, ([, max, name]) => [name, max?.replace(',', '')])),
    ).toEqual(Object.fromEntries(Array.from(limits, ([, name, max]) => [name, max])))
  })

  it('names every event that is written to the log', () => {
    const [, section = ''] = (pages.get('docs/reference.md') ?? '').split('\n## The log\n')
    const events = sources.flatMap((source) =>
      Array.from(
        source.matchAll(
          /(?:console\.\w+\(\s*JSON\.stringify\(\{\s*event|addToLog(?:<.*>)?\(c, \{\s*event|failureEvent): '(\w+)'/g,
        ),
        ([, event]) => event,
      ),
    )

    const declaredEvents = [...LOG_EVENTS, ...everyFeature.flatMap(({ log = [] }) => log)]

    expect(events).toContain('signin')
    expect(
      [...events, ...declaredEvents].filter((event) => !section.includes(`\`${event}\``)),
    ).toEqual([])
  })

  it('describes every callback', () => {
    const listed = firstColumn('docs/configuration.md', '## Callbacks')

    expect(listed.map((call) => call.split('(')[0])).toEqual(Object.keys(callbacksSchema().shape))
  })

  it('has the limits and defaults of lifetimes', () => {
    const table = findSection('docs/configuration.md', '## Sessions and lifetimes')
    const rows = table.matchAll(/^\| `([\w.]+)` \| (\d+)[^|]* \| (\d+)[^|]* \| (\d+)/gm)
    const accepts = (path: string, value: number) => {
      const [name = '', field] = path.split('.')
      const option = field === undefined ? value : { [field]: value }
      return optionProblems({ providers: [], [name]: option }).length === 0
    }
    const listed = Array.from(rows, ([, path = '', ...numbers]) => {
      const [standard = 0, min = 0, max = 0] = numbers.map(Number)
      expect(
        [min - 1, min, max, max + 1].map((value) => accepts(path, value)),
        path,
      ).toEqual([false, true, true, false])
      return [path, standard]
    })
    const lifetimes = resolveLifetimes({})

    expect(Object.fromEntries(listed)).toEqual({
      'session.idleLifetime': lifetimes.sessionIdle,
      'session.absoluteLifetime': lifetimes.sessionAbsolute,
      'session.tokenLifetime': lifetimes.sessionToken,
      'session.trustCopyFor': lifetimes.trustCopyFor,
      accessTokenLifetime: lifetimes.accessToken,
    })
  })

  it('lists every cookie, and no others', () => {
    const names = [
      ...FLOW_COOKIES.map((kind) => `${kind}.<id>`),
      ...SEALED_COOKIES,
      ...PREFERENCES,
      ZONE_COOKIE,
      PROOF_COOKIE,
      MARK_COOKIE,
    ].map((name) => `vestibule.${name}`)

    expect(firstColumn('docs/storage.md', '## Cookies').sort()).toEqual(names.sort())
  })

  it('lists every table of the database, and no others', () => {
    const tables = migrations.flatMap((sql) =>
      Array.from(sql.matchAll(/^CREATE TABLE (\w+)/gm), ([, name]) => name),
    )

    expect(firstColumn('docs/storage.md', '## D1 `DIRECTORY`').sort()).toEqual(tables.sort())
  })

  it("lists every record of the user's object, and no others", () => {
    const heading = '## Durable Object `UserObject` (`USERS`), one per user, named by user id'
    const listed = firstColumn('docs/storage.md', heading).map((name) => name.split(':')[0])
    const stored = userModules.flatMap((source) =>
      Array.from(
        source.matchAll(
          /(?:new (?:KvRecords|ExpiringRecords|LazyTable)|super)\(\w+, '(\w[\w-]*):?'|kv\.get<\w+>\('([\w-]+)'/g,
        ),
        ([, record, key]) => record ?? key,
      ),
    )

    expect(listed.sort()).toEqual([...new Set(stored)].sort())
  })

  it('storage.md names every binding', () => {
    const page = pages.get('docs/storage.md') ?? ''

    expect(bindings).not.toEqual([])
    expect(bindings.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  })

  it('lists every limit that guards count, and no others', () => {
    const [, section = ''] = (pages.get('docs/reference.md') ?? '').split('## Limits')
    const [, table = ''] = section.split('| limit |')
    const rows = table.split('\n\n')[0]?.matchAll(/^\| `([^`]+)` \| [^|]+ \| ([^|]+) \|/gm) ?? []
    const documented = Array.from(rows, ([, name, text]) => [name, text])
    const limits = {
      ...USE_LIMITS,
      ...Object.assign({}, ...everyFeature.map(({ limits }) => limits)),
    }
    const expected = Object.entries<readonly UseLimit[] | GuessDelays>(limits).map(
      ([name, limit]) => [name, 'free' in limit ? delays(limit) : uses(limit)],
    )

    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(expected))
  })

  it('says how many secrets and events per second webhooks have', () => {
    const page = pages.get('docs/webhooks.md') ?? ''
    const secrets = readConstant('administration/registrations/secret-store', 'MAX_SECRETS')
    const deliveries = 'features/webhooks/deliver-events'
    const duration = readConstant(deliveries, 'MAX_DURATION') / 1000
    const requests = readConstant(deliveries, 'REQUESTS_AT_ONCE')
    // Each of them takes 100 milliseconds. A run begins every minute.
    const perSecond = (requests * 10 * duration) / 60

    expect(page).toContain(`a signature for each secret, of which at most ${secrets} stay`)
    expect(page).toContain(`about ${perSecond} events per second`)
    expect(page).toContain(`in ${duration} seconds of each minute`)
  })

  it('names files of src that exist in CONTRIBUTING.md', () => {
    const page = pages.get('CONTRIBUTING.md') ?? ''
    const named = Array.from(page.matchAll(/`(src\/[\w./-]+\.tsx?)`/g), ([, path]) => path)

    expect(named).toContain('src/core/app.ts')
    expect(named.filter((path) => !(`../${path}` in modules))).toEqual([])
  })

  it.each(['core', 'libraries', 'foundation'])(
    'lists the folders of src/%s in CONTRIBUTING.md, and no others',
    (room) => {
      const folders = Object.keys(modules).flatMap(
        (path) => path.match(new RegExp(`src/${room}/(.+?)/`))?.[1] ?? [],
      )

      expect(firstColumn('CONTRIBUTING.md', `### ${room}`).sort()).toEqual(
        [...new Set(folders)].sort(),
      )
    },
  )

  it('lists the rooms of src in CONTRIBUTING.md, and no others', () => {
    const [, tree = ''] = findSection('CONTRIBUTING.md', '## Folders').split('```')
    const rooms = Object.keys(modules).flatMap((path) => path.match(/src\/(.+?)\//)?.[1] ?? [])

    expect(Array.from(tree.matchAll(/─ ([a-z-]+)\//g), ([, room]) => room).sort()).toEqual(
      [...new Set(rooms)].sort(),
    )
  })

  it.each([
    ['clients', clientSchemaOf(everyFeature), { client_id: 'x' }],
    ['APIs', apiSchemaOf(everyFeature), { identifier: 'https://api.example' }],
  ])('has the defaults of the fields of %s', (name, schema, required) => {
    const defaults = schema.parse(required) as Record<string, unknown>
    const rows = findSection('docs/reference.md', `## Fields of ${name}`).matchAll(
      /^\| (`[^|]+`) \| (none|`[^`]+`) \|/gm,
    )
    const listed = Array.from(rows, ([, names = '', text = '']) =>
      names.split(', ').map((field) => [field.replaceAll('`', ''), text.replaceAll('`', '')]),
    ).flat()

    expect(listed.length).toBeGreaterThan(5)
    for (const [field = '', text] of listed) {
      const value = defaults[field] ?? []
      const shown = typeof value === 'object' ? JSON.stringify(value).replaceAll(',', ', ') : value
      expect(String(shown === '[]' ? 'none' : shown), field).toBe(text)
    }
  })

  it('describes every check of /readyz, and no others', async () => {
    const checks = await checkReadiness(env, readConfig(env))
    const listed = firstColumn('docs/endpoints.md', '## Health')
    const kinds = checks.map(({ name }) => name.replace(/^binding .*/, 'binding <name>'))

    // This deployment has no provider with a discovery document and no second factor, and does not
    // export the audit log.
    expect([...new Set([...kinds, 'provider <id>', 'totp', 'audit export'])].sort()).toEqual(
      listed.sort(),
    )
  })

  it('names the path of every route', () => {
    const { routes } = createUserApp(
      readConfig,
      validateOptions(everyWayToSignIn, readEnglish).declared,
    )
    const text = [...pages.values()].join('\n').replace(dependencies, '')
    const isNamed = (path: string) => {
      // The name of a provider or an attempt may be an example.
      const pattern = path.replace('/*', '/\\w+').replaceAll(/:\w+/g, '[\\w<>:-]+')
      return new RegExp(`${pattern}(?![\\w/])`).test(text)
    }
    // Our own pages lead to these.
    const steps = ['/oidc/logout/confirm', '/api/auth/signin/:provider/qr/:attempt']
    const paths = routes
      .filter(({ method, path }) => method !== 'ALL' && !steps.includes(path))
      .map(({ path }) => path)

    expect(paths).toContain('/oidc/token')
    expect([...new Set(paths)].filter((path) => !isNamed(path))).toEqual([])
  })

  it('says of every route what it needs (`npm run matrix`)', () => {
    const { declared } = validateOptions(everyWayToSignIn, readEnglish)
    const areas = declared.features.flatMap(
      ({ area }) => area?.createRoutes(declared.features) ?? [],
    )
    const routes = [createUserApp(readConfig, declared), ...areas]
      .flatMap((app) => app.routes)
      .filter(({ method }) => method !== 'ALL' && method !== 'OPTIONS')
      .map(({ method, path }) => `${method} ${path}`)

    expect(routes).toContain('POST /admin/api/users/:id/block')
    expect([...new Set(routes)].filter((route) => !dependencies.includes(`\`${route}\``))).toEqual(
      [],
    )
  })

  it.each([...pages])('names only commands that exist in %s', (path, page) => {
    if (path === 'CHANGELOG.md') return
    const scripts = [packageJson, templateJson, ...examplePackages].flatMap(({ scripts }) =>
      Object.keys(scripts),
    )
    const run = Array.from(page.matchAll(/npm run ([\w:]+)/g), ([, script = '']) => script)
    const commands = Array.from(
      page.matchAll(/npx vestibule-auth ([a-z]+)(?: ([a-z-]+))?/g),
      ([call, command = '', subcommand = '']) => ({ call, command, subcommand }),
    )

    expect(run.filter((script) => !scripts.includes(script))).toEqual([])
    expect(commands.filter((command) => !isCommand(command)).map(({ call }) => call)).toEqual([])
  })

  it('has images of the pages as they look now: `npm run screenshots` takes them', async () => {
    expect(await digestSources((path) => ({ ...modules, ...storefront })[`../${path}`])).toEqual(
      recordedDigests,
    )
  })

  it('has the sections of relying-apps.md that the console names', () => {
    const page = pages.get('docs/relying-apps.md') ?? ''
    const sections = Object.values(CLIENT_KINDS).map(({ recipe }) => recipe)

    expect(sections.filter((section) => !new RegExp(`^##+ ${section}$`, 'm').test(page))).toEqual(
      [],
    )
  })

  it.each(Object.entries(LOGIN_SYSTEMS))(
    'describes what `clients add --for %s` prints',
    (name, { title, redirectUri, settings }) => {
      const path = 'docs/other-login-systems.md'
      const section = findSection(path, `## ${title}`)
      const values = settings({ issuer: 'https://login.example.com', clientId: '' })
      const texts = Object.values(values).filter((text) => text !== '' && !text.includes('above'))

      expect(pages.get(path)).toContain(`\`${name}\``)
      expect(section).toContain(redirectUri)
      expect(Object.keys(values).filter((label) => !section.includes(label))).toEqual([])
      // The sections of libraries refer to a program instead.
      if (!['better-auth', 'auth-js'].includes(name))
        expect(texts.filter((text) => !section.includes(text))).toEqual([])
    },
  )

  it('links to programs that are tested', () => {
    const page = pages.get('docs/relying-apps.md') ?? ''
    const links = Array.from(page.matchAll(/\]\(\.\.\/(test\/[^)]+)\)/g), ([, path = '']) => path)

    expect(links).toContain('test/interop/django/backend.py')
    expect(links.filter((path) => !programs.includes(path))).toEqual([])
  })

  it.each(QUOTED)('%s quotes under "%s" the files of examples/%s', (path, heading, example) => {
    const [section = ''] = findSection(path, heading).split('\n### ')
    const quoted = readQuotes(section)

    expect(quoted).not.toEqual([])
    expect(section).toContain(`[\`examples/${example}\`](../examples/${example}/package.json)`)
    for (const [file, code] of quoted) {
      expect(code, file).toBe(exampleFiles.get(`examples/${example}/${file}`))
    }
  })

  it('quotes every example', () => {
    const examples = [...exampleFiles.keys()].flatMap(
      (path) => path.match(/^examples\/([^/]+)\/package\.json$/)?.[1] ?? [],
    )

    expect(examples.sort()).toEqual(QUOTED.map(([, , example]) => example).sort())
  })

  it('server.md quotes the `login.ts` that every server of the examples has', () => {
    const [introduction = ''] = (pages.get('docs/server.md') ?? '').split('\n## ')
    const copies = [...exampleFiles].filter(([path]) => path.endsWith('/login.ts'))

    expect(copies.length).toBeGreaterThan(5)
    for (const [path, code] of copies)
      expect([['login.ts', code]], path).toEqual(readQuotes(introduction))
  })

  it('contains the catalogue of providers as `npm run docs` writes it', () => {
    const page = pages.get('docs/providers.md') ?? ''

    expect(updateCatalogue(page, providerModules)).toBe(page)
  })

  it.each([...pages.keys()])('has no broken link in %s', (path) => {
    for (const { link, path: file, anchor } of findLinks(pages.get(path) ?? '')) {
      if (file !== '' && !file.endsWith('.md')) continue // test/e2e/package.test.ts checks others.
      const target = file ? new URL(file, `https://docs.example/${path}`).pathname.slice(1) : path
      expect(pages.has(target), link).toBe(true)
      if (anchor) expect(findAnchors(pages.get(target) ?? ''), link).toContain(anchor)
    }
  })
})
