import { pathToFileURL } from 'node:url'
import { afterAll, describe, inject, it } from 'vitest'
import { findFreePort } from '../../../src/libraries/testing/ports.ts'
import { signIn } from '../../interop/checks.ts'
import { DocumentedApis } from './documented-api.ts'
import { serveApp } from './serve-app.ts'

const services = inject('services')
const apis = new DocumentedApis()
afterAll(() => apis.remove())

type Handler = (request: Request) => Promise<Response>

/** Starts a program as a process of its own. */
async function startProgram(name: string, port: number): Promise<void> {
  await apis.start(name, { port, issuer: services.login })
}

/** Serves a program that exports a handler. */
async function serveProgram(name: string, port: number): Promise<void> {
  const path = apis.write(name, { port, issuer: services.login })
  const { GET, default: worker } = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as {
    GET?: Handler
    default?: { fetch: Handler }
  }
  const handle = GET ?? worker?.fetch
  if (!handle) throw new Error(`${name} exports no handler.`)
  const server = await serveApp(port, handle)
  apis.stopLater({ stop: () => server.close() })
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
  it.concurrent.for([
    ['app', startProgram],
    ['express', startProgram],
    ['fastify', startProgram],
    ['route', serveProgram],
    ['worker', serveProgram],
  ] as const)(
    '%s: accepts an access token for it, and rejects others and those of users who signed out',
    // The `expect` of each test, because the shared one belongs to the test that started last.
    async ([name, start], { expect }) => {
      const port = await findFreePort()
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
