import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Connection } from './connection.ts'
import { cpuTime } from './cpu.ts'

/** A worker, as the runtime's configuration describes it. */
export interface Worker {
  name: string
  /** The name of the module with the code, if it is not that of the worker. */
  code?: string
  /** Strings become text bindings, anything else JSON bindings. */
  variables: Record<string, unknown>
  /** Durable Object classes, by binding name. */
  objects: Record<string, string>
  /** The names of rate-limit bindings. */
  rateLimits: readonly string[]
  /** The names of modules that are text. */
  texts: readonly string[]
}

/** What all processes of a run share. */
export interface RuntimeOptions {
  /** Contains the workers' modules and sockets, named after the workers. */
  folder: string
  compatibilityDate: string
  compatibilityFlags: readonly string[]
}

/**
 * Whether a worker's Durable Objects run in the worker's process, there without a disk, or in a
 * process of their own.
 */
export type ObjectPlacement = 'in-process' | 'in-memory' | 'remote'

export interface RunningProcess {
  pid: number
  connection: Connection
  /** CPU time until the first response, in microseconds. */
  startTime: number
  /** Ends the process and deletes its Durable Objects' storage. */
  stop: () => Promise<void>
}

const WORKERD = fileURLToPath(new URL('../node_modules/workerd/bin/workerd', import.meta.url))

/** Longer than a start takes on a busy machine. */
const START_TIMEOUT = 20_000 // milliseconds

/** It contains the code of the workers. */
const MAX_CONFIGURATION = 2 ** 26 // bytes

/**
 * Starts a process that holds the Durable Objects of these workers, for the workers' processes to
 * call.
 */
export function startObjects(
  options: RuntimeOptions,
  workers: readonly Worker[],
): Promise<RunningProcess> {
  return start(options, { name: OBJECTS, workers, placement: 'in-process' })
}

/** Starts a process that serves one worker. */
export function startWorker(
  options: RuntimeOptions,
  worker: Worker,
  placement: ObjectPlacement,
): Promise<RunningProcess> {
  return start(options, { name: worker.name, workers: [worker], placement })
}

const OBJECTS = 'objects'

interface ProcessOptions {
  name: string
  workers: readonly Worker[]
  placement: ObjectPlacement
}

