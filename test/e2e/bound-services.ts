import { createHash, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { convertV4MiniflareOptions, Miniflare, NoOpLog } from 'miniflare'
import { applyMigrations } from '../../src/libraries/testing/apply-migrations.ts'
import { cachedBundle } from '../../src/libraries/testing/bundle.ts'
import { readLoginWorker } from '../../src/libraries/testing/login-worker.ts'
import { findFreePort } from '../../src/libraries/testing/ports.ts'
import { app, SANDBOX_APP } from '../../src/libraries/testing/video-platform/apps.ts'
import { createStandIn } from '../../src/libraries/testing/video-platform/stand-in.ts'
import { NAME } from '../user-name.ts'
import { createCertificate } from './certificate.ts'
import { startLoopbackServer } from './loopback-server.ts'

/*
 * A login service, an app of its site and an app of another site, each at its own name with TLS:
 * browsers bind no sessions otherwise. Chromium reaches all names at one server of this machine.
 */

export const LOGIN = 'https://login.example'
/** On the site of the service. */
export const SHOP = 'https://shop.login.example'
/** On another one. */
export const PARTNER = 'https://partner.example'

/** Where a service with a public address expects the platform: the stand-in answers there. */
const PLATFORM = 'https://www.tiktok.com'

/** Such a service rejects the credentials of the stand-in's own apps. */
const REGISTRATION = app.parse({
  ...SANDBOX_APP,
  clientKey: 'sbaw8k2m5q9r4t7w1z',
  clientSecret: '5yQ0cVnB7sTzKp3HgXwE9mRdU2fLaJ6o',
})

const MAIN = fileURLToPath(new URL('../features/device-bound/bound-login.ts', import.meta.url))

export interface BoundServices {
  /** What Chromium needs to reach them, and to bind sessions without a TPM. */
  flags: string[]
  /** Creates a user of the stand-in who has never signed in, and returns the handle. */
  createPersona(): Promise<string>
  /** The requests that the browsers have sent to the login service by themselves. */
  sent: { path: string; isSigned: boolean; status: number }[]
  /** Answers renewals as the service does while storage fails. */
  setRenewalsFail(fail: boolean): void
  /** Moves the clock of the service, not that of the browser. */
  setClock(seconds: number): Promise<void>
  restart(): Promise<void>
  stop(): Promise<void>
}

export async function startBoundServices(): Promise<BoundServices> {
  const tls = createCertificate()
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-bound-'))
  const port = await findFreePort()
  const standIn = createStandIn({ apps: [REGISTRATION] })
  const start = await createLoginService({ port, folder, standIn })
  let runtime = await start()
  const sent: BoundServices['sent'] = []
  let renewalsFail = false

  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { host = '', 'secure-session-response': signed } = incoming.headers
    const { url: path = '/' } = incoming
    if (host === new URL(LOGIN).host) {
      const isRenewal = path === '/api/auth/device-bound/refresh'
      if (isRenewal && renewalsFail) outgoing.writeHead(503).end()
      else await forward(incoming, outgoing, port)
      const status = outgoing.statusCode
      if (path.includes('/device-bound/')) sent.push({ path, isSigned: !!signed, status })
      return
    }
    if (host === new URL(PLATFORM).host) return answer(incoming, outgoing, standIn)
    outgoing
      .writeHead(200, { 'Content-Type': 'text/html' })
      .end(`<!doctype html><title>${host}</title><link rel="icon" href="data:,"><h1>${host}</h1>`)
  }
  const server = await startLoopbackServer(
    (incoming, outgoing) => void respond(incoming, outgoing).catch(() => outgoing.destroy()),
    { tls },
  )
  const key = new X509Certificate(tls.cert).publicKey.export({ type: 'spki', format: 'der' })
  return {
    flags: [
      '--enable-features=DeviceBoundSessions:RefreshQuota/false,EnableBoundSessionCredentialsSoftwareKeysForManualTesting',
      `--ignore-certificate-errors-spki-list=${createHash('sha256').update(key).digest('base64')}`,
      `--host-resolver-rules=MAP * 127.0.0.1:${server.port}`,
    ],
    async createPersona() {
      const handle = `e2e-${crypto.randomUUID().slice(0, 13)}`
      const body = JSON.stringify({ handle, displayName: NAME })
      await standIn(new Request(`${PLATFORM}/__stand-in/users`, { method: 'POST', body }))
      return handle
    },
    sent,
    setRenewalsFail: (fail) => {
      renewalsFail = fail
    },
    async setClock(seconds) {
      await fetch(`http://localhost:${port}/__clock?seconds=${seconds}`)
    },
    async restart() {
      await runtime.dispose()
      runtime = await start()
    },
    async stop() {
      await server.close()
      await runtime.dispose()
      rmSync(folder, { recursive: true })
    },
  }
}

type StandIn = ReturnType<typeof createStandIn>

/** Returns a function that starts the service, with what it has stored before. */
async function createLoginService({
  port,
  folder,
  standIn,
}: {
  port: number
  folder: string
  standIn: StandIn
}) {
  const { worker, migrations } = await readLoginWorker({
    url: `http://localhost:${port}`,
    platform: '',
    options: {
      clients: [
        { client_id: 'shop', redirect_uris: [`${SHOP}/`], first_party: true },
        {
          client_id: 'partner',
          client_name: 'The partner',
          redirect_uris: [`${PARTNER}/callback`],
        },
      ],
    },
  })
  const {
    AUTH_TIKTOK_WEB_URL: _web,
    AUTH_TIKTOK_API_URL: _api,
    MAILBOX_URL: _mailbox,
    TIME_ZONE: _zone,
    ...bindings
  } = worker.bindings ?? {}
  const options = convertV4MiniflareOptions({
    workers: [
      {
        ...worker,
        modules: [{ type: 'ESModule', path: 'index.js', contents: await cachedBundle(MAIN) }],
        bindings: {
          ...bindings,
          AUTH_URL: LOGIN,
          AUTH_SECRET: 'q3vY8nTz1LkWm5XcRb7HsPj2GdFa9EuQ0iOtNyCxVw4',
          AUTH_TIKTOK_ID: REGISTRATION.clientKey,
          AUTH_TIKTOK_SECRET: REGISTRATION.clientSecret,
        },
        outboundService: (outgoing) => standIn(outgoing as unknown as Request) as never,
      },
    ],
    log: new NoOpLog(),
    handleStructuredLogs: () => {},
    cf: false,
    resourcePersistencePath: folder,
  })
  return async () => {
    const runtime = new Miniflare(options)
    await runtime.ready
    for (const [binding, path] of migrations) {
      await applyMigrations(await runtime.getD1Database(binding), path)
    }
    return runtime
  }
}

/** The service gets the request with the host and the headers that the browser has sent. */
async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  port: number,
): Promise<void> {
  const { method, url, headers } = incoming
  const forwarded = request({ host: 'localhost', port, method, path: url, headers })
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    forwarded.once('response', resolve).once('error', reject)
  })
  incoming.pipe(forwarded)
  const message = await response
  outgoing.writeHead(message.statusCode ?? 500, message.headersDistinct as never)
  await pipeline(message, outgoing)
}

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  standIn: StandIn,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const { method = 'GET', url = '/', headers } = incoming
  const response = await standIn(
    new Request(new URL(url, `https://${headers.host}`), {
      method,
      headers: headers as Record<string, string>,
      body: method === 'GET' ? null : Buffer.concat(chunks),
    }),
  )
  outgoing.setHeaders(response.headers).writeHead(response.status)
  outgoing.end(Buffer.from(await response.arrayBuffer()))
}
