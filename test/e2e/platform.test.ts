import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startScript } from './start-script.ts'

/** Away from the services of the other tests. */
const PORT = 19_887
const HERE = `http://localhost:${PORT}`
const APP = {
  client_key: 'sbawstandin0000001',
  client_secret: 'stand-in-secret-for-loopback-only-0001',
}
const CALLBACK = 'https://login.example/api/auth/callback/tiktok'

describe('npm run platform', () => {
  it('says where it is, which apps it has and what a test can ask of it, and ends with Ctrl-C', async () => {
    const platform = await start()

    expect(platform.output()).toContain(`platform   ${HERE}   the stand-in`)
    for (const words of [APP.client_key, APP.client_secret, 'POST /__stand-in/events']) {
      expect(platform.output()).toContain(words)
    }
    expect((await fetch(HERE)).status).toBe(200)

    platform.process.kill('SIGINT')
    expect(await platform.ended).toBe(0)
    await expect(fetch(HERE)).rejects.toThrow()
  })

  it('answers at both addresses of this machine', async () => {
    const hasIPv6 = networkInterfaces()['lo']?.some(({ family }) => family === 'IPv6')
    await start()

    expect((await fetch(`http://127.0.0.1:${PORT}/`)).status).toBe(200)
    if (hasIPv6) expect((await fetch(`http://[::1]:${PORT}/`)).status).toBe(200)
  })

  it('signs in, tells the app when the person leaves, and again when the app was away', async () => {
    const app = await listen()
    await start('--webhook', app.url)
    const { open_id, access_token } = await signIn()
    const info = await fetch(`${HERE}/v2/user/info/?fields=open_id`, {
      headers: { Authorization: `Bearer ${access_token}` },
    })
    expect(await info.json()).toMatchObject({ data: { user: { open_id } } })

    await control('events', { user: 'mia', reason: 'disconnected' })
    await control('clock', { advance: 10 })
    expect(app.received).toHaveLength(2)
    expect(app.received[1]).toMatchObject({ event: 'authorization.removed', user_openid: open_id })
  })

  it('tells the app of a revocation in its own time', async () => {
    const app = await listen()
    await start('--webhook', app.url)
    const { access_token } = await signIn()
    const answer = await post('/v2/oauth/revoke/', { ...APP, token: access_token })

    expect(await answer.text()).toBe('{}')
    await expect.poll(() => app.received).toMatchObject([{ content: '{"reason":5}' }])
  })

  it('keeps cookies, and breaks off an answer when told to', async () => {
    await start()
    const login = await fetch(`${HERE}/v2/auth/login`, {
      method: 'POST',
      body: new URLSearchParams({ persona: 'mia', place: '/settings/apps' }),
      redirect: 'manual',
    })
    expect(login.headers.getSetCookie()).toHaveLength(1)
    expect(login.headers.get('Location')).toBe('/settings/apps')

    await control('faults', { path: '/v2/oauth/token/', kind: 'reset' })
    const spoilt = post('/v2/oauth/token/', APP).then((response) => response.text())
    await expect(spoilt).rejects.toThrow()
    expect((await fetch(HERE)).status).toBe(200)
  })

  it('names the port that is taken, and the way around', async () => {
    await start()
    const second = startScript('demo/video-platform/start.ts', '--port', String(PORT))

    expect(await second.ended).toBe(1)
    expect(second.output()).toContain(`Port ${PORT} is already in use.`)
    expect(second.output()).toContain('npm run platform -- --port 9000')
  })

  it('shows how it is used', async () => {
    const platform = startScript('demo/video-platform/start.ts', '--help')

    expect(await platform.ended).toBe(0)
    expect(platform.output()).toContain('Usage: npm run platform')
  })

  it.each([
    [['--prot', '1']],
    [['--port', 'x']],
    [['--port', '65536']],
    [['extra']],
    [['--webhook', 'http://elsewhere.example/']],
  ])('explains itself when it does not understand %j', async (flags) => {
    const platform = startScript('demo/video-platform/start.ts', ...flags)

    expect(await platform.ended).toBe(2)
    expect(platform.output()).toContain('Usage: npm run platform')
  })
})

async function start(...flags: string[]) {
  const platform = startScript('demo/video-platform/start.ts', '--port', String(PORT), ...flags)
  await platform.waitForOutput('Ready.')
  onTestFinished(async () => {
    platform.process.kill('SIGKILL')
    await platform.ended
  })
  return platform
}

/** An app that is away at first. */
async function listen() {
  const received: unknown[] = []
  const server = createServer(async (incoming: IncomingMessage, outgoing) => {
    received.push(JSON.parse(await text(incoming)))
    outgoing.writeHead(received.length === 1 ? 503 : 200).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/webhook`, received }
}

async function signIn(): Promise<{ open_id: string; access_token: string }> {
  const query = new URLSearchParams({
    client_key: APP.client_key,
    response_type: 'code',
    scope: 'user.info.basic',
    redirect_uri: CALLBACK,
    __as: 'mia',
    __grant: 'user.info.basic',
  })
  const page = await fetch(`${HERE}/v2/auth/authorize/?${query}`, { redirect: 'manual' })
  const callback = new URL(page.headers.get('Location') ?? '')
  const answer = await post('/v2/oauth/token/', {
    ...APP,
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: CALLBACK,
  })
  return answer.json()
}

function post(path: string, fields: Record<string, string>): Promise<Response> {
  return fetch(HERE + path, {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })
}

function control(name: string, body: unknown): Promise<Response> {
  return fetch(`${HERE}/__stand-in/${name}`, { method: 'POST', body: JSON.stringify(body) })
}