async function start(
  options: RuntimeOptions,
  processOptions: ProcessOptions,
): Promise<RunningProcess> {
  const { folder } = options
  const { name } = processOptions
  const socket = join(folder, `${name}.sock`)
  const path = await writeConfiguration(options, processOptions)
  const disk = join(folder, `${name}-disk`)
  await rm(socket, { force: true })
  await mkdir(disk, { recursive: true })
  const debugPort = name === OBJECTS ? [`--debug-port=unix:${debugSocket(options)}`] : []
  // The log goes to standard output. Nobody reads it here, but workerd still writes it.
  const child = spawn(WORKERD, ['serve', '--experimental', '--binary', ...debugPort, path], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const kill = () => child.kill()
  process.once('exit', kill)
  const connection = new Connection({ socketPath: socket })
  await waitUntilReady(child, connection)
  const pid = child.pid ?? 0
  return {
    pid,
    connection,
    startTime: cpuTime(pid),
    async stop() {
      process.off('exit', kill)
      connection.close()
      if (child.exitCode === null && child.kill()) await once(child, 'exit')
      await rm(disk, { recursive: true, force: true })
    },
  }
}

/** Compiles the configuration, because parsing it would be part of every start. */
async function writeConfiguration(
  options: RuntimeOptions,
  processOptions: ProcessOptions,
): Promise<string> {
  const path = join(options.folder, `${processOptions.name}.capnp`)
  await writeFile(path, configuration(options, processOptions))
  const { stdout } = await promisify(execFile)(WORKERD, ['compile', '--config-only', path], {
    encoding: 'buffer',
    maxBuffer: MAX_CONFIGURATION,
  })
  const compiled = `${path}.bin`
  await writeFile(compiled, stdout)
  return compiled
}

async function waitUntilReady(child: ChildProcess, connection: Connection): Promise<void> {
  let errorOutput = ''
  child.stderr?.on('data', (chunk) => {
    errorOutput += chunk
  })
  const deadline = Date.now() + START_TIMEOUT
  while (Date.now() < deadline && child.exitCode === null) {
    const response = await connection
      .get('/.well-known/openid-configuration')
      .catch(() => undefined)
    if (response?.status === 200) return
    await sleep(1)
  }
  child.kill()
  throw new Error(`A worker did not start.\n${errorOutput}`)
}

function configuration(
  options: RuntimeOptions,
  { name, workers, placement }: ProcessOptions,
): string {
  const { folder } = options
  const services = [
    ...workers.map((worker) => workerService(options, worker, placement)),
    `(name = "disk", disk = (path = "${folder}/${name}-disk", writable = true))`,
    externalService('upstream', upstreamSocket(folder)),
    ...workers.map((worker) =>
      externalService(`${worker.name} storage`, storageSocket(folder, worker.name)),
    ),
  ]
  return `
    using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (
      services = [${services.join(',\n')}],
      extensions = [(modules = [
        (name = "bench:remote-objects", internal = true, esModule = embed "remote-objects.js"),
        (name = "bench:unlimited", internal = true, esModule = embed "unlimited.js"),
      ])],
      sockets = [(
        name = "http",
        address = "unix:${folder}/${name}.sock",
        http = (forwardedProtoHeader = "X-Forwarded-Proto"),
        service = "${workers[0]?.name}",
      )],
    );`
}

function workerService(
  options: RuntimeOptions,
  worker: Worker,
  placement: ObjectPlacement,
): string {
  const { name, code = name } = worker
  const classes = Object.entries(worker.objects)
  const modules = [
    `(name = "${code}.js", esModule = embed "${code}.js")`,
    ...worker.texts.map((text) => `(name = "${text}", text = embed "${text}")`),
  ]
  const namespaces = classes.map(
    ([, className]) =>
      `(className = "${className}", uniqueKey = "${name}-${className}", enableSql = true)`,
  )
  const bindings = [
    ...Object.entries(worker.variables).map(([key, value]) => variable(key, value)),
    ...classes.map(([key, className]) =>
      placement === 'remote'
        ? remoteNamespace(options, { key, className, service: name })
        : `(name = "${key}", durableObjectNamespace = "${className}")`,
    ),
    ...worker.rateLimits.map(
      (key) => `(name = "${key}", wrapped = (moduleName = "bench:unlimited"))`,
    ),
    `(name = "SESSIONS", kvNamespace = "${name} storage")`,
    `(name = "DIRECTORY", wrapped = (moduleName = "cloudflare-internal:d1-api",
       innerBindings = [(name = "fetcher", service = "${name} storage")]))`,
  ]
  return `(name = "${name}", worker = (
    modules = [${modules.join(', ')}],
    compatibilityDate = "${options.compatibilityDate}",
    compatibilityFlags = ${JSON.stringify(options.compatibilityFlags)},
    durableObjectNamespaces = [${namespaces.join(', ')}],
    durableObjectStorage = (${placement === 'in-memory' ? 'inMemory = void' : 'localDisk = "disk"'}),
    globalOutbound = "upstream",
    bindings = [${bindings.join(',\n')}],
  ))`
}

function remoteNamespace(
  options: RuntimeOptions,
  { key, className, service }: { key: string; className: string; service: string },
): string {
  return `(name = "${key}", wrapped = (moduleName = "bench:remote-objects", innerBindings = [
    (name = "ids", durableObjectNamespace = "${className}"),
    (name = "port", workerdDebugPort = void),
    (name = "address", text = "unix:${debugSocket(options)}"),
    (name = "service", text = "${service}"),
    (name = "className", text = "${className}"),
  ]))`
}

function externalService(name: string, socket: string): string {
  return `(name = "${name}", external = (address = "unix:${socket}", http = ()))`
}

function variable(name: string, value: unknown): string {
  return typeof value === 'string'
    ? `(name = "${name}", text = ${JSON.stringify(value)})`
    : `(name = "${name}", json = ${JSON.stringify(JSON.stringify(value))})`
}

export function storageSocket(folder: string, worker: string): string {
  return join(folder, `${worker}-storage.sock`)
}

export function upstreamSocket(folder: string): string {
  return join(folder, 'upstream.sock')
}

function debugSocket({ folder }: RuntimeOptions): string {
  return join(folder, 'debug.sock')
}
