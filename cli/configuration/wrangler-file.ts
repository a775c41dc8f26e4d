import { basename } from 'node:path'
import type { FeatureBinding } from '../../src/core/config/vestibule-options.ts'
import { isObject } from '../../src/foundation/values/json.ts'
import { objectJurisdiction } from '../../src/foundation/values/jurisdiction.ts'
import { isLoopback } from '../../src/foundation/values/loopback.ts'
import { nearestName } from '../../src/foundation/values/nearest-name.ts'
import { BINDING_CONSEQUENCES } from '../binding-consequences.ts'
import { type Diagnosis, type Finding, goodOrProblems, problem, warning } from '../finding.ts'
import type { EntryFile } from './read-entry-file.ts'
import { type Binding, type Route, SECRET_NAME, type WranglerConfig } from './read-settings.ts'
import { SETTING_NAME } from './settings.ts'

/** What the service expects in its environment. */
const REQUIRED_BINDINGS: readonly (readonly [name: string, binding: Binding])[] = [
  ['SESSIONS', { type: 'kv' }],
  ['DIRECTORY', { type: 'd1' }],
  ['USERS', { type: 'object', className: 'UserObject' }],
  ['KEYRING', { type: 'object', className: 'KeyringObject' }],
  ['GUARDS', { type: 'object', className: 'GuardObject' }],
  ['REVOCATIONS', { type: 'object', className: 'RevocationsObject' }],
  ['CLIENT_METADATA', { type: 'object', className: 'ClientMetadataObject' }],
  ['USER_RATE_LIMIT', { type: 'rate limit' }],
  ['CLIENT_RATE_LIMIT', { type: 'rate limit' }],
]

/** The table of wrangler.toml that declares each type. */
const TABLES: Readonly<Record<Binding['type'], string>> = {
  kv: '[[kv_namespaces]]',
  d1: '[[d1_databases]]',
  r2: '[[r2_buckets]]',
  object: '[[durable_objects.bindings]]',
  'rate limit': '[[ratelimits]]',
  email: '[[send_email]]',
}

type RequiredBindings = typeof REQUIRED_BINDINGS

/** What adds the use of an optional bucket. */
const BUCKETS: Readonly<Record<string, string>> = { AUDIT: 'auditExport()' }

/** Checks what only wrangler's configuration file shows. */
export function checkWranglerFile(
  config: WranglerConfig,
  featureBindings: readonly FeatureBinding[],
  { classNames }: Pick<EntryFile, 'classNames'>,
): Finding[] {
  const named = { ...config, bindings: withClassNames(config.bindings, classNames) }
  const diagnoses = [
    ...diagnoseBindings(named, REQUIRED_BINDINGS),
    ...diagnoseFeatureBindings(named, featureBindings),
    ...diagnoseDatabaseId(config),
  ]
  return [
    ...goodOrProblems(
      'bindings',
      diagnoses,
      String(REQUIRED_BINDINGS.length + featureBindings.length),
    ),
    ...checkBuckets(config, featureBindings),
    ...checkBucketLocations(config, featureBindings),
    ...checkOtherTables(config),
    ...checkRoutes(config),
    ...checkAssets(config),
    ...checkSecretsInVars(config),
    ...checkQueryRedaction(config),
    ...checkPlan(config),
  ]
}

/** The entry file can export a class under another name. */
function withClassNames(
  bindings: WranglerConfig['bindings'],
  classNames: EntryFile['classNames'],
): WranglerConfig['bindings'] {
  return new Map(
    [...bindings].map(([name, { className = '', ...binding }]) => [
      name,
      { ...binding, ...(className && { className: classNames[className] ?? className }) },
    ]),
  )
}

function diagnoseBindings({ bindings }: WranglerConfig, expected: RequiredBindings): Diagnosis[] {
  return expected
    .filter(([name, required]) => !isSame(bindings.get(name), required))
    .map(([name, required]) => diagnoseBinding(bindings, name, required))
}

function isSame(binding: Binding | undefined, required: Binding): boolean {
  return binding?.type === required.type && binding.className === required.className
}

