import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { apiStore } from '../../../src/administration/registrations/api-store.ts'
import { options } from '../../../src/deployment.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { Browser, serviceOf } from '../../browser.ts'
import { configReaderWith } from '../../deployment.ts'

interface Readiness {
  checks: { name: string; ready: boolean; problem?: string }[]
}

/** What `/readyz` of a deployment without features reports. */
async function readProblem(name: string, settings: Record<string, unknown> = {}) {
  const vestibule = createVestibule({ ...options, features: [] })
  const response = await new Browser(serviceOf(vestibule, settings)).get('/readyz')
  const { checks } = await response.json<Readiness>()
  return checks.find((check) => check.name === name)
}

/** A client in the database whose registration has this field. */
function clientWith(field: string): string {
  const columns = 'client_id, registration, created_at, updated_at'
  return `clients (${columns}) VALUES ('${crypto.randomUUID()}', '{${field}}', 1, 1)`
}

/** The same for an API. */
function apiWith(field: string): string {
  const columns = 'identifier, registration, created_at, updated_at'
  return `apis (${columns}) VALUES ('https://${crypto.randomUUID()}.example', '{${field}}', 1, 1)`
}

describe('a feature that a deployment does not list', () => {
  it.each([
    ['AUTH_ADMINS', 'tiktok:mia', 'admin()'],
    ['AUTH_TIKTOK_QR', 'on', 'qrSignIn()'],
    ['UNREGISTERED_CLIENTS', { hosts: ['*'] }, 'agents()'],
  ])('is reported if there is a setting of it: %s', async (setting, value, call) => {
    const check = await readProblem('settings', { [setting]: value })

    expect(check?.problem).toContain(`${setting} is a setting of ${call}, which features does not`)
  })

  it.each([
    ['admin()', "administrators VALUES ('usr_x', 'owner', 1, 'operator')"],
    ['device()', clientWith('"grant_types":["urn:ietf:params:oauth:grant-type:device_code"]')],
    ['senderConstrained()', clientWith('"dpop_bound_access_tokens":true')],
    ['senderConstrained()', clientWith('"profile":"fapi2"')],
    [
      'nativeApps()',
      clientWith('"grant_types":["urn:vestibule:params:oauth:grant-type:provider-code"]'),
    ],
    ['providerTokens()', clientWith('"upstream_tokens":["tiktok"]')],
    ['roles()', apiWith('"roles":["editor"]')],
    ['agents()', apiWith('"unregistered_client_scopes":["read"]')],
    ['senderConstrained()', apiWith('"dpop_bound_access_tokens_required":true')],
    ['previews()', clientWith('"redirect_uris":["https://*.preview.shop.example/"]')],
  ])('is reported if there are rows of it: %s', async (call, row) => {
    await env.DIRECTORY.exec('DELETE FROM clients; DELETE FROM apis')
    expect((await readProblem('D1'))?.problem ?? '').not.toContain(call)
    await env.DIRECTORY.exec(`INSERT INTO ${row}`)

    const check = await readProblem('D1')
    expect(check?.ready).toBe(true)
    expect(check?.problem).toMatch(/^The database has rows of .*, which features does not list\.$/)
    expect(check?.problem).toContain(call)
  })

  it.each([
    ['CLIENTS', { client_id: 'x', redirect_uris: ['https://x.example/'] }, 'upstream_tokens'],
    ['APIS', { identifier: 'https://x.example' }, 'roles'],
  ])('is reported if a registration has a field of it: %s', async (setting, known, field) => {
    const read = (value: unknown) =>
      configReaderWith({ features: [] })({ ...env, [setting]: [{ ...known, [field]: value }] })

    const { problems, clients, apis } = read(['x'])

    expect(problems).toContainEqual({
      path: [setting, 0, field],
      code: 'unlisted',
      message: expect.stringContaining('which features does not list'),
    })
    // It has no effect.
    expect([...(setting === 'APIS' ? apis : clients)]).toEqual([expect.objectContaining(known)])
    expect(read([]).problems).toEqual([])
  })

  it('keeps the fields of registrations in the database', async () => {
    const identifier = `https://${crypto.randomUUID()}.example`
    const registration = JSON.stringify({ name: 'Notes', roles: ['editor'] })
    await env.DIRECTORY.prepare('INSERT INTO apis VALUES (?, ?, 1, 1)')
      .bind(identifier, registration)
      .run()
    const config = configReaderWith({ features: [] })(env)

    const record = await apiStore.read(env, config, identifier)
    const change = apiStore.update(env, config, {
      id: identifier,
      changes: { name: 'Our notes' },
      origin: { actor: 'operator' },
    })

    expect(record?.registration).toMatchObject({ name: 'Notes', roles: ['editor'], clients: [] })
    await expect(change).rejects.toThrow('roles needs roles(), which features does not list')
    const { results } = await env.DIRECTORY.prepare('SELECT * FROM apis WHERE identifier = ?')
      .bind(identifier)
      .all()
    expect(results).toEqual([expect.objectContaining({ registration })])
  })
})
