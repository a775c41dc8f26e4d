import { execFile } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ProvidedContext } from 'vitest'
import type { TestProject } from 'vitest/node'
import { type Services, startServices } from '../../demo/services.ts'
import { AGENT_DOCUMENT } from '../interop/clients.ts'
import { chromiumPath, HOW_TO_GET_CHROMIUM } from './chromium.ts'
import { APIS, CLIENTS } from './clients/registrations.ts'
import { PORTS } from './ports.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Tests start dozens of Node processes, each of which spends most of its time compiling the same
 * modules. Node reads the compiled code from this directory.
 */
const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/compiled')

const ADMINISTRATOR = 'e2e-administrator'

declare module 'vitest' {
  interface ProvidedContext {
    services: Omit<Services, 'stop'>
    /** The path of the file with all log lines of the services. */
    log: string
    /** The path of the bundle that `wrangler deploy` would upload. */
    bundle: string
    /** The handle of the stand-in's user who may open the console. */
    administrator: string
  }
}

interface Running {
  provided: Pick<ProvidedContext, 'services' | 'log' | 'bundle' | 'administrator'>
  stop: () => Promise<void>
}

/** Vitest loads this module once for each project. */
const shared = globalThis as { runningServices?: Promise<Running>; projectCount?: number }

/** Starts the services once for all e2e tests; each test creates its own users. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.runningServices ??= start()
  shared.projectCount = (shared.projectCount ?? 0) + 1
  const { provided, stop } = await shared.runningServices
  project.provide('services', provided.services)
  project.provide('log', provided.log)
  project.provide('bundle', provided.bundle)
  project.provide('administrator', provided.administrator)
  return async () => {
    shared.projectCount = (shared.projectCount ?? 0) - 1
    if (shared.projectCount === 0) await stop()
  }
}

async function start(): Promise<Running> {
  if (!chromiumPath) process.stderr.write(`${HOW_TO_GET_CHROMIUM}\n`)
  process.env['NODE_COMPILE_CACHE'] ??= COMPILE_CACHE // inherited by the workers
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-log-'))
  const log = join(folder, 'services.log')
  appendFileSync(log, '')
  const onLog = ({ message }: { message: string }) => appendFileSync(log, `${message}\n`)
  const bundle = await bundleService(join(folder, 'deployed'))
  const { stop, ...services } = await startServices({
    main: bundle,
    port: PORTS.services,
    clients: CLIENTS,
    apis: APIS,
    documents: [AGENT_DOCUMENT],
    administrators: [ADMINISTRATOR],
    onLog,
  })
  return {
    provided: { services, log, bundle, administrator: ADMINISTRATOR },
    stop: async () => {
      await stop()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Builds the bundle that `wrangler deploy` would upload. */
async function bundleService(folder: string): Promise<string> {
  const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
  const flags = ['deploy', '--dry-run', '--outdir', folder]
  await promisify(execFile)(process.execPath, [wrangler, ...flags], { cwd: ROOT })
  return join(folder, 'index.js')
}