function diagnoseBinding(
  bindings: WranglerConfig['bindings'],
  name: string,
  required: Binding,
): Diagnosis {
  const table = TABLES[required.type]
  const field = required.type === 'kv' || required.type === 'd1' ? 'binding' : 'name'
  const ofClass = required.className ? ` and class_name = "${required.className}"` : ''
  const renamed = [...bindings].find(
    ([other, binding]) =>
      !REQUIRED_BINDINGS.some(([known]) => known === other) && isSame(binding, required),
  )?.[0]
  const what = bindings.has(name)
    ? `The binding ${name} is declared, but not in ${table}${ofClass && ` with class_name = "${required.className}"`}.`
    : `The binding ${name} is missing.`
  return {
    what,
    why: `The service accesses it by this name. ${BINDING_CONSEQUENCES[name]}`,
    fix: renamed
      ? `Rename ${renamed} in ${table} to ${name}; its data stays the same.`
      : `Add it to ${table} with ${field} = "${name}"${ofClass}, as in the wrangler.toml of \`npx vestibule-auth init\`. An environment does not inherit bindings.`,
  }
}

function diagnoseFeatureBindings(
  { bindings }: WranglerConfig,
  expected: readonly FeatureBinding[],
): Diagnosis[] {
  const declared = [...bindings.keys()]
  return expected
    .filter(({ name, toml }) => !isDeclaredAs(bindings.get(name), toml))
    .map(({ name, toml }) => {
      const misspelled = declared.find((other) => nearestName(other, [name]) !== undefined)
      return {
        what: bindings.has(name)
          ? `The binding ${name} is declared, but not in ${toml.replace(/\n(binding|name) = .*/, '').replace('\n', ' with ')}.`
          : `The binding ${name} is missing.`,
        why: 'A feature of the deployment accesses it by this name.',
        fix: misspelled
          ? `Rename ${misspelled} to ${name}; its data stays the same.`
          : `Add it to wrangler.toml: ${toml.replaceAll('\n', ' ')}. An environment does not inherit bindings.`,
      }
    })
}

/** Whether a binding is in the table, and of the class, of these lines of wrangler.toml. */
function isDeclaredAs(binding: Binding | undefined, toml: string): boolean {
  if (!binding || !toml.startsWith(TABLES[binding.type])) return false
  return binding.className === /class_name = "(\w+)"/.exec(toml)?.[1]
}

/** Buckets that are probably meant for a feature, which does not use them. */
function checkBuckets(
  { bindings }: WranglerConfig,
  featureBindings: readonly FeatureBinding[],
): Finding[] {
  return [...bindings]
    .filter(([, { type }]) => type === 'r2')
    .flatMap(([name]) => {
      const meant = nearestName(name, Object.keys(BUCKETS))
      if (meant === undefined || featureBindings.some((binding) => binding.name === meant))
        return []
      return [
        warning('bindings', {
          what: `The bucket ${name} is not used.`,
          why: `Only ${BUCKETS[meant]} uses a bucket, with the name ${meant}, and the deployment does not have this feature.`,
          fix: `Add features: [${BUCKETS[meant]}] to the options of createVestibule${name === meant ? '' : `, and rename ${name} to ${meant}`}, or ignore this if the bucket is for your own code.`,
        }),
      ]
    })
}

/** A bucket is created in a jurisdiction, and bound with it. */
function checkBucketLocations(
  { bindings, vars }: WranglerConfig,
  featureBindings: readonly FeatureBinding[],
): Finding[] {
  const jurisdiction = objectJurisdiction(vars)
  if (!jurisdiction) return []
  return featureBindings.flatMap(({ name }) => {
    const bucket = bindings.get(name)
    if (bucket?.type !== 'r2' || bucket.jurisdiction === jurisdiction) return []
    return [
      problem('data location', {
        what: `AUTH_JURISDICTION is ${jurisdiction}, but the bucket ${name} is ${bucket.jurisdiction ? `in ${bucket.jurisdiction}` : 'not restricted to a jurisdiction'}.`,
        why: 'Data of users would be stored outside it. The jurisdiction of a bucket cannot be changed.',
        fix: `Create one there, npx wrangler r2 bucket create <name> --jurisdiction ${jurisdiction}, and enter it in [[r2_buckets]] with jurisdiction = "${jurisdiction}".`,
      }),
    ]
  })
}

