import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { options } from '../src/deployment.ts'
import { createVestibule } from '../src/vestibule.ts'
import { Browser, serviceOf } from './browser.ts'

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
    ['previews()', clientWith('"redirect_uris":["https://*.preview.shop.example/"]')],
  ])('is reported if there are rows of it: %s', async (call, row) => {
    await env.DIRECTORY.exec('DELETE FROM clients')
    expect((await readProblem('D1'))?.problem ?? '').not.toContain(call)
    await env.DIRECTORY.exec(`INSERT INTO ${row}`)

    const check = await readProblem('D1')
    expect(check?.ready).toBe(true)
    expect(check?.problem).toMatch(/^The database has rows of .*, which features does not list\.$/)
    expect(check?.problem).toContain(call)
  })
})
