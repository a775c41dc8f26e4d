import { execFile } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { type Services, startServices } from '../../demo/services.ts'
import { chromiumPath, HOW_TO_GET_CHROMIUM } from './chromium.ts'
import { CLIENTS } from './clients/registered.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Away from the ports of `npm start`, which may be running. */
const PORT = 18_787

declare module 'vitest' {
  interface ProvidedContext {
    services: Omit<Services, 'stop'>
    /** The file that has every line of their logs. */
    log: string
    /** The file that would be deployed. */
    bundle: string
  }
}

/** One set of services for all tests; each test brings people of its own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!chromiumPath) process.stderr.write(`${HOW_TO_GET_CHROMIUM}\n`)
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-log-'))
  const log = join(folder, 'services.log')
  appendFileSync(log, '')
  const onLog = ({ message }: { message: string }) => appendFileSync(log, `${message}\n`)
  const bundle = await bundleService(join(folder, 'deployed'))
  const { stop, ...services } = await startServices({
    main: bundle,
    port: PORT,
    clients: CLIENTS,
    onLog,
  })
  project.provide('services', services)
  project.provide('log', log)
  project.provide('bundle', bundle)
  return async () => {
    await stop()
    rmSync(folder, { recursive: true })
  }
}

/** Builds what would be deployed, as wrangler does. */
async function bundleService(folder: string): Promise<string> {
  const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
  await promisify(execFile)(
    process.execPath,
    [wrangler, 'deploy', '--dry-run', '--outdir', folder],
    {
      cwd: ROOT,
    },
  )
  return join(folder, 'index.js')
}