const DATABASE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Locally, any text is accepted. */
function diagnoseDatabaseId({ vars, database }: WranglerConfig): Diagnosis[] {
  const { id } = database
  if (id === undefined || DATABASE_ID.test(id) || isLoopback(String(vars['AUTH_URL']))) return []
  return [
    {
      what: `The database_id of DIRECTORY is ${JSON.stringify(id)}, which is not the id of a database.`,
      why: 'The deployment would be rejected.',
      fix: 'Copy the id from `npx wrangler d1 list`, or remove the line: the first deployment creates the database.',
    },
  ]
}

/** In TOML, a line belongs to the table above it: at the end of the file, that is not [vars]. */
function checkOtherTables({ raw, configPath, environment }: WranglerConfig): Finding[] {
  const vars = environment === undefined ? '[vars]' : `[env.${environment}.vars]`
  return misplacedSettings(raw).map(({ name, table }) =>
    problem('settings', {
      what: `${name} is ${table ? `in [${table}]` : 'above the first table'} of ${basename(configPath)}.`,
      why: 'It has no effect there.',
      fix: `Move it into ${vars}: in TOML, a line belongs to the table above it.`,
    }),
  )
}

/** The settings that are in none of the tables of variables, and the tables that they are in. */
function misplacedSettings(value: unknown, table = ''): { name: string; table: string }[] {
  if (Array.isArray(value)) return value.flatMap((entry) => misplacedSettings(entry, table))
  if (!isObject(value) || VARIABLES.test(table)) return []
  return Object.entries(value).flatMap(([name, member]) =>
    SETTING_NAME.test(name)
      ? [{ name, table }]
      : misplacedSettings(member, table ? `${table}.${name}` : name),
  )
}

/** The tables of variables, of the top level and of environments. */
const VARIABLES = /^(env\.[^.]+\.)?vars$/

