import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeJwt } from 'jose'
import * as oauth from 'oauth4webapi'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest'
import { cachedBundle } from '../../src/libraries/testing/bundle.ts'
import {
  createTestIssuer,
  type RunningLogin,
  saveState,
  signIn,
  startLogin,
} from '../../src/testing.ts'
import { createVerifier, TokenError } from '../../src/verify.ts'
import { describeInBrowser, it } from './browser-fixtures.ts'
import { ROOT } from './frontend.ts'
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts'
import { temporaryFolder } from './temporary-folder.ts'

let app: LoopbackServer
let appUrl: string
let login: RunningLogin

beforeAll(async () => {
  app = await startLoopbackServer((_, response) => response.end('<h1>The shop</h1>'))
  appUrl = `http://localhost:${app.port}/`
  login = await startLogin({
    clients: [{ client_id: 'shop', redirect_uris: [appUrl], first_party: true }],
    users: [{ handle: 'ada', displayName: 'Ada Lovelace' }],
  })
})

afterAll(async () => {
  await login?.stop()
  await app?.close()
})

async function openSignInPage(page: Page): Promise<void> {
  await page.goto(`${login.url}/api/auth/signin?${new URLSearchParams({ callbackUrl: appUrl })}`)
}

async function readUser(page: Page): Promise<string | undefined> {
  const response = await page.request.get(`${login.url}/api/auth/session?client_id=shop`)
  return (await response.json())?.user.name
}

describe('startLogin', () => {
  it('has everything that a login service needs, at free ports', async () => {
    const ready = await fetch(`${login.url}/readyz`)
    const messages = await fetch(`${login.mailbox}/messages`)

    expect(await ready.json()).toMatchObject({ status: 'ready' })
    expect(await messages.json()).toEqual([])
  })

  it('starts another one beside it, which ends with stop', async () => {
    const another = await startLogin()
    expect((await fetch(`${another.url}/healthz`)).status).toBe(200)

    await another.stop()

    await expect(fetch(another.url)).rejects.toThrow()
    await expect(fetch(another.platform)).rejects.toThrow()
    expect((await fetch(`${login.url}/healthz`)).status).toBe(200)
  })

  it('rejects a port that is in use', async () => {
    await expect(startLogin({ port: app.port })).rejects.toThrow(
      `Port ${app.port} is already in use.`,
    )
  })

  it('rejects a user whose handle the stand-in could not have', async () => {
    await expect(startLogin({ users: [{ handle: 'Ada!' }] })).rejects.toThrow(
      'The user Ada! is invalid',
    )
  })

  it('names the field of a client that is invalid [T1]', async () => {
    const clients = [{ client_id: 'shop', redirect_urls: ['http://localhost:3000/'] }]

    await expect(startLogin({ clients })).rejects.toThrow(
      /^The login service cannot start: .*redirect_urls/,
    )
  })
})

/** The login service of an operator: its own roles, a callback, and a feature with a database. */
function writeDeployment(): string {
  const folder = temporaryFolder()
  const source = (file: string) => JSON.stringify(join(ROOT, 'src', file))
  writeFileSync(
    join(folder, 'index.ts'),
    `import { env } from 'cloudflare:workers'
    import { createVestibule } from ${source('vestibule.ts')}
    import { defineFeature, roles } from ${source('features.ts')}
    import { TikTok } from ${source('providers.ts')}

    const notes = defineFeature({
      id: 'notes',
      bindings: [{ name: 'NOTES', method: 'prepare', toml: '' }],
      step: {
        async required() {
          await env.NOTES.prepare('SELECT 1 FROM notes').first()
          return undefined
        },
      },
      pages: {},
    })
    const vestibule = createVestibule({
      providers: [TikTok],
      features: [roles({ names: ['chef'] }), notes],
      callbacks: { claims: () => ({ tenant: 'kitchen' }) },
    })
    export default vestibule.worker
    export const { UserObject, KeyringObject, GuardObject, RevocationsObject, ClientMetadataObject } =
      vestibule.objects`,
  )
  mkdirSync(join(folder, 'notes'))
  writeFileSync(join(folder, 'notes/0001_notes.sql'), 'CREATE TABLE notes (text TEXT);')
  const objects = { USERS: 'User', KEYRING: 'Keyring', GUARDS: 'Guard', REVOCATIONS: 'Revocations' }
  const bindings = Object.entries({ ...objects, CLIENT_METADATA: 'ClientMetadata' }).map(
    ([name, type]) =>
      `[[durable_objects.bindings]]\nname = "${name}"\nclass_name = "${type}Object"\n`,
  )
  const config = join(folder, 'wrangler.toml')
  writeFileSync(
    config,
    `name = "my-login"
main = "index.ts"
compatibility_date = "2026-09-01"
[vars]
AUTH_URL = "https://login.example.com"
[[kv_namespaces]]
binding = "SESSIONS"
[[d1_databases]]
binding = "DIRECTORY"
database_name = "my-login"
[[d1_databases]]
binding = "NOTES"
database_name = "notes"
migrations_dir = "notes"
${bindings.join('')}
[[migrations]]
tag = "v1"
new_sqlite_classes = ["UserObject", "KeyringObject", "GuardObject", "RevocationsObject", "ClientMetadataObject"]
`,
  )
  return config
}

