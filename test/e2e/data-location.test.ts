import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { checkDataLocation } from '../../cli/configuration/data-location.ts'
import { readWranglerConfig } from '../../cli/configuration/read-settings.ts'
import { startLoopbackServer } from './loopback-server.ts'
import { temporaryFolder } from './temporary-folder.ts'

const AUTH_URL = 'https://login.example.com'

interface Account {
  /** The jurisdiction of the database, if it exists. */
  database?: string | null
  /** What the database says about the objects. */
  objects?: string
}

afterEach(() => void vi.unstubAllEnvs())

describe('checkDataLocation', () => {
  it.each<[what: string, jurisdiction: string | undefined, account: Account, text: string]>([
    ['a database in the jurisdiction', 'eu', { database: 'eu', objects: 'eu' }, 'good eu'],
    [
      'a database without a jurisdiction',
      'eu',
      { database: null, objects: 'eu' },
      'but the database login is not restricted to a jurisdiction.',
    ],
    ['a missing database', 'eu', {}, 'but the database login does not exist.'],
    [
      'a setting that was removed',
      undefined,
      { database: 'eu', objects: 'eu' },
      'AUTH_JURISDICTION is not set, but the objects of this deployment are in eu.',
    ],
  ])('asks Cloudflare through wrangler: %s', async (_what, jurisdiction, account, text) => {
    await startCloudflareApi(account)
    const wrangler = await createDeployment(
      account.database === undefined ? '' : 'database_id = "db"',
    )
    const settings = { AUTH_URL, ...(jurisdiction && { AUTH_JURISDICTION: jurisdiction }) }

    const findings = await checkDataLocation(settings, wrangler, { offline: false })

    const texts = findings.map(
      ({ status, detail, diagnosis }) => `${status} ${detail ?? diagnosis?.what}`,
    )
    expect(texts).toEqual([expect.stringContaining(text)])
  })

  it('says why it could not ask', async () => {
    vi.stubEnv('CLOUDFLARE_API_TOKEN', undefined)
    vi.stubEnv('HOME', temporaryFolder())
    const wrangler = await createDeployment('database_id = "db"')

    const findings = await checkDataLocation({ AUTH_URL }, wrangler, { offline: false })

    expect(findings).toEqual([
      expect.objectContaining({
        status: 'skipped',
        detail: expect.stringContaining('CLOUDFLARE_API_TOKEN'),
      }),
    ])
  })
})

async function createDeployment(databaseId: string) {
  const file = join(temporaryFolder(), 'wrangler.toml')
  writeFileSync(
    file,
    `name = "login"
main = "index.ts"
compatibility_date = "2026-09-01"
[[d1_databases]]
binding = "DIRECTORY"
database_name = "login"
${databaseId}
`,
  )
  return readWranglerConfig({ config: file })
}

/** Answers the requests of `wrangler d1 info` and `wrangler d1 execute --remote`. */
async function startCloudflareApi({ database, objects }: Account): Promise<void> {
  const result = { uuid: 'db', name: 'login', jurisdiction: database }
  const rows = [{ success: true, results: objects ? [{ jurisdiction: objects }] : [], meta: {} }]
  const { port } = await startLoopbackServer(({ url = '' }, response) => {
    const isQuery = url.includes('/query')
    response.setHeader('Content-Type', 'application/json')
    if (!isQuery && database === undefined) {
      response.statusCode = 404
      const errors = [{ code: 7404, message: 'The database login could not be found' }]
      response.end(JSON.stringify({ success: false, errors, messages: [], result: null }))
      return
    }
    const body = { success: true, errors: [], messages: [], result: isQuery ? rows : result }
    response.end(JSON.stringify(body))
  })
  vi.stubEnv('CLOUDFLARE_API_BASE_URL', `http://127.0.0.1:${port}`)
  vi.stubEnv('CLOUDFLARE_API_TOKEN', 'token')
  vi.stubEnv('CLOUDFLARE_ACCOUNT_ID', 'account')
}