/** The host of a route, which may begin with `*`, or with `*.` for subdomains. */
function hostOf({ pattern }: Route): string {
  return pattern.replace(/^https?:\/\//, '').replace(/\/.*$/, '')
}

function matchesHost(pattern: string, host: string): boolean {
  if (!pattern.startsWith('*')) return pattern.replace(/\*$/, '') === host
  return host.endsWith(pattern.slice(1))
}

/** Whether a route is for every path, and for https. */
function isComplete({ pattern, isCustomDomain }: Route): boolean {
  return isCustomDomain || /^(https:\/\/)?[^/:]+(\/\*|\*)$/.test(pattern)
}

/** A loopback address, or the one that Cloudflare gives every Worker. */
function hasOwnAddress(url: URL): boolean {
  return isLoopback(url.href) || url.host.endsWith('.workers.dev')
}

function checkRoutes({ vars, routes }: WranglerConfig): Finding[] {
  const url = URL.parse(String(vars['AUTH_URL']))
  if (!url || (routes.length === 0 && hasOwnAddress(url))) return []
  const customDomain = `{ pattern = "${url.hostname}", custom_domain = true }`
  if (!isLoopback(url.href) && url.port !== '') {
    return [
      problem('route', {
        what: `AUTH_URL is ${url.origin}, but routes have no ports.`,
        why: 'Users are sent to AUTH_URL, where the service does not respond.',
        fix: `Remove :${url.port} from AUTH_URL: Cloudflare responds at the usual port of https.`,
      }),
    ]
  }
  if (routes.length === 0) {
    return [
      problem('route', {
        what: `The Worker has no route, but AUTH_URL is ${url.origin}.`,
        why: 'Users are sent to AUTH_URL, where the service does not respond.',
        fix: `Add routes = [${customDomain}] to the top of wrangler.toml.`,
      }),
    ]
  }
  const hosts = routes.map(hostOf)
  const listed = hosts.join(', ')
  if (isLoopback(url.href)) {
    return [
      warning('route', {
        what: `The Worker is routed from ${listed}, but AUTH_URL in wrangler.toml is ${url.origin}.`,
        why: 'Once deployed, it would respond to every request with an error.',
        fix: `Set AUTH_URL to https://${hosts[0]} before you deploy.`,
      }),
    ]
  }
  const matching = routes.filter((route) => matchesHost(hostOf(route), url.host))
  if (matching.length === 0) {
    return [
      problem('route', {
        what: `The Worker is routed from ${listed}, but AUTH_URL is ${url.origin}.`,
        why: 'Users are sent to AUTH_URL, where the service does not respond; its issuer, cookies and callbacks are valid only there.',
        fix: `Set AUTH_URL to https://${hosts[0]}, or add a route with the pattern ${url.host}.`,
      }),
    ]
  }
  return goodOrProblems(
    'route',
    matching.some(isComplete) ? [] : [partialRoute(matching[0]?.pattern ?? '', customDomain)],
    url.host,
  )
}

function partialRoute(pattern: string, customDomain: string): Diagnosis {
  const isForHttp = pattern.startsWith('http:')
  return {
    what: isForHttp
      ? `The route ${pattern} is for http only.`
      : `The route ${pattern} does not match every path.`,
    why: isForHttp
      ? 'Users are sent to AUTH_URL, which is https: their requests do not reach the service.'
      : 'The service has the whole host: /oidc, /api/auth, /account and /.well-known. Requests to other paths than that of the route do not reach it.',
    fix: `Replace it by ${customDomain}.`,
  }
}

/** A browser that opens a page gets a file, while programs reach the service. */
function checkAssets({ hidesPages }: WranglerConfig): Finding[] {
  if (!hidesPages) return []
  return [
    problem('assets', {
      what: 'A browser that opens a page of the service gets a file of [assets] instead.',
      why: 'Because of not_found_handling, navigations to paths without a file do not reach the Worker: nobody sees the sign-in page, while requests of programs work.',
      fix: 'Remove [assets]: the service has a host of its own. To serve files with it, set run_worker_first = true there, and respond with them in your own fetch.',
    }),
  ]
}

/** Those of every environment are in the same repository. */
function checkSecretsInVars({ raw, configPath }: WranglerConfig): Finding[] {
  const environments = isObject(raw['env']) ? Object.entries(raw['env']) : []
  const tables: (readonly [table: string, vars: unknown])[] = [
    ['vars', raw['vars']],
    ...environments.map(
      ([name, declared]) => [`env.${name}.vars`, Object(declared)['vars']] as const,
    ),
  ]
  return tables.flatMap(([table, vars]) =>
    Object.keys(Object(vars))
      .filter((name) => SECRET_NAME.test(name))
      .map((name) =>
        problem('secrets', {
          what: `${name} is in [${table}] of ${basename(configPath)}.`,
          why: 'Everyone who can read the repository or the dashboard can read it.',
          fix: `Replace its value, because it may already have been read. Remove it from ${basename(configPath)}, put the new value into .dev.vars or the secrets file, and deploy with --secrets-file, or run \`npx wrangler secret put ${name}\`.`,
        }),
      ),
  )
}

function checkQueryRedaction({ logsQueries }: WranglerConfig): Finding[] {
  if (!logsQueries) return []
  return [
    problem('log', {
      what: 'Cloudflare logs the query strings of requests.',
      why: 'Those of callbacks contain codes and states.',
      fix: 'Set redact_query_string = true under [observability] in wrangler.toml.',
    }),
  ]
}

/** More than any request needs; signing with RS256 and hashing need the most. */
const MIN_CPU_LIMIT = 50 // milliseconds

/** The plan of the account is known only while deploying. */
function checkPlan({ vars, cpuLimit }: WranglerConfig): Finding[] {
  if (isLoopback(String(vars['AUTH_URL']))) return []
  if (cpuLimit !== undefined) {
    return cpuLimit >= MIN_CPU_LIMIT
      ? []
      : [
          problem('limits', {
            what: `cpu_ms is ${cpuLimit}.`,
            why: 'A request that signs with RS256 needs more CPU, and would be aborted.',
            fix: 'Set cpu_ms = 30000 under [limits] in wrangler.toml. Requests that need less cost the same.',
          }),
        ]
  }
  return [
    warning('plan', {
      what: 'The Cloudflare account may have the free plan, with 10 ms of CPU for each request and quotas of D1 for each day.',
      why: 'A request that signs with RS256 can need more CPU, and is aborted. Once a quota of D1 is used up, all queries fail until midnight UTC, and nobody can sign in.',
      fix: 'Use the paid plan, and add [limits] with cpu_ms = 30000 to wrangler.toml. Cloudflare then rejects deployments with the free plan, and this warning ends.',
    }),
  ]
}
