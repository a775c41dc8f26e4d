import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkFiles } from '../../cli/configuration/check-configuration.ts'
import { type EntryFile, readEntryFile } from '../../cli/configuration/read-entry-file.ts'
import { readSettings, readWranglerConfig } from '../../cli/configuration/read-settings.ts'
import { checkBoundSessions } from '../../cli/configuration/urls.ts'
import { DIGEST_COMMAND } from '../../src/foundation/values/schemas.ts'
import { type Files, FORMATS, type Format } from './configuration-files.ts'
import { declaredDiagnoses, isDiagnosis } from './declared-diagnoses.ts'
import { secretDigest } from './secret-digest.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const MAIN = join(ROOT, 'src/index.ts')

/** A point on the curve P-256. */
const KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
}

const EDWARDS_KEY = { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) }
const FAPI2 = {
  profile: 'fapi2',
  id_token_signed_response_alg: 'ES256',
  jwks: { keys: [EDWARDS_KEY] },
}
const API = 'https://api.acme.dev'
const DATABASE_ID = '0f4ac1d6-5b1e-4c55-9a57-2f7b8a1f3c60'
const SECRET_DIGEST = '0'.repeat(64)

const OBJECTS = {
  USERS: 'UserObject',
  KEYRING: 'KeyringObject',
  GUARDS: 'GuardObject',
  REVOCATIONS: 'RevocationsObject',
  METRICS: 'MetricsObject',
  CLIENT_METADATA: 'ClientMetadataObject',
}

/** A valid configuration of a public service. */
function validDeployment() {
  return {
    wrangler: {
      name: 'login',
      main: MAIN,
      compatibility_date: '2026-09-01',
      compatibility_flags: ['global_fetch_strictly_public'],
      routes: ['login.acme.dev/*'] as unknown[],
      limits: { cpu_ms: 30_000 } as Fields,
      vars: {
        AUTH_URL: 'https://login.acme.dev',
        CLIENTS: [{ client_id: 'shop', redirect_uris: ['https://shop.other.dev/'] } as Fields],
      } as Fields & { CLIENTS: Fields[] },
      kv_namespaces: [{ binding: 'SESSIONS' }] as Fields[],
      d1_databases: [
        {
          binding: 'DIRECTORY',
          database_name: 'login',
          migrations_dir: `${ROOT}migrations`,
        } as Fields,
      ],
      durable_objects: {
        bindings: Object.entries(OBJECTS).map(([name, class_name]) => ({ name, class_name })),
      },
      migrations: [{ tag: 'v1', new_sqlite_classes: Object.values(OBJECTS) } as Fields],
      ratelimits: [
        { name: 'USER_RATE_LIMIT', namespace_id: '1', simple: { limit: 600, period: 60 } },
        { name: 'CLIENT_RATE_LIMIT', namespace_id: '2', simple: { limit: 6000, period: 60 } },
      ],
      triggers: { crons: ['* * * * *'] },
      observability: { enabled: true, redact_query_string: true } as Fields,
    },
    secrets: {
      AUTH_SECRET: 'q3vY8nTz1LkWm5XcRb7HsPj2GdFa9EuQ0iOtNyCxVw4',
      AUTH_TIKTOK_ID: 'aw8k2m5q9r4t7w1z',
      AUTH_TIKTOK_SECRET: '5yQ0cVnB7sTzKp3HgXwE9mRdU2fLaJ6o',
    } as Record<string, string>,
    others: {} as Record<string, string>,
    entryFile: { ...entryFile, options: { ...entryFile.options } } as Mutable<EntryFile>,
  }
}

type Provider = EntryFile['options']['providers'][number]
type Fields = Record<string, unknown>
type Mutable<T> = { -readonly [name in keyof T]: T[name] }
type Deployment = ReturnType<typeof validDeployment>
type Change = (deployment: Deployment) => void

interface Row {
  /** Changes that are each reported alone, with this text; of a table, with its name in the file. */
  wrong: readonly Change[]
  reports: string | ((format: Format) => string)
  /** Part of the remedy, where another one would be worse. */
  fix?: string
  /** Similar changes, of which nothing is reported. */
  accepted: readonly Change[]
  /** Reported, but not a reason to reject the configuration. */
  isWarning?: boolean
}

const setting =
  (name: string, value: unknown): Change =>
  ({ wrangler }) =>
    Object.assign(wrangler.vars, { [name]: value })

const secret =
  (name: string, value: string): Change =>
  ({ secrets }) =>
    Object.assign(secrets, { [name]: value })

/** Changes fields of the client, in a deployment with an API. */
const client =
  (fields: Fields, api: Fields = {}): Change =>
  ({ wrangler }) => {
    Object.assign(wrangler.vars.CLIENTS[0] ?? {}, fields)
    wrangler.vars['APIS'] = [{ identifier: API, ...api }]
  }

const wrangler =
  (fields: Fields): Change =>
  (deployment) =>
    Object.assign(deployment.wrangler, fields)

const migration =
  (step: Fields): Change =>
  (deployment) =>
    deployment.wrangler.migrations.push({ tag: 'v2', ...step })

const withoutClass = (deployment: Deployment) =>
  Object.assign(deployment.wrangler.migrations[0] ?? {}, {
    new_sqlite_classes: Object.values(OBJECTS).filter((name) => name !== 'GuardObject'),
  })

const userLimit =
  (simple: Fields): Change =>
  (deployment) =>
    Object.assign(deployment.wrangler.ratelimits[0] ?? {}, { simple })

const assets = (fields: Fields): Change =>
  wrangler({ assets: { directory: ROOT, binding: 'ASSETS', ...fields } })

/** Another environment in the file. */
const environment = (fields: Fields): Change =>
  wrangler({ env: { live: { vars: { AUTH_URL: 'https://live.acme.dev' }, ...fields } } })

/** A feature that needs a bucket. */
const withBucket =
  (fields: Fields): Change =>
  (deployment) => {
    const toml = '[[r2_buckets]]\nbinding = "AUDIT"'
    const feature = { id: 'archive', bindings: [{ name: 'AUDIT', method: 'put', toml }] }
    const { options } = deployment.entryFile
    deployment.entryFile.options = { ...options, features: [...(options.features ?? []), feature] }
    setting('AUTH_JURISDICTION', 'eu')(deployment)
    wrangler({ r2_buckets: [{ binding: 'AUDIT', bucket_name: 'audit', ...fields }] })(deployment)
  }

const database =
  (fields: Fields): Change =>
  (deployment) =>
    Object.assign(deployment.wrangler.d1_databases[0] ?? {}, fields)

const object =
  (name: string, fields: Fields): Change =>
  (deployment) =>
    Object.assign(
      deployment.wrangler.durable_objects.bindings.find((binding) => binding.name === name) ?? {},
      fields,
    )

const file =
  (name: string, text: string, ignored = ''): Change =>
  ({ others }) =>
    Object.assign(others, {
      [name]: text,
      '.gitignore': `.dev.vars\n.dev.vars.next-stage\nnext-secrets.json\n${ignored}`,
    })

/** The features that need no schedule. */
const withoutJobs = ({ features = [], ...options }: EntryFile['options']) => ({
  ...options,
  features: features.filter((feature) => !('schedule' in feature)),
})

