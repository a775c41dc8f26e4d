import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import * as esbuild from 'esbuild'
import { afterAll, describe, expect, inject, onTestFinished, it as plainIt } from 'vitest'
import { checkOutage, checkServer, UNREACHABLE_LOGIN } from '../../interop/check-server.ts'
import { apiUrl, change, copyExample } from '../../interop/examples.ts'
import { startServer } from '../../interop/server-process.ts'
import { NAME } from '../../user-name.ts'
import { describeInBrowser, it } from '../browser-fixtures.ts'
import { signInWithTikTok } from '../page-steps.ts'
import { SECRET, SERVER_PORTS } from './registrations.ts'

/** The secret of the cookies of these apps. */
const SESSION_SECRET = 'the secret of the cookies of this app'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** As docs/server.md says. */
const MAX_SIZE = 10 * 1024 // bytes

const { login } = inject('services')
const folder = mkdtempSync(join(tmpdir(), 'vestibule-server-'))
afterAll(() => rmSync(folder, { recursive: true }))

type ServerName = keyof typeof SERVER_PORTS

/** Copies an example, and returns a function that starts it as a process. */
function prepare(name: ServerName, loginUrl = login) {
  const port = SERVER_PORTS[name]
  const url = `http://localhost:${port}`
  const app = mkdtempSync(join(folder, `${name}-`))
  copyExample(name, app)
  symlinkSync(join(ROOT, 'node_modules'), join(app, 'node_modules'))
  change(join(app, 'login.ts'), 'vestibule-auth/server', join(ROOT, 'src/server.ts'))
  const env = {
    LOGIN_URL: loginUrl,
    CLIENT_SECRET: SECRET,
    SESSION_SECRET,
    APP_URL: url,
    API_URL: apiUrl(url),
    PORT: String(port),
  }
  const start = () =>
    startServer([process.execPath, 'app.ts'], port, {
      folder: app,
      env,
      log: join(folder, `${name}.log`),
      timeout: 30_000,
    })
  return { url, start }
}

describeInBrowser('the examples of servers', () => {
  it('Hono: sign users in and out, and end sessions that end at the login service', async ({
    page,
    persona,
  }) => {
    const { url, start } = prepare('hono')
    const server = await start()
    onTestFinished(() => server.stop())

    await checkServer(page, { url, login, secret: SESSION_SECRET, handle: persona })
  })

  it('Express: keep users signed in when the server is restarted', async ({ page, persona }) => {
    const { url, start } = prepare('express')
    const first = await start()
    await page.goto(url)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await signInWithTikTok(page, persona)
    await page.getByText(`Hello, ${NAME}`).waitFor()
    await first.stop()

    const second = await start()
    onTestFinished(() => second.stop())

    await page.goto(url)
    await page.getByText(`Hello, ${NAME}`).waitFor()
    const cookies = await page.context().cookies(url)
    expect(cookies).toContainEqual(
      expect.objectContaining({
        name: 'vestibule-web',
        httpOnly: true,
        sameSite: 'Lax',
      }),
    )
    expect(await page.evaluate('document.cookie')).not.toContain('vestibule-web')
  })
})

describe('the examples of servers, while the login service is unavailable', () => {
  plainIt.each<ServerName>(['hono', 'express', 'fastify'])(
    '%s: respond with 503 to a session that must be confirmed, and go on',
    async (name) => {
      const { url, start } = prepare(name, UNREACHABLE_LOGIN)
      const server = await start()
      onTestFinished(() => server.stop())

      await checkOutage(url, SESSION_SECRET)
    },
  )
})

describe('vestibule-auth/server', () => {
  plainIt('has at most 10 KiB without jose, compressed with gzip', async () => {
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
