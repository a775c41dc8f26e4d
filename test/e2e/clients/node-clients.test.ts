import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, inject, it } from 'vitest'
import { checkClient } from '../../interop/checks.ts'
import { NODE_CLIENTS, toEnvironment } from '../../interop/clients.ts'
import { startServer } from '../../interop/server-process.ts'
import { NODE_CLIENT_PORTS } from './registrations.ts'

/** Milliseconds until a server must accept connections. */
const START_TIMEOUT = 30_000

const services = inject('services')
const folder = mkdtempSync(join(tmpdir(), 'vestibule-clients-'))
const servers: { stop: () => Promise<void> }[] = []

beforeAll(async () => {
  const starting = Array.from(NODE_CLIENT_PORTS, ([client, port]) =>
    startServer(client.start(port), port, {
      folder: fileURLToPath(new URL(`../../interop/${client.name}`, import.meta.url)),
      env: toEnvironment(client, services, port),
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
