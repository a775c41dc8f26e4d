import { execFile } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { errorMessage } from '../../cli/error-message.ts'
import { stopOnSignals } from '../../cli/stop-process.ts'
import { exitWithUsage } from '../../demo/exit-with-usage.ts'
import type { Services } from '../../demo/services.ts'
import manifest from '../../package.json' with { type: 'json' }
import { serveBrowser } from './browser-server.ts'
import { checkOutage, UNREACHABLE_LOGIN } from './check-server.ts'
import { checkClient, checkRevocation, revokeKeys } from './checks.ts'
import {
  AGENT_DOCUMENT,
  CLIENTS,
  type Command,
  INSTALL_LIBRARY,
  type InteropClient,
  OPERATOR,
  SECRET,
  SESSION_SECRET,
  TOKEN_CLIENTS,
  toEnvironment,
  toRegistration,
} from './clients.ts'
import { copyExample, frontendRegistration, serverRegistration } from './examples.ts'
import { killRunning, type ProcessOptions, runCommand, startServer } from './server-process.ts'
import { SimulatedBrowser } from './simulated-browser.ts'

/** Not used by `npm start` or the tests, which may be running. */
const SERVICES_PORT = 21_787

/** Each client has the port after the previous client's. */
const FIRST_CLIENT_PORT = 21_800

/**
 * Milliseconds for one command that installs or compiles. The Rust client takes 9 minutes on a busy
 * machine.
 */
const INSTALL_TIMEOUT = 15 * 60_000

/** Milliseconds until a server must accept connections; Spring takes a minute on a busy machine. */
const START_TIMEOUT = 3 * 60_000

/** Agents open addresses in the browser of their user here. */
const BROWSER_PORT = 21_798

/** Milliseconds for the sign-in and the other requests to one client. */
const CHECK_TIMEOUT = 60_000

/** Milliseconds after which no further client is started. */
const TIME_LIMIT = 40 * 60_000

/** What a program has done that has run to its end. */
const PROGRAM_RESULTS: Partial<Record<InteropClient['kind'], string>> = {
  agent: 'connects without a registration by the operator',
  tests: 'the tests of every recipe pass',
  types: 'compiles',
  native: 'sign-in with a scheme of its own and on loopback, refresh, userinfo, revocation',
}

const BOUND = 'DPoP; a stolen access token, refresh token or code does not work'

/** Those with our libraries are registered together. */
const WITHOUT_REGISTRATION: readonly InteropClient['kind'][] = [
  'api',
  'server',
  'frontends',
  'tests',
  'types',
]

/** How much of a failed client's output is printed. */
const LOG_LINES = 40

const HELP = `Usage: npm run interop [-- --only NAME] [--keep]

Signs in with clients in other languages against a login service on this machine, and calls APIs in other
languages with its access tokens. Agents connect to the MCP server of the demo. The source of each client is in test/interop or examples; docs/relying-apps.md explains it.
Clients are copied to a temporary folder, where their dependencies are installed from the public registries with
the usual caches of their package managers. A client whose tools are not installed is skipped.
Takes 15 to 30 minutes.

Clients
${CLIENTS.map(({ name, language, library }) => `  ${name.padEnd(24)}${language}: ${library}`).join('\n')}

Options
  --only NAME   tests this client only; can be given more than once
  --keep        keeps the temporary folder, with the output of each client
  --help        prints this text

Exit status: 0 if no client failed, 1 if one failed or exceeded its time limit, 2 for invalid options.
`

interface Result {
  status: 'passed' | 'failed' | 'skipped'
  /** What was tested, what failed, or why it was skipped. */
  detail: string
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

let library: Promise<string> | undefined

const options = readOptions()
const root = mkdtempSync(join(tmpdir(), 'vestibule-interop-'))
chmodSync(root, 0o755) // Apache reads its files as another user
const startedAt = performance.now()
stopOnSignals(() => {
  killRunning()
  rmSync(root, { recursive: true, force: true })
  process.exit(1)
})

// Imported on demand, because wrangler takes a second to load, also for --help.
const { startServices } = await import('../../demo/services.ts')
const services = await startServices({
  port: SERVICES_PORT,
  documents: [AGENT_DOCUMENT],
  clients: [
    ...TOKEN_CLIENTS,
    { ...OPERATOR, resources: [`http://localhost:${SERVICES_PORT}/admin/api`] },
    ...CLIENTS.filter(({ kind }) => !WITHOUT_REGISTRATION.includes(kind)).map((client) =>
      toRegistration(client, urlOf(client)),
    ),
    serverRegistration(urlsOf('server'), SECRET),
    frontendRegistration(urlsOf('frontends')),
  ],
})
const results = new Map<InteropClient, Result & { seconds: number }>()
try {
  for (const client of options.clients) {
    const clientStartedAt = performance.now()
    const result = await testClient(client, services)
    const seconds = Math.round((performance.now() - clientStartedAt) / 1000)
    results.set(client, { ...result, seconds })
    print(`${client.name}: ${result.status} (${seconds} s)`)
  }
} finally {
  await services.stop()
  if (options.keep) print(`\nThe output of each client is in ${root}`)
  else rmSync(root, { recursive: true, force: true })
}
printTable()
process.exitCode = count('failed') > 0 ? 1 : 0

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string', multiple: true },
        keep: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      process.stdout.write(HELP)
      process.exit(0)
    }
    return { clients: values.only ? values.only.map(findClient) : CLIENTS, keep: values.keep }
  } catch (error) {
    return exitWithUsage(error, HELP)
  }
}

