import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { signIn } from '../../interop/checks.ts'
import { startServer } from '../../interop/server-process.ts'
import { programs } from '../documented-programs.ts'
import type { LoopbackServer } from '../loopback-server.ts'
import { serveApp } from './serve-app.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** The API that the tokens of the client `interop-tokens` are for. */
const API = 'https://interop-api.example'

const FIRST_PORT = 18_850

const services = inject('services')
const folder = mkdtempSync(join(tmpdir(), 'vestibule-verify-'))
const servers: { stop: () => Promise<void> }[] = []

/** Writes a program as a reader would copy it, with the addresses of the tests. */
function writeProgram(name: string, port: number): string {
  const path = join(folder, String(port), `${name}.ts`)
  const text = (programs.get(`${name}.ts`) ?? '')
    .replace('https://login.example.com', services.login)
    .replace('https://api.example', API)
    .replace("'vestibule-auth/verify'", JSON.stringify(join(ROOT, 'src/verify.ts')))
    .replace('8080', String(port))
  mkdirSync(join(folder, String(port)), { recursive: true })
  writeFileSync(path, text)
  return path
}

beforeAll(() => {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
})
afterAll(async () => {
  await Promise.all(servers.map(({ stop }) => stop()))
  rmSync(folder, { recursive: true })
})

/** Starts a program as a process of its own. */
async function startProgram(name: string, port: number): Promise<void> {
  const path = writeProgram(name, port)
  writeProgram('auth', port)
  const options = { folder, env: {}, log: join(folder, `${name}.log`), timeout: 30_000 }
  servers.push(await startServer([process.execPath, path], port, options))
}

type Handler = (request: Request) => Promise<Response>

/** Serves a program that exports a handler. */
async function serveProgram(name: string, port: number): Promise<void> {
  const path = writeProgram(name, port)
  writeProgram('auth', port)
  const { GET, default: worker } = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as {
    GET?: Handler
    default?: { fetch: Handler }
  }
  const handle = GET ?? worker?.fetch
  if (!handle) throw new Error(`${name} exports no handler.`)
  const server: LoopbackServer = await serveApp(port, handle)
  servers.push({ stop: async () => server.close() })
}

async function call(url: string, token?: string) {
  const headers = new Headers(token === undefined ? {} : { Authorization: `Bearer ${token}` })
  const response = await fetch(url, { headers })
  return {
    status: response.status,
    challenge: response.headers.get('WWW-Authenticate'),
    body: await response.json(),
  }
}

describe('the APIs of docs/relying-apps.md', () => {
  it.concurrent.each([
    ['hono', startProgram],
    ['express', startProgram],
    ['fastify', startProgram],
    ['route', serveProgram],
    ['worker', serveProgram],
  ] as const)(
    '%s: accepts an access token for it, and rejects others and those of users who signed out',
    async (name, start) => {
      const port = FIRST_PORT + [...programs.keys()].indexOf(`${name}.ts`)
      const url = `http://localhost:${port}/orders`
      await start(name, port)
      const user = await signIn('interop-tokens', services)
      const { access_token = '', id_token = '' } = user.tokens
      const other = await signIn('interop-tokens-for-another-api', services)

      expect(await call(url, access_token)).toMatchObject({
        status: 200,
        body: { customer: expect.stringMatching(/^usr_/) },
      })
      expect(await call(url)).toMatchObject({ status: 401, challenge: 'Bearer' })
      for (const token of [id_token, other.tokens.access_token, `${access_token}x`]) {
        expect(await call(url, token)).toMatchObject({
          status: 401,
          challenge: expect.stringMatching(/^Bearer error="invalid_token"/),
          body: { error: 'invalid_token' },
        })
      }
      await user.signOut()
      await expect
        .poll(async () => (await call(url, access_token)).status, {
          timeout: 15_000,
          interval: 200,
        })
        .toBe(401)
    },
  )
})
