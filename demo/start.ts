import { parseArgs } from 'node:util'
import { FIRST_PORT, PortTakenError, type Services, startServices } from './services.ts'

const HELP = `Usage: npm start [-- --port N]

Starts the login service and its services on this machine: a stand-in for the video platform,
a demo shop, a demo API and a gallery that shows single sign-on. They need no account and no
internet, and forget everything when they stop.

  --port N   the first of five ports in a row (${FIRST_PORT} unless you say otherwise)
  --help     shows this
`

/** The last of five ports must still be one. */
const HIGHEST_PORT = 65_535 - 4

const ONE_SECOND = 1000 // milliseconds

/** Log lines that are only worth reading when the start fails. */
const held: string[] = []
let isReady = false

const port = readPort()
process.stderr.write('  Starting …')
const starting = startServices({ port, onLog: ({ level, message }) => hear(level, message) })
stopOnSignals()
stopWithParent()

try {
  const services = await starting
  isReady = true
  stopOnSignals()
  clearProgress()
  process.stdout.write(describe(services))
} catch (error) {
  clearProgress()
  process.stderr.write(`${explain(error)}\n`)
  process.exit(1)
}

function readPort(): number {
  try {
    const { values } = parseArgs({
      options: { port: { type: 'string' }, help: { type: 'boolean' } },
    })
    if (values.help) {
      process.stdout.write(HELP)
      process.exit()
    }
    const port = Number(values.port ?? FIRST_PORT)
    if (Number.isInteger(port) && port > 0 && port <= HIGHEST_PORT) return port
    throw new RangeError(`--port must be a whole number from 1 to ${HIGHEST_PORT}.`)
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n\n${HELP}`)
    return process.exit(2)
  }
}

/** What goes wrong inside a service is shown at once; the rest only if it never starts. */
function hear(level: string, message: string): void {
  if (level === 'error') process.stderr.write(`${message}\n`)
  else if (!isReady) held.push(message)
}

function describe({ login, platform, storefront, orders, gallery }: Services): string {
  const seconds = Math.max(1, Math.round(process.uptime()))
  return `  login      ${login}   the login service
  platform   ${platform}   the stand-in for the video platform: no account needed
  storefront ${storefront}   a demo shop (OpenID Connect client)
  orders     ${orders}   a demo API that verifies our JWTs
  gallery    ${gallery}   a second app, to see single sign-on
  Ready in ${seconds} s. Open the storefront and press "Sign in". Ctrl-C stops everything.
`
}

function explain(error: unknown): string {
  if (error instanceof PortTakenError) {
    return `${error.message} Stop the program that listens there, or choose other ports: npm start -- --port 9000`
  }
  return [...held, `The services could not start. ${messageOf(error)}`].join('\n')
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function clearProgress(): void {
  process.stderr.write(process.stderr.isTTY ? '\r\u001B[K' : '\n')
}

/** The runtime brings handlers of its own, which would call a Ctrl-C a failure: ours take their place. */
function stopOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.removeAllListeners(signal).once(signal, stop)
  }
}

/** Also while they are still starting: then they stop as soon as they have. */
function stop(): void {
  starting
    .then((services) => services.stop())
    .then(
      () => process.exit(),
      () => process.exit(1),
    )
}

/** Who ends npm by a signal ends the shell between npm and us, and we hear nothing of it. */
function stopWithParent(): void {
  const parent = process.ppid
  setInterval(() => process.ppid === parent || stop(), ONE_SECOND).unref()
}
