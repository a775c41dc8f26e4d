import { parseArgs } from 'node:util'
import { errorMessage } from '../cli/error-message.ts'
import { parsePort } from '../cli/parse-port.ts'
import { stopOnSignals, stopWithParent } from '../cli/stop-process.ts'
import { exitWithUsage } from './exit-with-usage.ts'
import { DEMO, FIRST_PORT, PortTakenError, type Services, startServices } from './services.ts'

const HELP = `Usage: npm start [-- --port N]

Starts the login service on this machine, together with a stand-in for the video platform and its
mailbox, a demo shop, a demo API with an MCP server, and a gallery that shows single sign-on. No
account and no internet connection are needed. All data is lost when the services stop.

  --port N   the first of five consecutive ports (default: ${FIRST_PORT})
  --help     print this help
`

/** The services need four more ports after the first one. */
const HIGHEST_FIRST_PORT = 65_535 - 4

/** Log lines that are printed only if the services fail to start. */
const startupLog: string[] = []
let isReady = false

const port = readPort()
process.stderr.write('  Starting …')
const starting = startServices({
  ...DEMO,
  port,
  onLog: ({ level, message }) => printLog(level, message),
})
stopOnSignals(stop)
stopWithParent(stop)

try {
  const services = await starting
  isReady = true
  // The runtime has installed its own listeners, which would report Ctrl-C as a failure.
  stopOnSignals(stop)
  clearProgress()
  process.stdout.write(describeServices(services))
} catch (error) {
  clearProgress()
  process.stderr.write(`${explainFailure(error)}\n`)
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
    return parsePort(values.port ?? String(FIRST_PORT), HIGHEST_FIRST_PORT)
  } catch (error) {
    return exitWithUsage(error, HELP)
  }
}

/**
 * Prints errors immediately. Other lines are kept, and printed only if the services fail to start.
 */
function printLog(level: string, message: string): void {
  if (level === 'error') process.stderr.write(`${message}\n`)
  else if (!isReady) startupLog.push(message)
}

function describeServices(services: Services): string {
  const { login, platform, storefront, orders, mcp, gallery, mailbox } = services
  const seconds = Math.max(1, Math.round(process.uptime()))
  const column = (address: string) => address.padEnd(mailbox.length)
  return `  login      ${column(login)}   the login service
  console    ${column(`${login}/admin`)}   its console: sign in as Mia, who is an administrator
  platform   ${column(platform)}   the stand-in for the video platform: no account needed
  mailbox    ${column(mailbox)}   the emails that the login service sends
  storefront ${column(storefront)}   a demo shop that uses our library for frontends
  orders     ${column(orders)}   a demo API that verifies our JWTs
  mcp        ${column(mcp)}   the same API for agents: an MCP server
  gallery    ${column(gallery)}   a second app (OpenID Connect client), to see single sign-on
  Ready in ${seconds} s. Open the storefront and press "Sign in". Ctrl-C stops everything.
`
}

function explainFailure(error: unknown): string {
  if (error instanceof PortTakenError) {
    return `${error.message} Stop the program that uses it, or choose other ports: npm start -- --port 9000`
  }
  return [...startupLog, `The services could not start. ${errorMessage(error)}`].join('\n')
}

function clearProgress(): void {
  process.stderr.write(process.stderr.isTTY ? '\r\u001B[K' : '\n')
}

/** While the services are still starting, this waits until they have started, then stops them. */
function stop(): void {
  starting
    .then((services) => services.stop())
    .then(
      () => process.exit(),
      () => process.exit(1),
    )
}
