import { applyD1Migrations, reset, runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, vi } from 'vitest'
import reference from '../docs/reference.md?raw'
import { issuedSecrets, LOGIN, logLines, restartServices } from './browser.ts'
import { advanceClock, MINUTE } from './clock.ts'
import { keepWorkerModule } from './keep-worker-module.ts'
import { withReusedRsaKeys } from './reused-rsa-keys.ts'
import { isInSample } from './sample.ts'
import { resetStandIn } from './stand-in.ts'

keepWorkerModule()
restartServices()

// Files share a runtime, but not what is stored in it, except the signing keys: isolates use their
// copies of them for up to a minute.
await applyD1Migrations(env.DIRECTORY, env.TEST_MIGRATIONS)
const keyring = () => env.KEYRING.get(env.KEYRING.idFromName('keyring'))
const signingKeys = await runInDurableObject(keyring(), (_, { storage }) =>
  storage.sql.exec('SELECT * FROM keys ORDER BY rowid').toArray(),
)
await reset()
await createTables()
await withReusedRsaKeys(() =>
  runInDurableObject(keyring(), (_, { storage }) => {
    storage.sql.exec('DELETE FROM keys')
    for (const key of signingKeys) {
      const columns = Object.keys(key)
      storage.sql.exec(
        `INSERT INTO keys (${columns}) VALUES (${columns.map(() => '?')})`,
        ...Object.values(key),
      )
    }
  }),
)

// Otherwise it gives up after a second, which one request may take on a busy machine.
const { waitFor } = vi
vi.waitFor = (check, options = 20_000) => waitFor(check, options)

for (const level of ['log', 'warn', 'error'] as const) {
  console[level] = (...parts: unknown[]) => {
    logLines.push(parts.join(' '))
  }
}

// The first request creates the signing keys, whose age must not be negative. Another file may have
// revoked them, and a service uses its copy of them for up to a minute.
beforeAll(async () => {
  await exports.default.fetch(`${LOGIN}/.well-known/jwks.json`)
  advanceClock(MINUTE)
  await exports.default.fetch(`${LOGIN}/.well-known/jwks.json`)
  vi.useRealTimers()
})

const sample = inject('sample')

beforeEach(({ task, skip }) => {
  if (!isInSample(task.file.filepath, task.fullTestName, sample)) skip()
})

beforeEach(resetStandIn)

afterEach(() => {
  vi.useRealTimers()
})

// [O5] No test makes the service log a secret, nor a field or event that operators cannot look up.
// Each file checks only the lines it caused, because searching all lines for all secrets at the end
// would take too long.
afterAll(() => {
  const lines = logLines.splice(0)
  expect(findSecrets(lines.join('\n'))).toEqual([])
  expect(findUndocumentedNames(lines)).toEqual([])
  issuedSecrets.clear()
})

/** The same as `applyD1Migrations` where nothing is stored, with one call instead of a dozen. */
async function createTables(): Promise<void> {
  const { DIRECTORY, TEST_MIGRATIONS } = env
  const queries = TEST_MIGRATIONS.flatMap((migration) => migration.queries)
  const names = TEST_MIGRATIONS.map(({ name }) => `('${name}')`)
  const statements = [
    `CREATE TABLE d1_migrations (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT UNIQUE,
      applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
    )`,
    ...queries,
    `INSERT INTO d1_migrations (name) VALUES ${names}`,
  ]
  await DIRECTORY.batch(statements.map((statement) => DIRECTORY.prepare(statement)))
}

/** The names of fields and events in the log that `docs/reference.md` does not mention. */
function findUndocumentedNames(lines: readonly string[]): string[] {
  const names = new Set<string>()
  for (const line of lines.filter((text) => text.startsWith('{'))) {
    const entry: { event?: string } = JSON.parse(line)
    for (const name of Object.keys(entry)) names.add(name)
    if (entry.event) names.add(entry.event)
  }
  return [...names].filter((name) => !reference.includes(`\`${name}\``))
}

/**
 * Passes over the text once: a thousand sign-ins leave thousands of secrets and megabytes of log.
 * It looks for whole secrets only where three characters may be those of one.
 */
function findSecrets(text: string): string[] {
  const secrets = [...issuedSecrets]
  const length = Math.min(...secrets.map((secret) => secret.length))
  const byStart = Map.groupBy(secrets, (secret) => secret.slice(0, length))
  const isBeginning = new Uint8Array(2 ** 16)
  const hashAt = (part: string, at: number) => {
    const [first, second] = [part.charCodeAt(at), part.charCodeAt(at + 1)]
    return (first * 961 + second * 31 + part.charCodeAt(at + length - 1)) % isBeginning.length
  }
  for (const start of byStart.keys()) isBeginning[hashAt(start, 0)] = 1
  const found = []
  for (let at = 0; at + length <= text.length; at++) {
    if (isBeginning[hashAt(text, at)] === 0) continue
    const candidates = byStart.get(text.slice(at, at + length)) ?? []
    found.push(...candidates.filter((secret) => text.startsWith(secret, at)))
  }
  return found
}
