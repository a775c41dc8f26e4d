import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import * as esbuild from 'esbuild'
import { afterAll, describe, expect, inject, onTestFinished, it as plainIt } from 'vitest'
import { checkServer } from '../../interop/check-server.ts'
import { startServer } from '../../interop/server-process.ts'
import { apiUrl, writeRecipe } from '../../interop/server-recipes.ts'
import { describeInBrowser, it } from '../browser-fixtures.ts'
import { signInWithTikTok } from '../page-steps.ts'
import { SECRET, SERVER_PORTS } from './registrations.ts'

/** The secret of the cookies of these apps. */
const SESSION_SECRET = 'the secret of the cookies of this app'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** As docs/server.md says. */
const MAX_SIZE = 9 * 1024 // bytes

const { login } = inject('services')
const folder = mkdtempSync(join(tmpdir(), 'vestibule-server-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Writes a recipe of docs/server.md, and returns a function that starts it as a process. */
function prepare(heading: 'Hono' | 'Express') {
  const port = SERVER_PORTS[heading]
  const url = `http://localhost:${port}`
  const app = join(folder, heading)
  const clientId = `server-${heading}`
  const library = join(ROOT, 'src/server.ts')
  mkdirSync(app)
  writeFileSync(join(app, 'package.json'), '{ "type": "module" }')
  symlinkSync(join(ROOT, 'node_modules'), join(app, 'node_modules'))
  writeRecipe(heading, app, { appUrl: url, issuer: login, clientId, library })
  const start = () =>
    startServer([process.execPath, 'app.ts'], port, {
      folder: app,
      env: { CLIENT_SECRET: SECRET, SESSION_SECRET, APP_URL: url, API_URL: apiUrl(url) },
      log: join(folder, `${heading}.log`),
      timeout: 30_000,
    })
  return { url, clientId, start }
}

describeInBrowser('the recipes of docs/server.md', () => {
  it('Hono: sign users in and out, and end sessions that end at the login service', async ({
    page,
    persona,
  }) => {
    const { url, clientId, start } = prepare('Hono')
    const server = await start()
    onTestFinished(() => server.stop())

    await checkServer(page, { url, login, clientId, secret: SESSION_SECRET, handle: persona })
  })

  it('Express: keep users signed in when the server is restarted', async ({ page, persona }) => {
    const { url, start } = prepare('Express')
    const first = await start()
    await page.goto(url)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await signInWithTikTok(page, persona)
    await page.getByText('Hello, Mia Lindqvist').waitFor()
    await first.stop()

    const second = await start()
    onTestFinished(() => second.stop())

    await page.goto(url)
    await page.getByText('Hello, Mia Lindqvist').waitFor()
    const cookies = await page.context().cookies(url)
    expect(cookies).toContainEqual(
      expect.objectContaining({
        name: 'vestibule-server-Express',
        httpOnly: true,
        sameSite: 'Lax',
      }),
    )
    expect(await page.evaluate('document.cookie')).not.toContain('vestibule-server')
  })
})

describe('vestibule-auth/server', () => {
  plainIt('has at most 9 KiB without jose, compressed with gzip', async () => {
    const { outputFiles } = await esbuild.build({
      stdin: { contents: `export { createServer } from './src/server.ts'`, resolveDir: ROOT },
      bundle: true,
      write: false,
      format: 'esm',
      target: 'es2022',
      minify: true,
      external: ['jose'],
    })
    const [{ text = '' } = {}] = outputFiles

    expect(gzipSync(text).length).toBeLessThanOrEqual(MAX_SIZE)
    expect(new Set(text.match(/from"[^"]+"/g))).toEqual(new Set(['from"jose"']))
  })
})
