import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { listFields } from '../../src/administration/entered-fields.ts'
import { ConfigurationError } from '../../src/core/config/configuration-error.ts'
import {
  apiSchemaOf,
  clientSchemaOf,
} from '../../src/core/registration-schemas/deployment-schemas.ts'
import { formatProblem } from '../../src/foundation/values/problem.ts'
import keys from '../core/oidc/signing-keys.json'
import { readConfig } from '../deployment.ts'

/** Entries of a list: two that are valid together, and some that are not. */
interface List {
  valid: readonly [unknown, unknown]
  invalid: readonly unknown[]
  /** How the entries are written, if not as a list. */
  write?: (entries: readonly unknown[]) => unknown
  /** What else the settings or the registration need. */
  others?: object
}

const withCommas = (entries: readonly unknown[]) => entries.join()
const withSpaces = (entries: readonly unknown[]) => entries.join(' ')

const [A, B] = ['https://a.example/x', 'https://b.example/x']
const NOT_SECURE = 'http://c.example/x'
const FINGERPRINT = Array(32).fill('A0').join(':')
const DIGEST = '0'.repeat(64)
const { d: _, ...publicKey } = keys.signer
const confidential = { client_secrets_sha256: [DIGEST] }

/** Every setting that is a list. */
const SETTINGS: Record<string, List> = {
  AUTH_ADMINS: { valid: ['tiktok:1', 'github:2'], invalid: ['x y', ''], write: withCommas },
  AUTH_REDIRECT_PROXY_ORIGINS: {
    valid: ['https://*.a.example', 'https://b.example'],
    invalid: ['https://c.example/', 'x'],
    write: withCommas,
    others: { AUTH_REDIRECT_PROXY_SECRET: env.AUTH_SECRET },
  },
  AUTH_IOS_APPS: { valid: ['ABCDE12345.a', 'ABCDE12345.b'], invalid: ['c'], write: withCommas },
  AUTH_ANDROID_APPS: {
    valid: [`a=${FINGERPRINT}`, `b=${FINGERPRINT}`],
    invalid: ['c', `c=${FINGERPRINT}:00`],
    write: withCommas,
  },
}

/** Every field of a client that is a list. */
const CLIENT_FIELDS: Record<string, List> = {
  redirect_uris: {
    valid: [A, B],
    invalid: [NOT_SECURE, 'https://login.example/x', 'com.example.app:/x'],
  },
  post_logout_redirect_uris: { valid: [A, B], invalid: [NOT_SECURE, 'com.example.app:/x'] },
  client_secrets_sha256: { valid: [DIGEST, '1'.repeat(64)], invalid: ['2'] },
  jwks: {
    valid: [publicKey, { ...publicKey, kid: 'other' }],
    invalid: [keys.signer, { kty: 'oct', k: 'a' }],
    write: (entries) => ({ keys: entries }),
  },
  scope: { valid: ['openid', 'email'], invalid: ['"'], write: withSpaces },
  required_scope: {
    valid: ['openid', 'email'],
    invalid: ['"', 'another'],
    write: withSpaces,
    others: { scope: 'openid email profile' },
  },
  resources: { valid: [A, B], invalid: [NOT_SECURE] },
  grant_types: { valid: ['authorization_code', 'refresh_token'], invalid: ['x', 1] },
  introspects: { valid: [A, B], invalid: [NOT_SECURE], others: confidential },
  upstream_scope: { valid: ['a', 'b'], invalid: [1] },
  upstream_tokens: {
    valid: ['tiktok', 'github'],
    invalid: [1],
    others: { ...confidential, first_party: true },
  },
}

const [READ, WRITE] = ['read', 'write'].map((name) => ({ name, description: 'What it may do.' }))

/** Every field of an API that is a list. */
const API_FIELDS: Record<string, List> = {
  scopes: {
    valid: [READ, WRITE],
    invalid: [
      READ,
      { name: 'openid', description: 'Not of an API.' },
      { name: 'x', description: '' },
    ],
  },
  clients: { valid: ['a', 'b'], invalid: [1] },
  roles: { valid: ['editor', 'author'], invalid: ['x'] },
  unregistered_client_scopes: {
    valid: ['read', 'write'],
    invalid: ['another'],
    others: { scopes: [READ, WRITE] },
  },
}

const valid = {
  AUTH_URL: 'https://login.example',
  AUTH_SECRET: env.AUTH_SECRET,
  AUTH_TIKTOK_ID: 'aw1a2b3c4d5e6f7g',
  AUTH_TIKTOK_SECRET: '5yQ0cVnB7sTzKp3HgXwE9mRdU2fLaJ6o',
}
const { features } = readConfig(valid as never)

function findProblems(settings: object): readonly string[] {
  try {
    return readConfig({ ...valid, ...settings } as never).problems.map(formatProblem)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError)
    return (error as ConfigurationError).problems.map(formatProblem)
  }
}

/** Settings in which a list has these entries, and what its problems begin with. */
type InSettings = (name: string, list: unknown, others?: object) => object

const inClient: InSettings = (name, list, others) => {
  const client = { client_id: 'a', redirect_uris: [A], ...others, [name]: list }
  const fine = { client_id: 'b', redirect_uris: [B] }
  return { CLIENTS: [fine, client, { ...fine, client_id: 'c' }] }
}

const inApi: InSettings = (name, list, others) => ({
  APIS: [{ identifier: B }, { identifier: A, ...others, [name]: list }, { identifier: `${B}/y` }],
})

const TABLES: [prefix: string, Record<string, List>, InSettings][] = [
  ['', SETTINGS, (name, list, others) => ({ ...others, [name]: list })],
  ['CLIENTS.1.', CLIENT_FIELDS, inClient],
  ['APIS.1.', API_FIELDS, inApi],
]

describe.each(
  TABLES.flatMap(([prefix, table, inSettings]) =>
    Object.entries(table).map(([name, list]) => ({
      name: prefix + name,
      field: name,
      list,
      inSettings,
    })),
  ),
)('$name', ({ name, field, list, inSettings }) => {
  const { valid, invalid, write = (entries) => entries, others } = list
  const problemsOf = (entries: readonly unknown[]) =>
    findProblems(inSettings(field, write(entries), others))

  it('accepts valid entries', () => {
    for (const entry of valid) expect(problemsOf([entry])).toEqual([])
    expect(problemsOf(valid)).toEqual([])
    expect(problemsOf(valid.toReversed())).toEqual([])
  })

  it('reports an invalid entry, wherever it is among valid ones', () => {
    const [first, second] = valid
    for (const wrong of invalid) {
      const lists = [
        [wrong, first, second],
        [first, wrong, second],
        [first, second, wrong],
      ]
      for (const entries of lists) {
        const problems = problemsOf(entries)
        expect(problems, JSON.stringify(entries)).not.toEqual([])
        for (const problem of problems) expect(problem).toMatch(new RegExp(`^${name}\\b`))
      }
    }
  })
})

it.each([
  [
    'clients',
    clientSchemaOf(features),
    CLIENT_FIELDS,
    ['scope', 'required_scope', 'jwks', 'client_secrets_sha256'],
  ],
  ['APIs', apiSchemaOf(features), API_FIELDS, []],
])('Every list in registrations of %s is here', (_noun, schema, table, others) => {
  const lists = listFields(schema as never).filter(({ kind }) => ['list', 'scopes'].includes(kind))

  expect(Object.keys(table).toSorted()).toEqual(
    [...lists.map(({ name }) => name), ...others].toSorted(),
  )
})
