import { execFile } from 'node:child_process'
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openLocalDatabase } from './local-database.ts'
import { runInProcess } from './run-in-process.ts'
import { secretDigest } from './secret-digest.ts'

/** Wrangler takes seconds on a busy machine. */
const WRANGLER_TIMEOUT = 120_000 // milliseconds

/** Replaces wrangler where a test is not about how it is called. */
const WRANGLER_STUB = { NODE_OPTIONS: `--import ${new URL('wrangler-stub.ts', import.meta.url)}` }

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const USER = 'usr_0123456789abcdefghijkl'

/** Nothing listens there, so that the commands change only the database. */
const ORIGIN = 'http://localhost:1'

let folder: string

let outputBeforeMigrations: Awaited<ReturnType<typeof runInProcess>>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vestibule-storage-'))
  writeFileSync(join(folder, 'index.ts'), '')
  writeFileSync(join(folder, 'wrangler.toml'), configuration(ORIGIN))
  outputBeforeMigrations = await vestibuleWithWrangler('admins', 'add', USER)
  const database = openLocalDatabase(folder)
  for (const file of globSync('migrations/*.sql', { cwd: ROOT }).sort()) {
    database.exec(readFileSync(join(ROOT, file), 'utf8'))
  }
  database.close()
  query(`INSERT INTO users (id, created_at, updated_at) VALUES ('${USER}', 1, 1)`)
}, WRANGLER_TIMEOUT)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

// A computer that is connected uses the admin API.
beforeEach(() => rmSync(join(folder, '.vestibule'), { recursive: true, force: true }))

describe('npx vestibule-auth admins add', { timeout: WRANGLER_TIMEOUT }, () => {
  it('adds an administrator to the database, once, and records it', async () => {
    const name = 'tiktok:it’s;a"b'
    const added = await vestibuleWithWrangler('admins', 'add', name)
    const again = await vestibule('admins', 'add', name)

    expect(added.output).toContain('is an administrator now, as owner')
    expect(added.output).toContain(`${ORIGIN}/admin`)
    expect(added.output).toContain('nobody has signed in with this id yet')
    expect(added.status).toBe(0)
    expect(again.output).toContain('is an administrator already, as owner')
    expect(again.status).toBe(0)
    expect(
      query("SELECT name, role, created_by FROM administrators WHERE name LIKE '%’%'"),
    ).toEqual([{ name, role: 'owner', created_by: 'operator' }])
    expect(query("SELECT event, actor, detail FROM audit WHERE subject LIKE '%’%'")).toEqual([
      { event: 'administrator_added', actor: 'operator', detail: 'owner' },
    ])
  })

  it('[O1] stores a name that contains SQL as it is', async () => {
    const name = "oidc:x');DELETE/**/FROM/**/users;--"
    const { status } = await vestibuleWithWrangler('admins', 'add', name)

    expect(status).toBe(0)
    expect(query('SELECT name FROM administrators')).toContainEqual({ name })
    expect(query('SELECT id FROM users')).toEqual([{ id: USER }])
  })

  it('adds a user who exists without a warning, with a role that it does not change later', async () => {
    const added = await vestibule('admins', 'add', USER, '--role', 'support', '--json')
    const again = await vestibule('admins', 'add', USER)
    const rejected = await vestibule('admins', 'add', USER, '--role', 'owner')

    expect(JSON.parse(added.output)).toEqual({ name: USER, role: 'support', changed: true })
    expect(again.output).toBe(`${USER} is an administrator already, as support.\n`)
    expect(rejected.stderr).toContain('To change the role, run `npx vestibule-auth connect`')
    expect(rejected.status).toBe(1)
    expect(query(`SELECT event, detail FROM audit WHERE subject = '${USER}'`)).toEqual([
      { event: 'administrator_added', detail: 'support' },
    ])
  })

  it('reports that migrations were not applied', () => {
    const { stderr, status } = outputBeforeMigrations

    expect(stderr).toContain('Migrations were not applied')
    expect(status).toBe(1)
  })

  it('reports that the folder has no deployment', async () => {
    mkdirSync(join(folder, 'empty'))
    const { stderr, status } = await runInProcess(
      ['admins', 'add', USER, '--config', 'absent.toml'],
      { cwd: join(folder, 'empty') },
    )

    expect(stderr).toContain('The configuration cannot be read')
    expect(status).toBe(1)
  })

  it('uses the deployed database if the address is public, which needs a Cloudflare account', async () => {
    writeFileSync(join(folder, 'public.toml'), configuration('https://login.example.com'))
    const { stderr, status } = await runInProcess(
      ['admins', 'add', USER, '--config', 'public.toml'],
      {
        cwd: folder,
        env: { CLOUDFLARE_API_TOKEN: '', CI: 'true' },
      },
    )

    expect(stderr).toContain('Using the deployed database of https://login.example.com')
    expect(stderr).toContain('run `npx wrangler login`')
    expect(status).toBe(1)
  })
})