const own = { redirect_uris: ['https://shop.acme.dev/'], first_party: true }
const ownServer = { ...own, client_secrets_sha256: [SECRET_DIGEST] }

/** A service for development, with the key of a sandbox. */
const local: Change = (deployment) => {
  setting('AUTH_URL', 'http://localhost:8787')(deployment)
  wrangler({ routes: [] })(deployment)
  secret('AUTH_TIKTOK_ID', 'sbaw8k2m5q9r4t7w1z')(deployment)
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

const manyEntries = (size: number, entry: (index: number) => Fields) => {
  const entries: Fields[] = []
  while (JSON.stringify(entries).length < size) entries.push(entry(entries.length))
  return entries
}
const manyClients = (size: number) =>
  manyEntries(size, (index) => ({
    client_id: `c${index}`,
    redirect_uris: [`https://${index}.acme.dev/`],
  }))
const manyApis = (size: number) =>
  manyEntries(size, (index) => ({ identifier: `https://api-${index}.acme.dev` }))

const TABLE: readonly Row[] = [
  {
    wrong: [setting('AUTH_ADMINS', 'tictok:123'), setting('AUTH_ADMINS', 'tiktok:1,tictok:123')],
    reports: 'AUTH_ADMINS has an account of tictok, but no such provider is enabled.',
    accepted: [
      setting('AUTH_ADMINS', 'tiktok:1,tiktok:2'),
      setting('AUTH_ADMINS', 'usr_0123456789abcdefghijkl'),
    ],
  },
  {
    wrong: [setting('AUTH_ADMINS', 'tiktok:<open_id>')],
    reports: 'AUTH_ADMINS is still the placeholder: replace what is between < and >',
    accepted: [],
  },
  {
    wrong: [client({ jwks: { keys: [{ ...KEY, y: KEY.x }] } })],
    reports:
      'The client shop has a key in jwks.keys.0 that does not exist: its numbers are not those of a key.',
    accepted: [client({ jwks: { keys: [KEY] } })],
  },
  {
    wrong: [
      client({
        jwks: {
          keys: [
            { ...KEY, kid: 'a' },
            { ...KEY, kid: 'b', y: KEY.x },
          ],
        },
      }),
    ],
    reports: 'The client shop has a key in jwks.keys.1 that does not exist',
    accepted: [],
  },
  ...(['resources', 'introspects'] as const).map((field) => ({
    wrong: [client({ jwks: { keys: [KEY] }, [field]: [`${API}/`] })],
    reports: `The client shop has ${API}/ in ${field}, but the API is ${API}.`,
    accepted: [client({ jwks: { keys: [KEY] }, [field]: [API] })],
  })),
  {
    wrong: [client({ post_logout_redirect_uris: ['https://*.shop.other.dev/'] })],
    reports:
      'The client shop has a wildcard in post_logout_redirect_uris: https://*.shop.other.dev/.',
    accepted: [],
  },
  {
    wrong: ['app.example.com', 'acme.example', 'acme.test', 'login.invalid'].map((host) =>
      client({ redirect_uris: ['https://shop.other.dev/', `https://${host}/`] }),
    ),
    reports: 'The client shop has the example address https://',
    accepted: [client({ redirect_uris: ['https://example.dev/', 'https://myexample.com/'] })],
  },
  {
    wrong: [
      client({ redirect_uris: ['http://localhost:5173/'] }),
      client({ redirect_uris: ['http://127.0.0.1:5173/'] }),
    ],
    reports: 'The client shop has only loopback addresses, such as http://',
    accepted: [
      client({ redirect_uris: ['http://127.0.0.1/'], application_type: 'native' }),
      client({ redirect_uris: ['com.acme.app:/callback'], application_type: 'native' }),
    ],
  },
  {
    wrong: [client({ redirect_uris: ['http://localhost:5173/', 'https://shop.other.dev/'] })],
    reports: 'The client shop has the loopback address http://localhost:5173/ next to others.',
    accepted: [],
    isWarning: true,
  },
  {
    wrong: [client({ ...ownServer, upstream_tokens: ['tictok'] })],
    reports: 'The client shop has tictok in upstream_tokens, but no such provider is enabled.',
    accepted: [],
  },
  {
    wrong: [client({ ...ownServer, upstream_tokens: ['tiktok'] })],
    reports:
      'The client shop has tiktok in upstream_tokens, but the tokens of tiktok are not kept.',
    accepted: [
      (deployment) => {
        client({ ...ownServer, upstream_tokens: ['tiktok'] })(deployment)
        setting('AUTH_TIKTOK_TOKENS', 'keep')(deployment)
      },
    ],
  },
  {
    wrong: [client({ ...FAPI2, resources: [API] }, { access_token_signing_alg: 'RS256' })],
    reports: `The client shop has the profile fapi2, but tokens for ${API} are signed with RS256.`,
    accepted: [
      client({ ...FAPI2, resources: [API] }, { access_token_signing_alg: 'ES256' }),
      client(FAPI2, { access_token_signing_alg: 'RS256' }),
      client({ resources: [API] }, { access_token_signing_alg: 'RS256' }),
    ],
  },
  {
    wrong: [client({ first_party: true })],
    reports:
      'The client shop is first_party, but https://shop.other.dev is another site than https://login.acme.dev.',
    accepted: [
      client(own),
      client({
        first_party: true,
        redirect_uris: ['com.acme.app:/callback'],
        application_type: 'native',
      }),
    ],
    isWarning: true,
  },
  {
    wrong: [
      (deployment) => {
        client({ first_party: true, redirect_uris: ['https://shop.other.workers.dev/'] })(
          deployment,
        )
        setting('AUTH_URL', 'https://login.acme.workers.dev')(deployment)
        wrangler({ routes: [] })(deployment)
      },
      ({ wrangler }) => {
        const fields = { client_id: 'more', redirect_uris: ['https://shop.other.workers.dev/'] }
        wrangler.vars.CLIENTS.push({ ...fields, first_party: true })
      },
    ],
    reports:
      'is first_party, but https://shop.other.workers.dev is another site than https://login.',
    accepted: [
      (deployment) => {
        client({ first_party: true, redirect_uris: ['https://shop.acme.workers.dev/'] })(deployment)
        setting('AUTH_URL', 'https://login.acme.workers.dev')(deployment)
        wrangler({ routes: [] })(deployment)
      },
      (deployment) => {
        client({ first_party: true })(deployment)
        local(deployment)
      },
    ],
    isWarning: true,
  },
  {
    wrong: [client({ upstream_scope: ['user.info.stat'] })],
    reports:
      'The client shop requires the scope user.info.stat, which no enabled provider requests or is known to have.',
    accepted: [client({ upstream_scope: ['video.list'] })],
    isWarning: true,
  },
  {
    wrong: [client({ scope: 'openid orders:read' })],
    reports: 'The client shop has the scope orders:read, which no API in the settings has.',
    accepted: [
      client(
        { scope: 'openid profile email offline_access orders:read' },
        { scopes: [{ name: 'orders:read', description: 'Read orders.' }] },
      ),
    ],
    isWarning: true,
  },
  {
    wrong: ['https://elsewhere.dev/', 'https://other.dev/', 'https://www.shop.other.dev/'].map(
      (uri) => client({ post_logout_redirect_uris: ['https://shop.other.dev/bye', uri] }),
    ),
    reports: 'The client shop returns users to http',
    accepted: [client({ post_logout_redirect_uris: ['https://shop.other.dev/bye'] })],
    isWarning: true,
  },
  {
    wrong: [
      setting('CLIENTS', manyClients(4100)),
      setting('CLIENTS', JSON.stringify(manyClients(4100))),
    ],
    reports: 'CLIENTS has 41',
    accepted: [setting('CLIENTS', manyClients(3900))],
    isWarning: true,
  },
  {
    wrong: [setting('CLIENTS', manyClients(5121))],
    reports: 'CLIENTS has 51',
    accepted: [],
  },
  {
    wrong: [setting('APIS', manyApis(4100))],
    reports: 'APIS has 41',
    accepted: [setting('APIS', manyApis(3900))],
    isWarning: true,
  },
  { wrong: [setting('APIS', manyApis(5121))], reports: 'APIS has 51', accepted: [] },
  ...['.dev.vars.production', '.secrets', '.secrets.staging'].map((name) => ({
    wrong: [file(name, 'AUTH_SECRET=x')],
    reports: `Git does not ignore ${name}.`,
    accepted: [file(name, 'AUTH_SECRET=x', name), file(`${name}.example`, 'AUTH_SECRET=')],
  })),
  ...['.env', '.env.production'].map((name) => ({
    wrong: [file(name, 'VITE_TITLE=Acme\nAUTH_GOOGLE_SECRET=x')],
    reports: `Git does not ignore ${name}.`,
    accepted: [
      file(name, 'VITE_TITLE=Acme'),
      file(name, 'AUTH_SECRET=x', '.env*'),
      file(`${name}.example`, 'AUTH_SECRET='),
    ],
  })),
  {
    wrong: [
      secret('AUTH_TIKTOK_SECRET', ' 5yQ0cVnB7sTzKp3HgXwE9mRdU2fLaJ6o'),
      secret('AUTH_TIKTOK_SECRET', '5yQ0cVnB7sTzKp3HgXwE9mRdU2fLaJ6o '),
    ],
    reports: 'AUTH_TIKTOK_SECRET starts or ends with whitespace.',
    accepted: [],
  },
  {
    wrong: [client({ ...own, redirect_uris: ['https://*.shop.acme.dev/'] })],
    reports:
      'The client shop accepts https://*.shop.acme.dev/: every host below shop.acme.dev gets codes of your users.',
    accepted: [],
    isWarning: true,
  },
  {
    wrong: ['', '\n', '\r\n'].map((empty) =>
      client({ ...own, client_secrets_sha256: [SECRET_DIGEST, secretDigest(empty)] }),
    ),
    reports: 'client_secrets_sha256.1 is the SHA-256 of an empty secret, with which anyone could',
    accepted: [client(ownServer)],
  },
  {
    wrong: ['test', 'changeme\n', 'Password', 'shop', 'SHOP', 'undefined', '$SECRET'].map((word) =>
      client({ ...own, client_secrets_sha256: [SECRET_DIGEST, secretDigest(word)] }),
    ),
    reports:
      'The client shop has a secret that anyone would guess: client_secrets_sha256.1 is the digest',
    accepted: [client({ ...own, client_secrets_sha256: [secretDigest(randomUUID())] })],
  },
  {
    wrong: [
      (deployment) => secret('AUTH_SECRET_1', deployment.secrets['AUTH_SECRET'] ?? '')(deployment),
    ],
    reports: 'AUTH_SECRET_1 is equal to AUTH_SECRET.',
    accepted: [secret('AUTH_SECRET_1', 'Xq3vY8nTz1LkWm5cRb7HsPj2GdFa9EuQ0iOtNyCxVw4')],
  },
  {
    wrong: [
      (deployment) => secret('AUTH_SECRET_2', deployment.secrets['AUTH_SECRET'] ?? '')(deployment),
    ],
    reports: 'AUTH_SECRET_2 is equal to AUTH_SECRET.',
    accepted: [],
  },
  {
    wrong: [
      (deployment) =>
        secret('AUTH_SECRET_LEAKED', deployment.secrets['AUTH_SECRET'] ?? '')(deployment),
    ],
    reports: 'AUTH_SECRET_LEAKED is equal to AUTH_SECRET.',
    accepted: [
      secret('AUTH_SECRET_LEAKED', 'Xq3vY8nTz1LkWm5cRb7HsPj2GdFa9EuQ0iOtNyCxVw4'),
      secret('AUTH_SECRET_LEAKED_1', 'Xq3vY8nTz1LkWm5cRb7HsPj2GdFa9EuQ0iOtNyCxVw4'),
    ],
  },
  {
    wrong: [
      ({ secrets }) =>
        Object.assign(secrets, {
          AUTH_SECRET_1: 'Xq3vY8nTz1LkWm5cRb7HsPj2GdFa9EuQ0iOtNyCxVw4',
          AUTH_SECRET_LEAKED_1: 'Xq3vY8nTz1LkWm5cRb7HsPj2GdFa9EuQ0iOtNyCxVw4',
        }),
    ],
    reports: 'AUTH_SECRET_1 is a leaked secret, which AUTH_SECRET_LEAKED has, too.',
    accepted: [],
  },
  {
    wrong: [
      (deployment) => {
        secret('AUTH_GITHUB_ID', 'a')(deployment)
        secret('AUTH_GITHUB_SECRET', 'b')(deployment)
        setting('AUTH_GITHUB_ENABLED', 'off')(deployment)
      },
    ],
    reports: 'github is switched off by AUTH_GITHUB_ENABLED.',
    accepted: [setting('AUTH_TIKTOK_ENABLED', 'on')],
    isWarning: true,
  },
  {
    wrong: ['https://App.acme.dev/', 'https://app.acme.dev:443/', 'https:/app.acme.dev/'].map(
      (url) => client({ redirect_uris: [url] }),
    ),
    reports: 'redirect_uris of the client shop has https:',
    accepted: [client({ redirect_uris: ['https://app.acme.dev:8443/A/b?c=%20'] })],
  },
  {
    wrong: [wrangler({ compatibility_date: '2026-08-31' })],
    reports: 'compatibility_date is 2026-08-31.',
    accepted: [wrangler({ compatibility_date: inDays(0) })],
  },
  {
    wrong: [wrangler({ compatibility_date: inDays(1) })],
    reports: `compatibility_date is ${inDays(1)}, which is in the future.`,
    accepted: [],
  },
  {
    wrong: [
      wrangler({ compatibility_flags: [] }),
      wrangler({ compatibility_flags: ['global_fetch_private_origin'] }),
    ],
    reports: 'compatibility_flags does not contain global_fetch_strictly_public.',
    accepted: [
      wrangler({ compatibility_flags: ['nodejs_compat', 'global_fetch_strictly_public'] }),
    ],
  },
  {
    wrong: [({ entryFile }) => Object.assign(entryFile, { handlers: [] })],
    reports: 'The default export of the entry file has no fetch.',
    accepted: [],
  },
  {
    wrong: [
      ({ entryFile }) => {
        entryFile.handlers = []
        entryFile.exportedNames = Object.values(OBJECTS)
      },
    ],
    reports: 'The entry file has no default export.',
    accepted: [],
  },
  {
    wrong: [
      ({ entryFile }) => Object.assign(entryFile, { handlers: ['fetch'] }),
      ({ entryFile }) => {
        entryFile.handlers = ['fetch']
        entryFile.options = withoutJobs(entryFile.options)
      },
    ],
    reports: 'The default export of the entry file has no scheduled.',
    accepted: [
      ({ wrangler, entryFile }) => {
        wrangler.triggers.crons = []
        entryFile.handlers = ['fetch']
        entryFile.options = withoutJobs(entryFile.options)
      },
    ],
  },
  {
    wrong: [
      ({ entryFile }) => {
        entryFile.exportedNames = entryFile.exportedNames.filter((name) => name !== 'GuardObject')
      },
    ],
    reports: 'The entry file does not export GuardObject.',
    accepted: [
      ({ entryFile }) =>
        Object.assign(entryFile, { exportedNames: [...entryFile.exportedNames, 'More'] }),
    ],
  },
  {
    wrong: [
      migration({ renamed_classes: [{ from: 'UserObject', to: 'People' }] }),
      (deployment) => {
        withoutClass(deployment)
        deployment.wrangler.migrations.push(
          { tag: 'v2', new_sqlite_classes: ['Guard'] },
          { tag: 'v3', renamed_classes: [{ from: 'Guard', to: 'GuardObject' }] },
          { tag: 'v4', renamed_classes: [{ from: 'GuardObject', to: 'Guard' }] },
        )
      },
    ],
    reports: 'Object is renamed to ',
    accepted: [
      // The class is exported under its new name.
      (deployment) => {
        migration({ renamed_classes: [{ from: 'UserObject', to: 'People' }] })(deployment)
        object('USERS', { class_name: 'People' })(deployment)
        const { entryFile } = deployment
        const { UserObject, ...classNames } = entryFile.classNames
        entryFile.classNames = { ...classNames, People: 'UserObject' }
        entryFile.exportedNames = ['default', ...Object.keys(entryFile.classNames)]
      },
    ],
  },
  {
    wrong: [migration({ tag: 'v1', new_sqlite_classes: ['More'] })],
    reports: 'Two [[migrations]] have the tag v1.',
    accepted: [migration({ new_sqlite_classes: ['More'] })],
  },
  {
    wrong: [object('USERS', { script_name: 'former-login' })],
    reports: 'The objects of USERS are in the Worker former-login.',
    accepted: [
      ({ wrangler }) => {
        const fields = { name: 'ROOMS', class_name: 'RoomObject', script_name: 'chat' }
        wrangler.durable_objects.bindings.push(fields)
      },
    ],
  },
  {
    wrong: [migration({ deleted_classes: ['UserObject'] })],
    reports: 'UserObject is in deleted_classes of [[migrations]].',
    accepted: [
      (deployment) => {
        migration({ new_classes: ['Former'] })(deployment)
        deployment.wrangler.migrations.push({ tag: 'v3', deleted_classes: ['Former'] })
      },
    ],
  },
  {
    wrong: [
      (deployment) => {
        withoutClass(deployment)
        migration({ new_classes: ['GuardObject'] })(deployment)
      },
      (deployment) => {
        withoutClass(deployment)
        migration({ new_classes: ['Guard'] })(deployment)
        deployment.wrangler.migrations.push({
          tag: 'v3',
          renamed_classes: [{ from: 'Guard', to: 'GuardObject' }],
        })
      },
    ],
    reports: 'GuardObject is in new_classes of [[migrations]].',
    fix: 'Move GuardObject from new_classes to new_sqlite_classes of the same migration.',
    accepted: [],
  },
  {
    wrong: [withoutClass],
    reports: 'GuardObject is in no [[migrations]].',
    accepted: [
      (deployment) => {
        withoutClass(deployment)
        migration({ new_sqlite_classes: ['GuardObject'] })(deployment)
      },
      (deployment) => {
        withoutClass(deployment)
        migration({ new_sqlite_classes: ['Guard'] })(deployment)
        deployment.wrangler.migrations.push({
          tag: 'v3',
          renamed_classes: [{ from: 'Guard', to: 'GuardObject' }],
        })
      },
    ],
  },
  {
    wrong: [database({ migrations_dir: 'sql' })],
    reports: 'migrations_dir is sql, which does not contain the migrations of the service.',
    accepted: [],
  },
  {
    wrong: [({ wrangler }) => delete wrangler.d1_databases[0]?.['migrations_dir']],
    reports: 'migrations_dir of the database DIRECTORY is missing.',
    accepted: [],
  },
  {
    wrong: [({ wrangler }) => Object.assign(wrangler.ratelimits[1] ?? {}, { namespace_id: '1' })],
    reports: 'USER_RATE_LIMIT and CLIENT_RATE_LIMIT have the same namespace_id, 1.',
    accepted: [],
  },
  {
    wrong: [userLimit({ limit: 59, period: 60 }), userLimit({ limit: 9, period: 10 })],
    reports: 'USER_RATE_LIMIT allows ',
    accepted: [userLimit({ limit: 60, period: 60 }), userLimit({ limit: 10, period: 10 })],
  },
  {
    wrong: [
      wrangler({ triggers: { crons: [] } }),
      wrangler({ triggers: { crons: ['*/5 * * * *'] } }),
      wrangler({ triggers: { crons: ['* * * * 1'] } }),
    ],
    reports: 'crons under [triggers] does not contain "* * * * *".',
    accepted: [
      wrangler({ triggers: { crons: ['*/1 * * * *'] } }),
      wrangler({ triggers: { crons: ['0 3 * * *', '* * * * *'] } }),
    ],
  },
  ...[
    ['SESSIONS', 'kv_namespaces'],
    ['DIRECTORY', 'd1_databases'],
    ['USER_RATE_LIMIT', 'ratelimits'],
    ['CLIENT_RATE_LIMIT', 'ratelimits'],
  ].map(
    ([name = '', table = '']): Row => ({
      wrong: [
        ({ wrangler }) => {
          const entries = Reflect.get(wrangler, table) as Fields[]
          const others = entries.filter(
            (entry) => entry['binding'] !== name && entry['name'] !== name,
          )
          Reflect.set(wrangler, table, others)
        },
      ],
      reports: `The binding ${name} is missing.`,
      accepted: [],
    }),
  ),
  ...Object.keys(OBJECTS).map(
    (name): Row => ({
      wrong: [object(name, { name: `${name}_2` })],
      reports: `The binding ${name} is missing.`,
      accepted: [],
    }),
  ),
  ...Object.keys(OBJECTS).map(
    (name): Row => ({
      wrong: [object(name, { class_name: name === 'USERS' ? 'GuardObject' : 'UserObject' })],
      reports: `The binding ${name} is declared, but not in [[durable_objects.bindings]]`,
      accepted: [],
    }),
  ),
  {
    wrong: ['AUDIT', 'AUDITS'].map((binding) =>
      wrangler({ r2_buckets: [{ binding, bucket_name: 'audit' }] }),
    ),
    reports: 'The bucket AUDIT',
    accepted: [wrangler({ r2_buckets: [{ binding: 'IMAGES', bucket_name: 'images' }] })],
    isWarning: true,
  },
  {
    wrong: [database({ database_id: 'my-database' }), database({ database_id: '' })],
    reports: 'The database_id of DIRECTORY is "',
    accepted: [
      (deployment) => {
        database({ database_id: 'my-database' })(deployment)
        local(deployment)
      },
    ],
  },
  ...[
    ['CLIENT', 'CLIENTS', { client_id: 'a', redirect_uris: ['https://a.dev/'] }] as const,
    ['clients', 'CLIENTS', { client_id: 'a', redirect_uris: ['https://a.dev/'] }] as const,
    ['API', 'APIS', { identifier: API }] as const,
  ].map(
    ([name, meant, entry]): Row => ({
      wrong: [setting(name, [entry])],
      reports: ({ file }) => `${name} in [vars] of ${file} is not a setting of this service.`,
      accepted: [setting(meant, [entry]), setting(name, [{ colour: 'red' }])],
    }),
  ),
  ...['AUTH_ADMINS', 'AUTH_SECRET', 'CLIENTS', 'APIS', 'UNREGISTERED_CLIENTS'].flatMap(
    (name): Row[] => [
      {
        wrong: [wrangler({ [name]: 'tiktok:1' })],
        reports: ({ file, table }) =>
          `${name} is ${table('') === '' ? 'above the first table' : `in [${table('')}]`} of ${file}.`,
        accepted: [],
      },
      ...['observability', 'limits'].map(
        (other): Row => ({
          wrong: [
            ({ wrangler }) => Object.assign(Reflect.get(wrangler, other), { [name]: 'tiktok:1' }),
          ],
          reports: ({ file, table }) => `${name} is in [${table(other)}] of ${file}.`,
          accepted: [],
        }),
      ),
      {
        wrong: [
          ({ wrangler }) => Object.assign(wrangler.kv_namespaces[0] ?? {}, { [name]: 'tiktok:1' }),
        ],
        reports: ({ file, table }) => `${name} is in [${table('kv_namespaces')}] of ${file}.`,
        accepted: [],
      },
    ],
  ),
  {
    wrong: [client({ AUTH_ADMINS: 'tiktok:1' })],
    reports:
      'AUTH_ADMINS is in the table of the client shop, because it comes after [[vars.CLIENTS]].',
    accepted: [],
  },
  {
    wrong: [client({}, { AUTH_ADMINS: 'tiktok:1' })],
    reports: `AUTH_ADMINS is in the table of the API ${API}, because it comes after [[vars.APIS]].`,
    accepted: [],
  },
  {
    wrong: [wrangler({ routes: [] })],
    reports: 'The Worker has no route, but AUTH_URL is https://login.acme.dev.',
    accepted: [
      (deployment) => {
        wrangler({ routes: [] })(deployment)
        setting('AUTH_URL', 'https://login.acme.workers.dev')(deployment)
      },
    ],
  },
  {
    wrong: ['auth.acme.dev', '*.login.acme.dev/*', 'https://acme.dev/login/*'].map((route) =>
      wrangler({ routes: [route] }),
    ),
    reports: 'The Worker is routed from ',
    accepted: [
      wrangler({ routes: ['auth.acme.dev/*', 'login.acme.dev/*'] }),
      wrangler({ routes: ['*.acme.dev/*'] }),
      wrangler({ routes: ['https://login.acme.dev/*', 'login.acme.dev/old'] }),
      wrangler({ routes: ['login.acme.dev*'] }),
      wrangler({ routes: [{ pattern: 'login.acme.dev', custom_domain: true }] }),
      (deployment) => {
        Reflect.deleteProperty(deployment.wrangler, 'routes')
        wrangler({ route: 'login.acme.dev/*' })(deployment)
      },
    ],
  },
  {
    wrong: ['login.acme.dev', 'login.acme.dev/', 'login.acme.dev/auth/*'].map((route) =>
      wrangler({ routes: [route] }),
    ),
    reports: 'The route login.acme.dev',
    accepted: [],
  },
  {
    wrong: [wrangler({ routes: ['http://login.acme.dev/*'] })],
    reports: 'The route http://login.acme.dev/* is for http only.',
    accepted: [],
  },
  {
    wrong: [setting('AUTH_URL', 'https://login.acme.dev:8443')],
    reports: 'AUTH_URL is https://login.acme.dev:8443, but routes have no ports.',
    fix: 'Remove :8443 from AUTH_URL',
    accepted: [],
  },
  {
    wrong: [
      assets({ not_found_handling: 'single-page-application' }),
      assets({ not_found_handling: '404-page', run_worker_first: false }),
      assets({ not_found_handling: 'single-page-application', run_worker_first: ['/api/*'] }),
    ],
    reports: 'A browser that opens a page of the service gets a file of [assets] instead.',
    accepted: [
      assets({}),
      assets({ not_found_handling: 'none' }),
      assets({ not_found_handling: 'single-page-application', run_worker_first: true }),
      assets({ not_found_handling: 'single-page-application', run_worker_first: ['/*'] }),
    ],
  },
  {
    wrong: [
      (deployment) => {
        setting('AUTH_URL', 'http://localhost:8787')(deployment)
        secret('AUTH_TIKTOK_ID', 'sbaw8k2m5q9r4t7w1z')(deployment)
      },
    ],
    reports:
      'The Worker is routed from login.acme.dev, but AUTH_URL in wrangler.toml is http://localhost:8787.',
    accepted: [],
    isWarning: true,
  },
  ...['AUTH_TIKTOK_SECRET_1', 'AUTH_SECRET_1', 'AUTH_GOOGLE_SECRET', 'AUTH_RESEND_KEY'].map(
    (name): Row => ({
      wrong: [
        ({ wrangler }) =>
          Object.assign(wrangler, { env: { live: { vars: { [name]: 'a'.repeat(43) } } } }),
      ],
      reports: ({ file }) => `${name} is in [env.live.vars] of ${file}.`,
      accepted: [],
    }),
  ),
  {
    wrong: [setting('AUTH_TIKTOK_SECRET_1', '7xQ0cVnB7sTzKp3HgXwE9mRdU2fLaJ6o')],
    reports: ({ file, table }) => `AUTH_TIKTOK_SECRET_1 is in [${table('vars')}] of ${file}.`,
    accepted: [],
  },
  {
    wrong: [
      wrangler({ observability: { enabled: true } }),
      wrangler({ observability: { enabled: true, redact_query_string: false } }),
      wrangler({ observability: { logs: { enabled: true } } }),
      wrangler({ observability: { traces: { enabled: true } } }),
    ],
    reports: 'Cloudflare logs the query strings of requests.',
    accepted: [
      wrangler({ observability: { enabled: false } }),
      wrangler({ observability: { redact_query_string: true, logs: { enabled: true } } }),
    ],
  },
  {
    wrong: [({ wrangler }) => delete wrangler.limits['cpu_ms']],
    reports: 'The Cloudflare account may have the free plan',
    accepted: [wrangler({ limits: { cpu_ms: 50 } })],
    isWarning: true,
  },
  {
    wrong: [wrangler({ limits: { cpu_ms: 2 } }), wrangler({ limits: { cpu_ms: 49 } })],
    reports: 'cpu_ms is ',
    accepted: [wrangler({ limits: { cpu_ms: 50 } })],
  },
  {
    wrong: [withBucket({}), withBucket({ jurisdiction: 'us' })],
    reports: 'AUTH_JURISDICTION is eu, but the bucket AUDIT is ',
    accepted: [withBucket({ jurisdiction: 'eu' })],
  },
  ...[
    { vars: { AUTH_URL: 'https://login.acme.dev' } },
    { route: 'login.acme.dev/*' },
    { d1_databases: [{ binding: 'DB', database_id: DATABASE_ID }] },
    { d1_databases: [{ binding: 'DB', database_name: 'login' }] },
    { kv_namespaces: [{ binding: 'KV', id: 'a1' }] },
    { r2_buckets: [{ binding: 'IMAGES', bucket_name: 'images' }] },
    { ratelimits: [{ name: 'OTHER', namespace_id: '2', simple: { limit: 60, period: 60 } }] },
  ].map((fields): Row => {
    const shared = (deployment: Deployment) => {
      wrangler({ r2_buckets: [{ binding: 'IMAGES', bucket_name: 'images' }] })(deployment)
      Object.assign(deployment.wrangler.kv_namespaces[0] ?? {}, { id: 'a1' })
      database({ database_id: DATABASE_ID })(deployment)
    }
    return {
      wrong: [
        (deployment) => {
          shared(deployment)
          environment({ routes: [], ...fields })(deployment)
        },
      ],
      reports: ' in common: ',
      accepted: [
        (deployment) => {
          shared(deployment)
          const vars = { AUTH_URL: 'http://localhost:8787' }
          environment({ routes: [], ...fields, vars })(deployment)
        },
      ],
    }
  }),
  {
    wrong: [
      setting('auth_admins', 'tiktok:1'),
      setting('Auth_Admins', 'tiktok:1'),
      secret('auth_google_id', 'x'),
    ],
    reports: ' is not a setting of this service.',
    accepted: [setting('author', 'x'), setting('my_auth_url', 'x')],
  },
  {
    wrong: [secret('AUTH_TIKTOK_ID', 'sbaw8k2m5q9r4t7w1z')],
    reports: 'The client key belongs to a sandbox',
    accepted: [],
    isWarning: true,
  },
  {
    wrong: ['aw8k2m5q9r4t7w1', 'Aw8k2m5q9r4t7w1z', '7106594312292453675'].map((key) =>
      secret('AUTH_TIKTOK_ID', key),
    ),
    reports: 'The client key does not look like a key of the platform',
    accepted: [secret('AUTH_TIKTOK_ID', 'aw8k2m5q9r4t7w1z0')],
    isWarning: true,
  },
]

const MACHINE = { jwks: { keys: [KEY] }, grant_types: ['client_credentials'] }
const SCOPES = { scopes: [{ name: 'orders:read', description: 'Read orders.' }] }

const withGoogle =
  (id: string, value: string): Change =>
  ({ secrets }) =>
    Object.assign(secrets, { AUTH_GOOGLE_ID: id, AUTH_GOOGLE_SECRET: value })

const withApple =
  (value: string): Change =>
  ({ secrets }) =>
    Object.assign(secrets, { AUTH_APPLE_ID: 'dev.acme.login', AUTH_APPLE_SECRET: value })

const withIssuer = (AUTH_OIDC_ISSUER: string): Change => {
  return ({ secrets }) =>
    Object.assign(secrets, { AUTH_OIDC_ID: 'a', AUTH_OIDC_SECRET: 'b', AUTH_OIDC_ISSUER })
}

const secondClient =
  (fields: Fields): Change =>
  (deployment) => {
    client(own)(deployment)
    deployment.wrangler.vars.CLIENTS.push({ client_id: 'more', ...fields })
  }

const withFeature =
  (feature: { id: string }): Change =>
  ({ entryFile }) => {
    const { features = [], ...options } = entryFile.options
    entryFile.options = { ...options, features: [...features, feature] }
  }

/** A feature whose step leads to this page. */
const ownStep = (required: () => unknown): Change =>
  withFeature(Object.assign({ id: 'terms' }, { ownStep: { required, pages: ['/terms'] } }))

const boundSessions = (members: Fields): Change =>
  withFeature(Object.assign({ id: 'bound' }, { boundSessions: members }))

const locally =
  (change: Change): Change =>
  (deployment) => {
    local(deployment)
    change(deployment)
  }

/** What depends on values only, and not on the file that they are written in. */
const VALUES: readonly Row[] = [
  {
    wrong: [setting('AUTH_URL', 'https://Login.acme.dev')],
    reports: 'AUTH_URL must be in lower case, as browsers spell it.',
    fix: 'Enter https://login.acme.dev.',
    accepted: [],
  },
  {
    wrong: ['', ':443', '/api/auth'].map((end) =>
      setting('AUTH_URL', `https://login.acme.dev${end}/`),
    ),
    reports: 'AUTH_URL must be an https origin without a path',
    fix: 'Enter https://login.acme.dev.',
    accepted: [],
  },
  {
    wrong: [client({ postLogoutRedirectUris: [] })],
    reports: 'postLogoutRedirectUris does not exist: did you mean post_logout_redirect_uris?',
    accepted: [],
  },
  {
    wrong: [({ wrangler }) => delete wrangler.vars.CLIENTS[0]?.['redirect_uris']],
    reports: 'redirect_uris is missing: a client that signs users in needs at least one.',
    fix: 'set grant_types = ["client_credentials"]',
    accepted: [],
  },
  {
    wrong: [client({ ...MACHINE })],
    reports: 'The client shop has client_credentials, but no resources.',
    accepted: [
      client({ ...MACHINE, resources: ['https://other.acme.dev'] }),
      client(MACHINE, { clients: ['shop'], client_credentials: true }),
    ],
    isWarning: true,
  },
  {
    wrong: [client({ ...MACHINE, resources: [API] }), client(MACHINE, { clients: ['shop'] })],
    reports: `The client shop has client_credentials, but ${API} does not accept them.`,
    accepted: [client({ ...MACHINE, resources: [API] }, { client_credentials: true })],
  },
  {
    wrong: [client({ grant_types: ['refresh_token'] })],
    reports: 'The client shop has only refresh_token in grant_types.',
    accepted: [client({ grant_types: ['authorization_code'] })],
  },
  {
    wrong: [client({ scope: 'openid,profile' }), client({ scope: 'openid profile,email' })],
    reports: 'a comma is part of the name of a scope.',
    fix: 'Separate scopes by spaces: ',
    accepted: [client({ scope: 'openid profile' })],
  },
  {
    wrong: [
      client({ scope: 'openid offline_access', grant_types: ['authorization_code'] }),
      ({ wrangler, secrets }) => {
        const fields = { scope: 'openid offline_access', grant_types: ['authorization_code'] }
        const [shop] = wrangler.vars.CLIENTS
        Reflect.deleteProperty(wrangler.vars, 'CLIENTS')
        secrets['CLIENTS'] = JSON.stringify([{ ...shop, ...fields }])
      },
    ],
    reports: 'The client shop has offline_access in scope, but not refresh_token in grant_types.',
    accepted: [
      client({ scope: 'openid offline_access' }),
      client({ grant_types: ['authorization_code'] }),
    ],
  },
  {
    wrong: ['https://10.0.0.7/out', 'https://app.internal/out', 'https://localhost/out'].map(
      (uri) => client({ backchannel_logout_uri: uri }),
    ),
    reports: ' as backchannel_logout_uri, which is not a public address.',
    accepted: [client({ backchannel_logout_uri: 'https://app.acme.dev/out' })],
  },
  {
    wrong: ['https://keycloak.internal', 'https://10.0.0.7'].map(withIssuer),
    reports: 'The discovery document of oidc at https://',
    accepted: [withIssuer('https://id.acme.dev'), locally(withIssuer('https://id.internal'))],
  },
  {
    wrong: [
      client({ application_type: 'native', client_secrets_sha256: [SECRET_DIGEST] }),
      client({ application_type: 'native', jwks: { keys: [KEY] } }),
    ],
    reports: 'The client shop is native, and has a ',
    accepted: [client({ application_type: 'native' })],
    isWarning: true,
  },
  {
    wrong: [secondClient({ ...own, redirect_uris: ['https://shop.acme.dev/more'] })],
    reports: 'The clients shop and more are first_party at the same origin, https://shop.acme.dev.',
    accepted: [
      secondClient({ ...own, redirect_uris: ['https://more.acme.dev/'] }),
      secondClient({ redirect_uris: ['https://shop.acme.dev/more'] }),
    ],
    isWarning: true,
  },
  {
    wrong: [client({}, { clients: ['shopp'] })],
    reports: `The API ${API} lists the client shopp, which is not in the settings.`,
    accepted: [client({}, { clients: ['shop'] })],
    isWarning: true,
  },
  {
    wrong: [client({ resources: [API] }, SCOPES), client({}, { ...SCOPES, clients: ['shop'] })],
    reports: `The API ${API} has the scope orders:read, which no client in the settings can get.`,
    accepted: [
      client({}, SCOPES),
      client({ resources: [API], scope: 'openid orders:read' }, SCOPES),
      client({ resources: [API] }, { ...SCOPES, unregistered_client_scopes: ['orders:read'] }),
    ],
    isWarning: true,
  },
  {
    wrong: [withGoogle('GOCSPX-a1', '1-a.apps.googleusercontent.com')],
    reports: 'AUTH_GOOGLE_ID and AUTH_GOOGLE_SECRET are swapped.',
    accepted: [withGoogle('1-a.apps.googleusercontent.com', 'GOCSPX-a1')],
  },
  {
    wrong: [withGoogle('GOCSPX-a1', 'GOCSPX-a1')],
    reports: 'AUTH_GOOGLE_ID looks like a secret of google.',
    accepted: [withGoogle('1.apps.acme.dev', 'a1')],
  },
  {
    wrong: [withGoogle('1.apps.googleusercontent.com', '1.apps.googleusercontent.com')],
    reports: 'AUTH_GOOGLE_SECRET looks like an id of google.',
    accepted: [],
  },
  {
    wrong: [
      secret('AUTH_TIKTOK_SECRET', '"5yQ0cVnB7sTzKp3HgXwE9mRdU2fLaJ6o"'),
      secret('AUTH_TIKTOK_SECRET_1', '"5yQ0cVnB7sTzKp3HgXwE9mRdU2fLaJ6o"'),
      withGoogle('1.apps.googleusercontent.com', '"GOCSPX-a1"'),
    ],
    reports: ' is in quotes, which are part of the value.',
    accepted: [secret('AUTH_SECRET_1', '"Xq3vY8nTz1LkWm5cRb7HsPj2GdFa9EuQ0iOtNyCxVw4"')],
  },
  {
    wrong: [
      withGoogle('1.apps.googleusercontent.com', 'GOCSPX-a1 b2'),
      withGoogle('1.apps.googleusercontent.com', 'GOCSPX-a1\nb2'),
    ],
    reports: 'AUTH_GOOGLE_SECRET contains spaces or line breaks.',
    accepted: [],
  },
  {
    wrong: [withGoogle('1.apps.googleusercontent.com', 'GOCSPX-a1 ')],
    reports: 'AUTH_GOOGLE_SECRET starts or ends with whitespace.',
    accepted: [],
  },
  {
    wrong: ['-----BEGIN PRIVATE KEY-----MIGTAg-----END PRIVATE KEY-----', 'MIGTAgEAMBMGByq'].map(
      withApple,
    ),
    reports: 'AUTH_APPLE_SECRET is neither <team id>.<key id>.<key> nor a signed JWT.',
    accepted: [
      withApple('ABCDE12345.FGHIJ67890.MIGTAgEA+/a='),
      withApple('eyJhbGciOiJFUzI1NiJ9.e30.a'),
    ],
  },
  {
    wrong: [
      ({ entryFile }) => {
        const provider = { id: 'acme', name: 'Acme', type: 'oidc', issuer: 'https://a.acme.dev' }
        const listed = { ...provider, clientId: 'a', clientSecret: 'b' } as Provider
        entryFile.options = {
          ...entryFile.options,
          providers: [...entryFile.options.providers, listed],
        }
      },
    ],
    reports: 'The provider acme has clientSecret in code.',
    accepted: [],
  },
  {
    wrong: [locally(boundSessions({ limitConsole: () => {} }))],
    reports: 'AUTH_URL is http://localhost:8787, and browsers bind sessions over https only.',
    accepted: [locally(boundSessions({})), boundSessions({ limitConsole: () => {} })],
    isWarning: true,
  },
  {
    wrong: [ownStep(async () => '/trems'), ownStep(() => (Math.random() < 2 ? '/a/b' : '/terms'))],
    reports: 'The step of the feature terms names /',
    fix: 'Correct the path: /terms exist.',
    accepted: [ownStep(async () => '/terms'), ownStep(async () => undefined)],
    isWarning: true,
  },
  {
    wrong: [environment({ name: 'login', routes: [] })],
    reports: 'the top level and [env.live] have the name of the Worker in common: login.',
    accepted: [environment({ routes: [] })],
  },
  {
    wrong: [environment({})],
    reports: 'the top level and [env.live] have a route in common: login.acme.dev/*.',
    accepted: [environment({ route: 'live.acme.dev/*' })],
  },
  {
    wrong: [
      (deployment) => {
        const { CLIENTS } = deployment.wrangler.vars
        secret('CLIENTS', JSON.stringify(CLIENTS))(deployment)
      },
    ],
    reports: 'CLIENTS is in [vars] of wrangler.toml and in .dev.vars.',
    accepted: [secret('AUTH_ADMINS', 'tiktok:1'), setting('AUTH_ADMINS', 'tiktok:1')],
    isWarning: true,
  },
]

/** What needs a network, another program or an invalid file, and the test of it. */
const ELSEWHERE = [
  'There are both … and ….', // doctor.test.ts
  'The entry file cannot be run: ….', // doctor.test.ts
  'The configuration cannot be read: ….', // doctor.test.ts
  '… cannot be reached: ….', // doctor.test.ts
  'The platform rejects AUTH_TIKTOK_ID with … (……).', // doctor.test.ts
  'The discovery document of … at … cannot be used: ….', // doctor.test.ts
  'AUTH_JURISDICTION is …, but the database … ….', // data-location.test.ts
]

/** Nothing that is reported contains their values. */
const SECRET_SETTINGS = ['AUTH_SECRET', 'AUTH_TIKTOK_SECRET']

let entryFile: EntryFile

beforeAll(async () => {
  entryFile = await readEntryFile(MAIN)
})

/** Checks a changed deployment that is written in a format. */
async function check(format: Format, change: Change) {
  const deployment = validDeployment()
  change(deployment)
  const options = { ...format.write(deployment as unknown as Files), offline: true }
  const wrangler = await readWranglerConfig(options)
  const settings = await readSettings(wrangler, options)
  const findings = await checkFiles(
    { wrangler, settings, entryFile: deployment.entryFile },
    options,
  )
  const found = findings.filter(({ diagnosis }) => diagnosis !== undefined)
  for (const { diagnosis } of found) expectRightLine(diagnosis?.what ?? '', wrangler.configPath)
  const printed = JSON.stringify(found)
  for (const name of SECRET_SETTINGS) {
    expect(printed).not.toContain(deployment.secrets[name]?.trim() ?? name)
  }
  return found.map(({ status, diagnosis }) => ({
    status,
    what: diagnosis?.what ?? '',
    fix: diagnosis?.fix ?? '',
  }))
}

/** Puts what a change makes wrong in a list between two other entries. */
function surround(deployment: Deployment, change: Change): void {
  change(deployment)
  const { wrangler } = deployment
  const vars = wrangler.vars as Fields
  for (const [name, right] of Object.entries(RIGHT)) {
    const list = vars[name]
    if (Array.isArray(list)) vars[name] = [right('first'), ...list, right('last')]
  }
  const { env } = wrangler as { env?: Fields }
  const other = (name: string) => ({ vars: { AUTH_URL: `https://${name}.acme.dev` }, routes: [] })
  if (env) Object.assign(wrangler, { env: { first: other('first'), ...env, last: other('last') } })
}

/** Entries in which nothing is wrong. */
const RIGHT: Record<string, (name: string) => Fields> = {
  CLIENTS: (name) => ({ client_id: name, redirect_uris: [`https://${name}.other.dev/`] }),
  APIS: (name) => ({ identifier: `https://${name}.acme.dev` }),
}

/** The line that a finding names must have the value that it names. */
function expectRightLine(what: string, path: string): void {
  const [, value, line] = / It is (?:(.*) )?in line (\d+) of wrangler\.toml\.$/.exec(what) ?? []
  if (line === undefined) return
  const text = readFileSync(path, 'utf8').split('\n')[Number(line) - 1]
  expect(text).toContain(value === undefined ? ' = ' : ` = ${value}`)
}

/** What was reported for each change of the first format. */
const reported: string[] = []

const [[FIRST] = ['']] = Object.entries(FORMATS)

afterAll(() => {
  const rows = [...TABLE, ...VALUES].flatMap(({ wrong }) => wrong)
  if (reported.length < rows.length) return // Only some of the tests ran.
  const declared = declaredDiagnoses('configuration/*.ts', 'client-key.ts')
  const isReported = (diagnosis: string) => reported.some((what) => isDiagnosis(diagnosis, what))

  expect(declared.filter((diagnosis) => !isReported(diagnosis)).toSorted()).toEqual(
    ELSEWHERE.toSorted(),
  )
})

describe('npx vestibule-auth doctor', () => {
  describe.each(Object.entries(FORMATS))('with %s', (name, format) => {
    const rows = name === FIRST ? [...TABLE, ...VALUES] : TABLE

    it('finds nothing in a valid configuration', async () => {
      expect(await check(format, () => {})).toEqual([])
    })

    it.each(
      rows.flatMap(({ wrong, reports, fix = '', isWarning = false }) => {
        const what = typeof reports === 'string' ? reports : reports(format)
        return wrong.map((change, index) => ({ what, fix, index, change, isWarning }))
      }),
    )('reports, and nothing else: $what ($index)', async ({ what, fix, change, isWarning }) => {
      const findings = await check(format, change)

      const expected = {
        status: isWarning ? 'warning' : 'problem',
        what: expect.stringContaining(what),
        fix: expect.stringContaining(fix),
      }
      expect(findings).toEqual([expected])
      if (name !== FIRST) return
      reported.push(...findings.map((finding) => finding.what))
      if (/^\w+ has \d+$/.test(what)) return // How long the whole list is.
      const second = what.replaceAll(/\b(CLIENTS|APIS)\.0\b/g, '$1.1')
      expect(await check(format, (deployment) => surround(deployment, change))).toEqual([
        { ...expected, what: expect.stringContaining(second) },
      ])
    })

    it.each(
      rows.flatMap(({ accepted, reports }) => {
        const what = typeof reports === 'string' ? reports : reports(format)
        return accepted.map((change, index) => ({ what, index, change }))
      }),
    )('accepts what only resembles: $what ($index)', async ({ change }) => {
      expect(await check(format, change)).toEqual([])
    })
  })
  it.each<[string, Change]>([
    ['AUTH_URL', secret('AUTH_URL', 'http://localhost:8787')],
    ['AUTH_URL', secret('AUTH_URL', 'https://login.acme.dev')],
    ['CLIENTS', secret('CLIENTS', '[]')],
  ])(
    'reports a variable that is also in the secrets file, and nothing else: %s',
    async (name, change) => {
      const format = FORMATS['wrangler.jsonc and --secrets-file'] as Format

      expect(await check(format, change)).toEqual([
        {
          status: 'problem',
          what: `${name} is in [vars] of wrangler.jsonc and in next-secrets.json.`,
          fix: 'Remove it from next-secrets.json, unless it is a secret.',
        },
      ])
    },
  )
})

describe('the documented command for the digest of a secret', () => {
  const commands = globSync('docs/**/*.md', { cwd: ROOT })
    .flatMap((name) => readFileSync(join(ROOT, name), 'utf8').split('\n'))
    .flatMap((line) => /(?:# |`)([^`]*\| sha256sum)/.exec(line)?.[1] ?? [])
    .map((command) => command.replace('\\|', '|'))
    .concat(DIGEST_COMMAND)

  it.each([...new Set(commands)])('prints nothing if the variable is not set: %s', (command) => {
    const [variable = ''] = /\w*SECRET/.exec(command) ?? []
    const run = (value: string | undefined) =>
      spawnSync('sh', ['-c', command], { env: { ...process.env, [variable]: value } })

    for (const value of [undefined, '']) {
      expect(run(value)).toMatchObject({ status: expect.any(Number), stdout: Buffer.alloc(0) })
      expect(run(value).status).not.toBe(0)
    }
    expect(run('s3').stdout.toString()).toMatch(secretDigest('s3'))
  })

  it('says that no session is bound over http', () => {
    const features = [Object.assign({ id: 'bound' }, { boundSessions: {} })] as never

    expect(checkBoundSessions({ issuer: 'http://localhost:8787', features })).toEqual([
      {
        name: 'bound',
        status: 'skipped',
        detail: 'AUTH_URL is http://localhost:8787, and browsers bind sessions over https only',
      },
    ])
  })
})