function findClient(name: string): InteropClient {
  const client = CLIENTS.find((known) => known.name === name)
  if (!client) throw new Error(`--only takes the name of a client, not ${name}`)
  return client
}

function portOf(client: InteropClient): number {
  return FIRST_CLIENT_PORT + CLIENTS.indexOf(client)
}

function urlOf(client: InteropClient): string {
  return `http://localhost:${portOf(client)}`
}

function urlsOf(kind: InteropClient['kind']): string[] {
  return CLIENTS.filter((client) => client.kind === kind).map(urlOf)
}

/** The packed library, as it would be published. */
function packLibrary(): Promise<string> {
  library ??= runCommand(['npm', 'pack', '--silent', ROOT], {
    folder: root,
    env: {},
    log: join(root, 'pack.log'),
    timeout: INSTALL_TIMEOUT,
  }).then(() => join(root, `vestibule-auth-${manifest.version}.tgz`))
  return library
}

async function testClient(client: InteropClient, services: Services): Promise<Result> {
  if (performance.now() - startedAt > TIME_LIMIT)
    return { status: 'failed', detail: `not started: ${TIME_LIMIT / 60_000} minutes are over` }
  const missing = await findMissingTool(client.requires)
  if (missing) return { status: 'skipped', detail: missing }

  const folder = join(root, client.name)
  const log = `${folder}.log`
  copySource(client, folder)
  const port = portOf(client)
  const environment = {
    folder,
    env: {
      ...toEnvironment(client, services, port),
      ...(client.installsLibrary && { LIBRARY: await packLibrary() }),
    },
    log,
  }
  try {
    const install = client.installsLibrary ? [INSTALL_LIBRARY] : []
    for (const command of [...install, ...(client.install ?? [])]) {
      print(`${client.name}: ${command.join(' ')}`)
      await runCommand(command, { ...environment, timeout: INSTALL_TIMEOUT })
    }
    print(`${client.name}: starting and signing in`)
    if (client.kind === 'agent' || client.kind === 'native') {
      return await runProgram(client, services, environment)
    }
    if (client.kind === 'tests' || client.kind === 'types') {
      await runCommand(client.start(port), { ...environment, timeout: START_TIMEOUT })
      return { status: 'passed', detail: PROGRAM_RESULTS[client.kind] ?? '' }
    }
    const url = urlOf(client)
    const check = async <T>(run: () => Promise<T>, changes = {}): Promise<T> => {
      const server = await startServer(client.start(port), port, {
        ...environment,
        env: { ...environment.env, ...changes },
        timeout: START_TIMEOUT,
      })
      try {
        return await withTimeout(run(), CHECK_TIMEOUT)
      } finally {
        await server.stop()
      }
    }
    const done = await check(() => checkClient(client, url, services))
    if (client.kind === 'api') {
      const formerToken = await revokeKeys(services)
      // Started again, so that it fetches the JWKS.
      done.push(
        await check(() => checkRevocation(`${url}${client.path ?? '/'}`, formerToken, services)),
      )
    }
    if (client.kind === 'server') {
      const changes = { LOGIN_URL: UNREACHABLE_LOGIN }
      done.push(await check(() => checkOutage(url, SESSION_SECRET), changes))
    }
    return { status: 'passed', detail: done.join(', ') }
  } catch (error) {
    print(readEnd(log))
    print(`${client.name}: ${errorMessage(error)}`)
    return { status: 'failed', detail: errorMessage(error).split('\n')[0] ?? '' }
  }
}

function copySource({ name }: InteropClient, folder: string): void {
  const [, example] = name.split('examples/')
  if (example) copyExample(example, folder)
  else cpSync(fileURLToPath(new URL(name, import.meta.url)), folder, { recursive: true })
}

/** Runs a program to its end, with a user whose browser it opens. */
async function runProgram(
  client: InteropClient,
  services: Services,
  { folder, env, log }: Omit<ProcessOptions, 'timeout'>,
): Promise<Result> {
  const browser = new SimulatedBrowser(services)
  await browser.register()
  const server = await serveBrowser(browser, BROWSER_PORT)
  try {
    const options = { folder, env: { ...env, ...server.env }, log, timeout: CHECK_TIMEOUT }
    await runCommand(client.start(portOf(client)), options)
  } finally {
    server.stop()
  }
  return { status: 'passed', detail: client.isBound ? BOUND : (PROGRAM_RESULTS[client.kind] ?? '') }
}

async function findMissingTool(commands: readonly Command[]): Promise<string | undefined> {
  for (const [program, ...args] of commands) {
    try {
      await promisify(execFile)(program, args)
    } catch {
      return `not installed: ${[program, ...args].join(' ')} fails`
    }
  }
  return undefined
}

async function withTimeout<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const message = `not finished after ${milliseconds / 1000} s`
  const timer = setTimeout(() => reject(new Error(message)), milliseconds)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

function readEnd(log: string): string {
  return readFileSync(log, 'utf8').trimEnd().split('\n').slice(-LOG_LINES).join('\n')
}

function printTable(): void {
  print('\n| client | language | result | detail | seconds |\n|---|---|---|---|---|')
  for (const [{ name, library, language }, { status, detail, seconds }] of results)
    print(`| ${name}: ${library} | ${language} | ${status} | ${detail} | ${seconds} |`)
  print(`\n${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`)
}

function count(status: Result['status']): number {
  return [...results.values()].filter((result) => result.status === status).length
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