describe('npx vestibule-auth connect', { timeout: WRANGLER_TIMEOUT }, () => {
  beforeEach(() => void query('DELETE FROM clients'))

  it('[O1] registers a machine client, and keeps its secret in a file that git ignores', async () => {
    await promisify(execFile)('git', ['init', '--quiet'], { cwd: folder })
    const { output, status } = await vestibuleWithWrangler('connect')
    const path = join(folder, '.vestibule/credentials.json')
    const { default: credentials } = JSON.parse(readFileSync(path, 'utf8'))
    const [client] = query("SELECT * FROM clients WHERE client_id = 'vestibule-cli'")

    expect(output).toContain('not confirmed') // nothing listens at the address
    expect(output).not.toContain(credentials.client_secret)
    expect(status).toBe(0)
    expect(credentials).toEqual({
      url: ORIGIN,
      client_id: 'vestibule-cli',
      client_secret: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('.vestibule/\n')
    expect(JSON.parse(String(client?.['registration']))).toEqual({
      client_name: 'Vestibule command line',
      grant_types: ['client_credentials'],
      resources: [`${ORIGIN}/admin/api`],
      scope: 'admin:read admin:write admin:administrators',
      client_secrets_sha256: [secretDigest(credentials.client_secret)],
    })
  })

  it('[O1] records the scope when it registers a client again, and changes nothing if it is disabled', async () => {
    await vestibule('connect')
    query("DELETE FROM audit WHERE subject = 'vestibule-cli'")
    await vestibule('connect', '--read-only')
    const readOnly = registration()

    expect(JSON.parse(readOnly)).toMatchObject({ scope: 'admin:read' })
    expect(recordedEvents()).toEqual([
      { event: 'client_secret_rotated', detail: 'scope admin:read' },
      { event: 'client_updated', detail: 'scope admin:read' },
    ])

    query("UPDATE clients SET disabled_at = 1 WHERE client_id = 'vestibule-cli'")
    query("DELETE FROM audit WHERE subject = 'vestibule-cli'")
    const credentials = readFileSync(join(folder, '.vestibule/credentials.json'), 'utf8')
    const rejected = await vestibule('connect')

    expect(rejected.stderr).toContain('The client vestibule-cli is disabled.')
    expect(rejected.stderr).toContain('use --enable')
    expect(rejected.status).toBe(1)
    expect(registration()).toBe(readOnly)
    expect(recordedEvents()).toEqual([])
    expect(readFileSync(join(folder, '.vestibule/credentials.json'), 'utf8')).toBe(credentials)

    const enabled = await vestibule('connect', '--read-only', '--enable')

    expect(enabled.status).toBe(0)
    expect(query('SELECT client_id FROM clients WHERE disabled_at IS NOT NULL')).toEqual([])
    expect(recordedEvents()).toEqual([
      { event: 'client_enabled', detail: 'scope admin:read' },
      { event: 'client_secret_rotated', detail: 'scope admin:read' },
    ])

    function registration(): string {
      const [client] = query("SELECT registration FROM clients WHERE client_id = 'vestibule-cli'")
      return String(client?.['registration'])
    }

    function recordedEvents() {
      return query("SELECT event, detail FROM audit WHERE subject = 'vestibule-cli' ORDER BY event")
    }
  })

  it('replaces the secret in all connections of this computer that use it', async () => {
    const file = join(folder, 'wrangler.toml')
    const staging = `[env.staging.vars]
AUTH_URL = "${ORIGIN}"

[[env.staging.d1_databases]]
binding = "DIRECTORY"
database_name = "login"
database_id = "00000000-0000-0000-0000-000000000000"
`
    writeFileSync(file, `${configuration(ORIGIN)}\n${staging}`)
    onTestFinished(() => writeFileSync(file, configuration(ORIGIN)))
    await vestibule('connect')
    const path = join(folder, '.vestibule/credentials.json')
    const { default: former } = JSON.parse(readFileSync(path, 'utf8'))
    const other = { ...former, client_secret: 'of another database' }
    writeFileSync(path, JSON.stringify({ default: former, other }))
    const { output, stderr } = await vestibule('connect', '--env', 'staging', '--local')
    const credentials = JSON.parse(readFileSync(path, 'utf8'))

    expect(credentials.default).toEqual(credentials.staging)
    expect(credentials.default).not.toEqual(former)
    expect(credentials.other).toEqual(other)
    expect(output).toContain('credentials.json, also for default.')
    expect(stderr).not.toContain('other computers')
  })

  it('has a client of its own for each name, and removes it', async () => {
    const connected = await vestibule('connect', '--name', 'ci', '--read-only', '--json')
    const [client] = query("SELECT * FROM clients WHERE client_id = 'vestibule-cli-ci'")
    const asked = await vestibule('connect', '--remove')
    const kept = query("SELECT client_id FROM clients WHERE client_id LIKE '%-ci'")
    const removed = await vestibule('connect', '--remove', '--yes')

    expect(asked.stderr).toContain(`Delete this client: vestibule-cli-ci at ${ORIGIN}`)
    expect(asked.stderr).toContain('This needs confirmation: use --yes.')
    expect(asked.status).toBe(2)
    expect(kept).toHaveLength(1)
    expect(JSON.parse(connected.output)).toMatchObject({
      client_id: 'vestibule-cli-ci',
      scope: 'admin:read',
    })
    expect(String(client?.['registration'])).toContain('"scope":"admin:read"')
    expect(removed.output).toContain('Deleted the client vestibule-cli-ci')
    expect(() => statSync(join(folder, '.vestibule/credentials.json'))).toThrow('ENOENT')
    expect(query("SELECT client_id FROM clients WHERE client_id LIKE '%-ci'")).toEqual([])
    expect(
      query("SELECT event, detail FROM audit WHERE subject = 'vestibule-cli-ci' ORDER BY id"),
    ).toEqual([
      { event: 'client_created', detail: 'scope admin:read' },
      { event: 'client_deleted', detail: 'connect --remove' },
    ])
  })
})

function vestibule(...line: string[]) {
  return runInProcess(line, { cwd: folder, env: WRANGLER_STUB })
}

function vestibuleWithWrangler(...line: string[]) {
  return runInProcess(line, { cwd: folder })
}

function configuration(origin: string): string {
  return `name = "login"
main = "index.ts"
compatibility_date = "2026-09-01"

[vars]
AUTH_URL = "${origin}"

[[d1_databases]]
binding = "DIRECTORY"
database_name = "login"
database_id = "00000000-0000-0000-0000-000000000000"
migrations_dir = "${join(ROOT, 'migrations')}"
`
}

/** Reads and changes the file of the local database, because starting wrangler takes seconds. */
function query(sql: string): Record<string, unknown>[] {
  const database = openLocalDatabase(folder)
  const rows = database.prepare(sql).all()
  database.close()
  return rows.map((row) => ({ ...row }))
}
