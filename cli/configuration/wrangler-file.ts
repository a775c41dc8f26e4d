import { basename } from 'node:path'
import type { FeatureBinding } from '../../src/core/config/vestibule-options.ts'
import { isObject, parseJson } from '../../src/foundation/values/json.ts'
import { isLoopback } from '../../src/foundation/values/loopback.ts'
import { nearestName } from '../../src/foundation/values/nearest-name.ts'
import { BINDING_CONSEQUENCES } from '../binding-consequences.ts'
import { type Diagnosis, type Finding, goodOrProblems, problem, warning } from '../finding.ts'
import { type Binding, SECRET_NAME, type WranglerConfig } from './read-settings.ts'
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

/** The settings that are tables, and a field that only their tables have. */
const TABLE_SETTINGS = {
  CLIENTS: 'client_id',
  APIS: 'identifier',
  UNREGISTERED_CLIENTS: 'hosts',
} as const

/** Checks what only wrangler's configuration file shows. */
export function checkWranglerFile(
  config: WranglerConfig,
  featureBindings: readonly FeatureBinding[],
): Finding[] {
  const diagnoses = [
    ...diagnoseBindings(config, REQUIRED_BINDINGS),
    ...diagnoseFeatureBindings(config, featureBindings),
    ...diagnoseDatabaseId(config),
  ]
  return [
    ...goodOrProblems(
      'bindings',
      diagnoses,
      String(REQUIRED_BINDINGS.length + featureBindings.length),
    ),
    ...checkBuckets(config, featureBindings),
    ...checkVariableNames(config),
    ...checkOtherTables(config),
    ...checkRoutes(config),
    ...checkSecretsInVars(config),
    ...checkQueryRedaction(config),
    ...checkPlan(config),
  ]
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

/** A table under a similar name would be ignored. */
function checkVariableNames(config: WranglerConfig): Finding[] {
  return Object.entries(config.vars).flatMap(([name, value]) => {
    const meant = nearestName(name.toUpperCase(), namesOfTable(value))
    if (meant === undefined || meant === name) return []
    return [
      problem('settings', {
        what: `${name} in [vars] of ${basename(config.configPath)} is not a setting of this service.`,
        why: 'It has no effect.',
        fix: `Rename it to ${meant}.`,
      }),
    ]
  })
}

/** The settings that a table, a list of tables or the JSON text of one can be meant for. */
function namesOfTable(value: unknown): string[] {
  const parsed = typeof value === 'string' ? parseJson(value) : value
  const tables = [parsed].flat().filter(isObject)
  return Object.entries(TABLE_SETTINGS)
    .filter(([, field]) => tables.some((table) => field in table))
    .map(([name]) => name)
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

/** A pattern may begin with `*`, or with `*.` for subdomains. */
function matchesHost(pattern: string, host: string): boolean {
  if (!pattern.startsWith('*')) return pattern === host
  return host.endsWith(pattern.slice(1))
}

/** A loopback address, or the one that Cloudflare gives every Worker. */
function hasOwnAddress(url: URL): boolean {
  return isLoopback(url.href) || url.host.endsWith('.workers.dev')
}

function checkRoutes({ vars, routedHosts }: WranglerConfig): Finding[] {
  const url = URL.parse(String(vars['AUTH_URL']))
  if (!url || (routedHosts.length === 0 && hasOwnAddress(url))) return []
  if (routedHosts.length === 0) {
    return [
      problem('route', {
        what: `The Worker has no route, but AUTH_URL is ${url.origin}.`,
        why: 'Users are sent to AUTH_URL, where the service does not respond.',
        fix: `Add routes = [{ pattern = "${url.host}", custom_domain = true }] to the top of wrangler.toml.`,
      }),
    ]
  }
  const listed = routedHosts.join(', ')
  if (isLoopback(url.href)) {
    return [
      warning('route', {
        what: `The Worker is routed from ${listed}, but AUTH_URL in wrangler.toml is ${url.origin}.`,
        why: 'Once deployed, it would respond to every request with an error.',
        fix: `Set AUTH_URL to https://${routedHosts[0]} before you deploy.`,
      }),
    ]
  }
  return goodOrProblems(
    'route',
    routedHosts.some((pattern) => matchesHost(pattern, url.host))
      ? []
      : [
          {
            what: `The Worker is routed from ${listed}, but AUTH_URL is ${url.origin}.`,
            why: 'Users are sent to AUTH_URL, where the service does not respond; its issuer, cookies and callbacks are valid only there.',
            fix: `Set AUTH_URL to https://${routedHosts[0]}, or add a route with the pattern ${url.host}.`,
          },
        ],
    url.host,
  )
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

/** The plan of the account is known only while deploying. */
function checkPlan({ vars, hasCpuLimit }: WranglerConfig): Finding[] {
  if (hasCpuLimit || isLoopback(String(vars['AUTH_URL']))) return []
  return [
    warning('plan', {
      what: 'The Cloudflare account may have the free plan, with 10 ms of CPU for each request and quotas of D1 for each day.',
      why: 'A request that signs with RS256 can need more CPU, and is aborted. Once a quota of D1 is used up, all queries fail until midnight UTC, and nobody can sign in.',
      fix: 'Use the paid plan, and add [limits] with cpu_ms = 30000 to wrangler.toml. Cloudflare then rejects deployments with the free plan, and this warning ends.',
    }),
  ]
}