describeInBrowser('startLogin with the configuration of an operator', () => {
  it('has its roles, callbacks, features and databases, and users with roles', async ({ page }) => {
    const own = await startLogin({
      config: writeDeployment(),
      clients: [{ client_id: 'shop', redirect_uris: [appUrl], first_party: true }],
      users: [{ handle: 'ada', displayName: 'Ada Lovelace', roles: ['chef'] }],
    })
    onTestFinished(() => own.stop())
    const query = new URLSearchParams({ callbackUrl: appUrl })
    await page.goto(`${own.url}/api/auth/signin?${query}`)
    await signIn(page, 'ada')

    const response = await page.request.get(`${own.url}/api/auth/session?client_id=shop`)
    const { user, token } = await response.json()

    expect(page.url()).toBe(appUrl)
    expect(user.name).toBe('Ada Lovelace')
    expect(decodeJwt(token)).toMatchObject({ iss: own.url, roles: ['chef'], tenant: 'kitchen' })
  })
})

describe('the bundle of a login service', () => {
  it('is taken from the folder until a file changes that it consists of', async () => {
    const folder = temporaryFolder()
    const cache = join(folder, 'cache')
    const main = join(folder, 'index.js')
    const imported = join(folder, 'imported.js')
    writeFileSync(main, "export { text } from './imported.js'")
    writeFileSync(imported, "export const text = 'first'")
    expect(await cachedBundle(main, cache)).toContain('first')

    // What is stored says whether it was used.
    const [file = ''] = readdirSync(cache)
    const stored = JSON.parse(readFileSync(join(cache, file), 'utf8'))
    writeFileSync(join(cache, file), JSON.stringify({ ...stored, contents: 'stored' }))
    expect(await cachedBundle(main, cache)).toBe('stored')

    writeFileSync(imported, "export const text = 'second'")
    expect(await cachedBundle(main, cache)).toContain('second')
    expect(readdirSync(cache)).toEqual([file])
  })
})

describeInBrowser('signIn', () => {
  it('signs a user of the stand-in in, and returns to the app', async ({ page }) => {
    await openSignInPage(page)
    await signIn(page, 'ada')

    expect(page.url()).toBe(appUrl)
    expect(await readUser(page)).toBe('Ada Lovelace')
  })

  it('signs in another user than the one before', async ({ page, context }) => {
    await openSignInPage(page)
    await signIn(page, 'mia')
    await context.clearCookies({ name: /session/ })
    await openSignInPage(page)
    await signIn(page, 'noah')

    expect(await readUser(page)).toBe('Noah Adeyemi')
  })

  it('continues at the stand-in if the app has chosen it', async ({ page }) => {
    await page.goto(`${login.url}/api/auth/signin/tiktok?callbackUrl=${encodeURIComponent(appUrl)}`)
    await signIn(page, 'mia')

    expect(page.url()).toBe(appUrl)
  })

  it('ends at the error page if the platform rejects the user', async ({ page }) => {
    await openSignInPage(page)
    await signIn(page, 'bruno')

    expect(await page.getByRole('heading').first().isVisible()).toBe(true)
    expect(page.url()).toContain(login.url)
    expect(await readUser(page)).toBeUndefined()
  })

  it('reports a user whom the stand-in does not have', async ({ page }) => {
    await openSignInPage(page)

    await expect(signIn(page, 'nobody')).rejects.toThrow('The stand-in has no user nobody.')
  })

  it('names the URL of an app that is not running', async ({ page, pageErrors }) => {
    const absent = await startLoopbackServer(() => {})
    await absent.close()
    const url = `http://localhost:${absent.port}/`
    const other = await startLogin({
      clients: [{ client_id: 'absent', redirect_uris: [url], first_party: true }],
    })
    onTestFinished(() => other.stop())
    await page.goto(`${other.url}/api/auth/signin?${new URLSearchParams({ callbackUrl: url })}`)

    await expect(signIn(page, 'mia')).rejects.toThrow(
      `The user has signed in, but ${url} cannot be opened. Is the app running?`,
    )
    pageErrors.splice(0)
  })

  it('reports a page that is not at a login service', async ({ page }) => {
    await page.goto(appUrl)
    page.setDefaultNavigationTimeout(500)

    await expect(signIn(page, 'mia')).rejects.toThrow(`The page is at ${appUrl}`)
  })

  it('refuses a login service at a public address [T1]', async ({ page, pageErrors }) => {
    await page.route('https://login.example.com/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>Sign in</h1>' }),
    )
    await page.goto('https://login.example.com/api/auth/signin')

    await expect(signIn(page, 'mia')).rejects.toThrow('login.example.com is not on this machine')
    await expect(saveState(page, 'state.json')).rejects.toThrow('is not on this machine')
    expect(pageErrors.splice(0)).toHaveLength(1)
  })
})

