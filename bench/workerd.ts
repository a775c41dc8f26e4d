import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Connection } from './connection.ts'
import { cpuOf } from './cpu.ts'

/** A worker as the runtime is told of it. */
export interface Worker {
  name: string
  /** Texts are variables, anything else is JSON. */
  variables: Record<string, unknown>
  /** Durable Object classes, by the name of their binding. */
  objects: Record<string, string>
}

/** What the processes of a run share. Modules and sockets are in the folder, under the workers' names. */
export interface Stage {
  folder: string
  compatibilityDate: string
  compatibilityFlags: readonly string[]
}

export interface Running {
  pid: number
  connection: Connection
  /** What the start and the first answer have cost, in microseconds of CPU. */
  startCost: number
  stop: () => Promise<void>
}

const WORKERD = fileURLToPath(new URL('../node_modules/workerd/bin/workerd', import.meta.url))

/** Longer than a start takes on a machine that is busy with something else. */
const PATIENCE = 20_000 // milliseconds

/** Starts one process that holds the Durable Objects of these workers, for the others to call. */
export function startObjects(stage: Stage, workers: readonly Worker[]): Promise<Running> {
  return start(stage, 'objects', workers, 'here')
}

/** Starts a process that serves one worker. Its Durable Objects are there, or here with it. */
export function startWorker(
  stage: Stage,
  worker: Worker,
  objects: 'here' | 'there',
): Promise<Running> {
  return start(stage, worker.name, [worker], objects)
}

async function start(
  stage: Stage,
  name: string,
  workers: readonly Worker[],
  objects: 'here' | 'there',
): Promise<Running> {
  const { folder } = stage
  const socket = join(folder, `${name}.sock`)
  const path = join(folder, `${name}.capnp`)
  await rm(socket, { force: true })
  await mkdir(join(folder, `${name}-disk`), { recursive: true })
  await writeFile(path, configuration(stage, name, workers, objects))
  const debugPort = name === 'objects' ? [`--debug-port=unix:${debugSocket(stage)}`] : []
  const child = spawn(WORKERD, ['serve', '--experimental', ...debugPort, path], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const kill = () => child.kill()
  process.once('exit', kill)
  const connection = new Connection(socket)
  await untilReady(child, connection)
  const pid = child.pid ?? 0
  return {
    pid,
    connection,
    startCost: cpuOf(pid),
    async stop() {
      process.off('exit', kill)
      connection.close()
      if (child.exitCode === null && child.kill()) await once(child, 'exit')
    },
  }
}

async function untilReady(child: ChildProcess, connection: Connection): Promise<void> {
  let complaints = ''
  child.stderr?.on('data', (chunk) => {
    complaints += chunk
  })
  const giveUpAt = Date.now() + PATIENCE
  while (Date.now() < giveUpAt && child.exitCode === null) {
    const answer = await connection.get('/.well-known/openid-configuration').catch(() => undefined)
    if (answer?.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  child.kill()
  throw new Error(`A worker does not start.\n${complaints}`)
}

function configuration(
  stage: Stage,
  name: string,
  workers: readonly Worker[],
  objects: 'here' | 'there',
): string {
  const { folder } = stage
  const services = [
    ...workers.map((worker) => workerService(stage, worker, objects)),
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
        (name = "bench:far-objects", internal = true, esModule = embed "far-objects.js"),
      ])],
      sockets = [(
        name = "http",
        address = "unix:${folder}/${name}.sock",
        http = (forwardedProtoHeader = "X-Forwarded-Proto"),
        service = "${workers[0]?.name}",
      )],
    );`
}

function workerService(stage: Stage, worker: Worker, objects: 'here' | 'there'): string {
  const { name } = worker
  const classes = Object.entries(worker.objects)
  const namespaces = classes.map(
    ([, className]) => `(className = "${className}", uniqueKey = "${className}", enableSql = true)`,
  )
  const bindings = [
    ...Object.entries(worker.variables).map(([key, value]) => variable(key, value)),
    ...classes.map(([key, className]) =>
      objects === 'here'
        ? `(name = "${key}", durableObjectNamespace = "${className}")`
        : farNamespace(stage, { key, className, service: name }),
    ),
    `(name = "SESSIONS", kvNamespace = "${name} storage")`,
    `(name = "DIRECTORY", wrapped = (moduleName = "cloudflare-internal:d1-api",
       innerBindings = [(name = "fetcher", service = "${name} storage")]))`,
  ]
  return `(name = "${name}", worker = (
    modules = [(name = "${name}.js", esModule = embed "${name}.js")],
    compatibilityDate = "${stage.compatibilityDate}",
    compatibilityFlags = ${JSON.stringify(stage.compatibilityFlags)},
    durableObjectNamespaces = [${namespaces.join(', ')}],
    durableObjectStorage = (localDisk = "disk"),
    globalOutbound = "upstream",
    bindings = [${bindings.join(',\n')}],
  ))`
}

function farNamespace(
  stage: Stage,
  { key, className, service }: { key: string; className: string; service: string },
): string {
  return `(name = "${key}", wrapped = (moduleName = "bench:far-objects", innerBindings = [
    (name = "ids", durableObjectNamespace = "${className}"),
    (name = "port", workerdDebugPort = void),
    (name = "address", text = "unix:${debugSocket(stage)}"),
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

function debugSocket({ folder }: Stage): string {
  return join(folder, 'debug.sock')
}
