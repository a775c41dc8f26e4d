import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { auth, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { checkClient } from '../../interop/checks.ts'
import { NODE_CLIENTS, toEnvironment } from '../../interop/clients.ts'
import { RegisteredClient } from '../../interop/mcp/registered-client.ts'
import { startServer } from '../../interop/server-process.ts'
import { SimulatedBrowser } from '../../interop/simulated-browser.ts'
import { CALLBACK, MCP_URL, NODE_CLIENT_PORTS } from './registrations.ts'

/** Milliseconds until a server must accept connections. */
const START_TIMEOUT = 30_000

const services = inject('services')
const folder = mkdtempSync(join(tmpdir(), 'vestibule-clients-'))
const servers: { stop: () => Promise<void> }[] = []

beforeAll(async () => {
  const starting = Array.from(NODE_CLIENT_PORTS, ([client, port]) =>
    startServer(client.start(port), port, {
      folder: fileURLToPath(new URL(`../../interop/${client.name}`, import.meta.url)),
      env: toEnvironment(client, services.login, port),
      log: join(folder, `${client.name}.log`),
      timeout: START_TIMEOUT,
    }).then((server) => servers.push(server)),
  )
  await Promise.all(starting)
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  rmSync(folder, { recursive: true })
})

describe.each(NODE_CLIENTS.map((client) => [client.library, client] as const))(
  '%s',
  (_library, client) => {
    const action =
      client.kind === 'app'
        ? `signs a user in${client.logoutUrl ? ' and out' : ''}`
        : '[F1][F5][F6] accepts an access token for it, and rejects other and modified tokens'

    it(action, async () => {
      const url = `http://localhost:${NODE_CLIENT_PORTS.get(client)}`

      await checkClient(client, url, services)
    })
  },
)

describe('an MCP client', () => {
  it('signs a user in and calls a tool, if it is registered', async () => {
    const browser = new SimulatedBrowser(services)
    await browser.register()
    const opened: URL[] = []
    const provider = new RegisteredClient('mcp-client', CALLBACK, (url) => void opened.push(url))
    const connect = async () => {
      const transport = new StreamableHTTPClientTransport(new URL(MCP_URL), {
        authProvider: provider,
      })
      const client = new Client({ name: 'test', version: '1.0.0' })
      return { client, transport, connected: client.connect(transport as Transport) }
    }

    const first = await connect()
    await expect(first.connected).rejects.toThrow(UnauthorizedError)
    const callback = await browser.followTo(CALLBACK, opened[0]?.href ?? '')
    expect(callback.searchParams.get('state')).toBe(provider.state())
    await first.transport.finishAuth(callback.searchParams.get('code') ?? '')
    const second = await connect()
    await second.connected
    const user = await browser.sessionUser()

    expect(await second.client.callTool({ name: 'whoami' })).toMatchObject({
      content: [{ type: 'text', text: user?.id }],
    })
    await second.client.close()
  })

  it('fails with an explanation if it is not registered', async () => {
    const provider = Object.assign(new RegisteredClient('', CALLBACK, () => {}), {
      clientInformation: () => undefined,
      saveClientInformation: () => {},
    })

    await expect(auth(provider, { serverUrl: MCP_URL })).rejects.toThrow(
      'does not support dynamic client registration',
    )
  })
})
