import { isObject, objectsIn } from '../../src/foundation/values/json.ts'
import { isLoopback } from '../../src/foundation/values/loopback.ts'
import { type Finding, problem } from '../finding.ts'
import type { WranglerConfig } from './read-settings.ts'

type Table = Readonly<Record<string, unknown>>

/** An environment, or the top level, with what it inherits from there. */
interface Environment {
  /** As operators call it. */
  title: string
  table: Table
}

interface NamedEnvironment extends Environment {
  name: string | undefined
}

/** What two deployments must not have in common. */
interface Separate {
  what: string
  why: string
  fix: string
  read: (table: Table) => unknown[]
}

const fieldOf = (list: string, field: string) => (table: Table) =>
  objectsIn(table[list]).map((entry) => entry[field])

const SEPARATE: readonly Separate[] = [
  {
    what: 'AUTH_URL',
    why: 'Users, cookies and tokens of one deployment would be sent to the other.',
    fix: 'Give each environment an address of its own.',
    read: ({ vars }) => [Object(vars)['AUTH_URL']],
  },
  {
    what: 'the name of the Worker',
    why: 'Deploying one would replace the other.',
    fix: 'Remove name from the environment: Wrangler then appends the name of the environment to that of the top level.',
    read: ({ name }) => [name],
  },
  {
    what: 'a route',
    why: 'The one that is deployed last would get the requests of both. An environment without routes inherits those of the top level.',
    fix: 'Give each environment routes of its own, or routes = [] for none.',
    read: ({ route, routes = [] }) =>
      [route, routes].flat().map((entry) => (isObject(entry) ? entry['pattern'] : entry)),
  },
  {
    what: 'the database_id',
    why: 'Both would have the same users, clients and administrators.',
    fix: 'Remove database_id from the environment, and give it another database_name: its first deployment creates the database.',
    read: fieldOf('d1_databases', 'database_id'),
  },
  {
    what: 'the database_name',
    why: 'Both would have the same users, clients and administrators.',
    fix: 'Give the database of each environment a name of its own.',
    read: fieldOf('d1_databases', 'database_name'),
  },
  {
    what: 'the id of a KV namespace',
    why: 'Each would read what the other has stored.',
    fix: 'Remove id from the environment: its first deployment creates the namespace.',
    read: fieldOf('kv_namespaces', 'id'),
  },
  {
    what: 'the bucket_name',
    why: 'Both would write to the same bucket.',
    fix: 'Give each environment a bucket of its own.',
    read: fieldOf('r2_buckets', 'bucket_name'),
  },
  {
    what: 'the namespace_id of a rate limit',
    why: 'Requests to one use up the limits of the other.',
    fix: 'Choose a namespace_id for each that no other service in your Cloudflare account uses.',
    read: fieldOf('ratelimits', 'namespace_id'),
  },
]

/** Checks that the environments of the file are separate, except those for development. */
export function checkEnvironments({ raw, environment }: WranglerConfig): Finding[] {
  const all = readEnvironments(raw)
  const checked = all.find(({ name }) => name === environment)
  if (!checked || !isDeployed(checked)) return []
  return all
    .filter((other) => other !== checked && isDeployed(other))
    .flatMap((other) => SEPARATE.flatMap((rule) => compare(rule, checked, other)))
}

function readEnvironments({ env, ...top }: Table): NamedEnvironment[] {
  const { name: worker, route, routes } = top
  return [
    { name: undefined, title: 'the top level', table: top },
    ...Object.entries(isObject(env) ? env : {}).map(([name, declared]) => {
      const own: Table = isObject(declared) ? declared : {}
      const inherited = 'route' in own || 'routes' in own ? {} : { route, routes }
      const table = { ...inherited, name: `${worker}-${name}`, ...own }
      return { name, title: `[env.${name}]`, table }
    }),
  ]
}

/** An address on loopback is for development, where nothing is deployed. */
function isDeployed({ table: { vars } }: Environment): boolean {
  const url: unknown = Object(vars)['AUTH_URL']
  return typeof url === 'string' && !isLoopback(url)
}

function compare({ what, why, fix, read }: Separate, one: Environment, other: Environment) {
  const values = read(other.table)
  return [...new Set(read(one.table))]
    .filter((value) => value !== undefined && values.includes(value))
    .map((value) =>
      problem('environments', {
        what: `${one.title} and ${other.title} have ${what} in common: ${value}.`,
        why,
        fix,
      }),
    )
}
