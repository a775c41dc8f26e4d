import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  API,
  control,
  fetchUserInfo,
  obtainTokens,
  post,
  revokeToken,
  SANDBOX,
  type StandIn,
  submitForm,
  WEB,
} from '../libraries/testing/client.ts'
import { PORTS } from './ports.ts'
import { startScript } from './start-script.ts'

/** Not used by the services of the other tests. */
const PORT = PORTS.platform + 1
const ORIGIN = `http://localhost:${PORT}`

/** The stand-in that the tests start, over the network. */
const standIn: StandIn = {
  request: (url, init) =>
    fetch(url.replace(API, ORIGIN).replace(WEB, ORIGIN), { redirect: 'manual', ...init }),
}

describe('npx vestibule-auth platform', () => {
  it('prints its address, its apps and its control API, and stops on Ctrl-C', async () => {
    const platform = await start()

    expect(platform.output()).toContain(`platform   ${ORIGIN}   the stand-in`)
    for (const expected of [
      SANDBOX.client_key,
      SANDBOX.client_secret,
      'POST /__stand-in/events',
      // The login service is at the port before.
      `webhook  http://localhost:${PORT - 1}/api/auth/webhook/tiktok`,
      `setup --stand-in ${ORIGIN} --url http://localhost:${PORT - 1}\n`,
    ]) {
      expect(platform.output()).toContain(expected)
    }
    expect((await fetch(ORIGIN)).status).toBe(200)

    platform.process.kill('SIGINT')
    expect(await platform.ended).toBe(0)
    await expect(fetch(ORIGIN)).rejects.toThrow()
  })

  it('listens on both loopback addresses', async () => {
    const hasIPv6 = networkInterfaces()['lo']?.some(({ family }) => family === 'IPv6')
    await start()

    expect((await fetch(`http://127.0.0.1:${PORT}/`)).status).toBe(200)
    if (hasIPv6) expect((await fetch(`http://[::1]:${PORT}/`)).status).toBe(200)
  })

  it('sends a webhook when the user disconnects the app, and sends it again if that failed', async () => {
    const app = await startApp()
    await start('--webhook', app.url)
    const { open_id, access_token } = await obtainTokens(standIn)
    const info = await fetchUserInfo(standIn, access_token, 'open_id')
    expect(await info.json()).toMatchObject({ data: { user: { open_id } } })

    await control(standIn, 'events', { user: 'mia', reason: 'disconnected' })
    await control(standIn, 'clock', { advance: 10 })
    expect(app.received).toHaveLength(2)
    expect(app.received[1]).toMatchObject({ event: 'authorization.removed', user_openid: open_id })
  })

  it('sends a webhook after a revocation', async () => {
    const app = await startApp()
    await start('--webhook', app.url)
    const { access_token } = await obtainTokens(standIn)
    const response = await revokeToken(standIn, access_token)

    expect(await response.text()).toBe('{}')
    await expect.poll(() => app.received).toMatchObject([{ content: '{"reason":5}' }])
  })

  it('sets cookies, and closes the connection when a fault says so', async () => {
    await start()
    const login = await submitForm(standIn, '/v2/auth/login', {
      fields: { persona: 'mia', place: '/settings/apps' },
    })
    expect(login.headers.getSetCookie()).toHaveLength(1)
    expect(login.headers.get('Location')).toBe('/settings/apps')

    await control(standIn, 'faults', { path: '/v2/oauth/token/', kind: 'reset' })
    const aborted = post(standIn, '/v2/oauth/token/', SANDBOX).then((response) => response.text())
    await expect(aborted).rejects.toThrow()
    expect((await fetch(ORIGIN)).status).toBe(200)
  })

  it('reports a port that is in use, and how to choose another', async () => {
    await start()
    const second = startScript('cli/vestibule.js', 'platform', '--port', String(PORT))

    expect(await second.ended).toBe(1)
    expect(second.output()).toContain(`Port ${PORT} is already in use.`)
    expect(second.output()).toContain('npx vestibule-auth platform --port 9000')
  })

  it('prints its usage', async () => {
    const platform = startScript('cli/vestibule.js', 'platform', '--help')

    expect(await platform.ended).toBe(0)
    expect(platform.output()).toContain('Usage: npx vestibule-auth platform')
  })

  it.each([
    [['--prot', '1']],
    [['--port', 'x']],
    [['--port', '65536']],
    [['extra']],
    [['--webhook', 'http://elsewhere.example/']],
  ])('prints its usage for the invalid arguments %j', async (flags) => {
    const platform = startScript('cli/vestibule.js', 'platform', ...flags)

    expect(await platform.ended).toBe(2)
    expect(platform.output()).toContain('Usage: npx vestibule-auth platform')
  })
})

async function start(...flags: string[]) {
  const platform = startScript('cli/vestibule.js', 'platform', '--port', String(PORT), ...flags)
  await platform.waitForOutput('Ready.')
  onTestFinished(async () => {
    platform.process.kill('SIGKILL')
    await platform.ended
  })
  return platform
}

/** An app that fails to process its first webhook. */
async function startApp() {
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