describeInBrowser('saveState', () => {
  it('saves a session with which another browser begins', async ({ page, openContext }) => {
    const path = join(temporaryFolder(), 'mia.json')
    await openSignInPage(page)
    await signIn(page, 'mia')
    await saveState(page, path)

    const other = await openContext({ storageState: path })

    expect(await readUser(await other.newPage())).toBe('Mia Lindqvist')
  })
})

describe('createTestIssuer', () => {
  const audience = 'https://api.example'

  async function start() {
    const issuer = await createTestIssuer()
    onTestFinished(() => issuer.stop())
    const auth = createVerifier({ issuer: issuer.url, audience, interval: 0.05 })
    return { issuer, auth }
  }

  it('signs access tokens that are verified with its keys', async () => {
    const { issuer, auth } = await start()
    const claims = { roles: ['editor'] }
    const token = await issuer.sign({ audience, userId: 'usr_1', scope: 'a b', claims })

    expect(await auth.verify(token)).toMatchObject({
      userId: 'usr_1',
      scopes: ['a', 'b'],
      claims: { roles: ['editor'] },
    })
  })

  it('signs session tokens, and tokens with RS256', async () => {
    const { issuer } = await start()
    const session = createVerifier({ issuer: issuer.url, audience: 'shop', token: 'session' })
    const rsa = createVerifier({ issuer: issuer.url, audience, algorithm: 'RS256' })

    const signed = await issuer.sign({ audience: 'shop', token: 'session' })
    expect((await session.verify(signed)).userId).toBe('usr_test')
    await rsa.verify(await issuer.sign({ audience, algorithm: 'RS256' }))
  })

  it.each([
    { audience: 'https://other.example' },
    { audience, expiresIn: -60 },
    { audience, key: 'unknown' },
    { audience, token: 'session' },
    { audience, algorithm: 'RS256' },
    { audience, claims: { iss: 'https://login.example' } },
  ] as const)('signs a token that an API rejects: %j', async (token) => {
    const { issuer, auth } = await start()

    await expect(auth.verify(await issuer.sign(token))).rejects.toThrow(TokenError)
  })

  it('lists what was revoked', async () => {
    const { issuer, auth } = await start()
    const token = await issuer.sign({ audience, userId: 'usr_1' })
    await auth.verify(token)

    issuer.revoke('usr_1')
    await sleep(100)

    await expect(auth.verify(token)).rejects.toThrow('The token was revoked.')
    await auth.verify(await issuer.sign({ audience, userId: 'usr_2' }))
    // Verifiers in other languages look for users here only.
    const feed = await fetch(`${issuer.url}/.well-known/revocations`)
    const { revoked_before } = decodeJwt<{ revoked_before: object }>(await feed.text())
    const key = createHash('sha256').update('usr_1').digest().subarray(0, 8).toString('base64url')
    expect(revoked_before).toMatchObject({ [key]: expect.any(Number) })
  })

  it.each(['oidc', 'oauth2'] as const)('has a discovery document: %s', async (algorithm) => {
    const { issuer } = await start()
    const url = new URL(issuer.url)
    const options = { algorithm, [oauth.allowInsecureRequests]: true }
    const response = await oauth.discoveryRequest(url, options)

    const server = await oauth.processDiscoveryResponse(url, response)
    const keys = await fetch(server.jwks_uri ?? '')
    expect(await keys.json()).toMatchObject({ keys: [{ alg: 'ES256' }, { alg: 'RS256' }] })
  })

  it('replaces its keys, and former tokens are rejected', async () => {
    const { issuer, auth } = await start()
    const token = await issuer.sign({ audience })
    await auth.verify(token)

    await issuer.rotateKeys()
    await sleep(100)

    await auth.verify(await issuer.sign({ audience }))
    await expect(auth.verify(token)).rejects.toThrow(TokenError)
  })
})
