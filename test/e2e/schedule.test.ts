import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startAdminApiStub } from './admin-api-stub.ts'
import { runInProcess } from './run-in-process.ts'
import { temporaryFolder } from './temporary-folder.ts'

// `test/e2e/package.test.ts` runs the schedule of a service that wrangler has started.
describe('npx vestibule-auth schedule', () => {
  it('finds the service of the folder', async () => {
    const { env, requests } = await startAdminApiStub(() => ({ body: { outcome: 'ok' } }))
    const url = env.VESTIBULE_URL
    const folder = temporaryFolder()
    const config = `name = "x"\nmain = "index.ts"\n[vars]\nAUTH_URL = "${url}"\n`
    writeFileSync(join(folder, 'wrangler.toml'), config)

    const { output, status } = await runInProcess(['schedule'], { cwd: folder })

    expect({ output, status }).toEqual({ output: `The schedule has run at ${url}.\n`, status: 0 })
    expect(requests.map(({ path }) => path.split('?')[0])).toEqual(['/cdn-cgi/local/scheduled'])
  })

  it.each([
    ['https://login.example.com', 'is not on loopback: its Cron Trigger runs every minute.', 2],
    ['http://localhost:1', 'http://localhost:1 does not respond', 1],
  ])('explains why it cannot run: %s', async (url, message, expected) => {
    const { stderr, status } = await run(url)

    expect(stderr).toContain(message)
    expect(status).toBe(expected)
  })

  it.each([
    { status: 404, body: {} },
    { status: 500, body: { outcome: 'exception' } },
    { body: { status: 'ok' } },
  ])('reports that the schedule did not run: %j', async (response) => {
    const { env } = await startAdminApiStub(() => response)

    const { stderr, status } = await run(env.VESTIBULE_URL)

    expect(stderr).toContain('The schedule did not run')
    expect(status).toBe(1)
  })
})

function run(url: string) {
  return runInProcess(['schedule', url], { cwd: tmpdir() })
}
