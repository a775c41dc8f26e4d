import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runInProcess } from './run-in-process.ts'
import { temporaryFolder } from './temporary-folder.ts'

const MIGRATE = 'd1 migrations apply DIRECTORY --remote'

/** Replaces wrangler: records its arguments, and fails with the status that the test sets. */
const STUB = `
import { appendFileSync } from 'node:fs'
if (process.argv[1]?.endsWith('wrangler/bin/wrangler.js')) {
  const args = process.argv.slice(2).join(' ')
  appendFileSync('calls', args + '\\n')
  process.exit(args.startsWith(process.env.FAILING_CALL ?? 'none') ? 3 : 0)
}
`

describe('npx vestibule-auth deploy', () => {
  it('applies the migrations after the first upload, which creates the database', async () => {
    const { calls, status } = await deploy({ args: ['--secrets-file', '.secrets'] })

    expect(calls).toEqual(['deploy --secrets-file .secrets', MIGRATE])
    expect(status).toBe(0)
  })

  it('applies new migrations before the upload of a later version', async () => {
    const { calls } = await deploy({ id: '5b6e' })

    expect(calls).toEqual([MIGRATE, 'deploy'])
  })

  it('uploads nothing if the migrations fail', async () => {
    const { calls, status } = await deploy({ id: '5b6e', failing: 'd1' })

    expect(calls).toEqual([MIGRATE])
    expect(status).toBe(3)
  })

  it('migrates no database if the first upload fails', async () => {
    const { calls, status } = await deploy({ failing: 'deploy' })

    expect(calls).toEqual(['deploy'])
    expect(status).toBe(3)
  })

  it('applies the migrations of an environment', async () => {
    const { calls } = await deploy({ id: '5b6e', args: ['--env', 'staging'] })

    expect(calls).toEqual(['deploy --env staging', `${MIGRATE} --env staging`])
  })

  it('reads the short options of wrangler, and another configuration', async () => {
    const { calls } = await deploy({ id: '5b6e', args: ['-e', 'staging', '-c', 'wrangler.toml'] })

    expect(calls).toEqual([
      'deploy -e staging -c wrangler.toml',
      `${MIGRATE} --env staging --config wrangler.toml`,
    ])
  })

  it('applies no migrations in a dry run', async () => {
    const { calls } = await deploy({ id: '5b6e', args: ['--dry-run'] })

    expect(calls).toEqual(['deploy --dry-run'])
  })

  it.each([
    ['http://localhost:8787', ['--dry-run'], true],
    ['http://127.0.0.1', [], true],
    ['http://localhost:8787', ['--var', 'AUTH_URL:https://login.acme.dev'], false],
    ['https://login.acme.dev', ['--dry-run'], false],
  ])('says whether AUTH_URL is for development: %s %j', async (address, args, isReported) => {
    const { stderr, calls, status } = await deploy({ id: '5b6e', args, address })

    expect(stderr.includes(`Warning: AUTH_URL is ${address}, for development.`)).toBe(isReported)
    expect(calls.at(-1)).toBe(['deploy', ...args].join(' '))
    expect(status).toBe(0)
  })

  it('reports a missing environment without a call', async () => {
    const { calls, stderr, status } = await deploy({ args: ['--env', 'absent'] })

    expect(calls).toEqual([])
    expect(stderr).toContain('[env.absent]')
    expect(status).toBe(1)
  })
})

/** Deploys a service whose database has this id; that of the environment has none. */
async function deploy({ id, args = [], failing = 'none', address }: DeployOptions) {
  const cwd = temporaryFolder()
  const database = 'binding = "DIRECTORY"\ndatabase_name = "login"\n'
  const created = id === undefined ? '' : `database_id = "${id}"\n`
  const vars = address === undefined ? '' : `[vars]\nAUTH_URL = "${address}"\n`
  const staging = `[env.staging]\n[[env.staging.d1_databases]]\n${database}`
  const settings = 'name = "login"\nmain = "index.ts"\ncompatibility_date = "2026-09-01"\n'
  writeFileSync(join(cwd, 'index.ts'), '')
  writeFileSync(join(cwd, 'stub.mjs'), STUB)
  writeFileSync(
    join(cwd, 'wrangler.toml'),
    `${settings}${vars}[[d1_databases]]\n${database}${created}${staging}`,
  )
  const env = { NODE_OPTIONS: `--import ${join(cwd, 'stub.mjs')}`, FAILING_CALL: failing }
  const result = await runInProcess(['deploy', ...args], { cwd, env })
  const file = join(cwd, 'calls')
  const calls = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  return { ...result, calls }
}

interface DeployOptions {
  id?: string
  args?: string[]
  failing?: string
  /** AUTH_URL in wrangler.toml. */
  address?: string
}
