import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** What the template's package.json installs in addition to the package. */
const TOOLS = { wrangler: 'bin/wrangler.js', typescript: 'bin/tsc' }

/** The repository of an operator that was created from this clone, with its dependencies. */
export interface InstalledDeployment {
  folder: string
  /** The paths in the package. */
  packageFiles: readonly string[]
  remove: () => void
}

/**
 * Runs `npm run init`, and installs the dependencies of the new repository as npm would: the files
 * of the package and its commands. Other dependencies are links to those of this repository, so
 * that nothing is downloaded; only those that the package and the template declare are there.
 */
export async function installDeployment(name: string): Promise<InstalledDeployment> {
  const parent = mkdtempSync(join(tmpdir(), 'vestibule-package-'))
  const folder = join(parent, name)
  await runIn(ROOT, 'npm', 'run', 'init', '--', folder)
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const packed = dependencies['vestibule-auth'].replace('file:', '')

  const modules = join(folder, 'node_modules')
  const installed = join(modules, 'vestibule-auth')
  mkdirSync(installed, { recursive: true })
  mkdirSync(join(modules, '.bin'))
  const list = await runIn(folder, 'tar', '-tzf', packed)
  await runIn(folder, 'tar', '-xzf', packed, '--strip-components=1', '-C', installed)
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  for (const name of [...Object.keys(manifest.dependencies), ...Object.keys(TOOLS)]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  }
  for (const [name, path] of Object.entries(manifest.bin as Record<string, string>)) {
    symlinkSync(join('../vestibule-auth', path), join(modules, '.bin', name))
  }
  symlinkSync(join('../wrangler', TOOLS.wrangler), join(modules, '.bin/wrangler'))
  symlinkSync(join('../typescript', TOOLS.typescript), join(modules, '.bin/tsc'))
  return {
    folder,
    packageFiles: list
      .trim()
      .split('\n')
      .map((path) => path.replace('package/', '')),
    remove: () => rmSync(parent, { recursive: true, force: true }),
  }
}

/** Runs a program to its end. Its output is part of the error if it fails. */
export async function runIn(folder: string, program: string, ...args: string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, args, { cwd: folder, env: environment() })
    return stdout
  } catch (cause) {
    const { stdout, stderr } = cause as { stdout: string; stderr: string }
    throw new Error(`${program} ${args.join(' ')}:\n${stdout}${stderr}`, { cause })
  }
}

/** Starts `wrangler dev` in a folder, and returns when it accepts requests. */
export async function startWranglerDev(folder: string, port: number) {
  const wrangler = join(folder, 'node_modules/wrangler', TOOLS.wrangler)
  const flags = ['dev', '--port', String(port), '--inspector-port', '0', '--log-level', 'info']
  const child = spawn(process.execPath, [wrangler, ...flags], { cwd: folder, env: environment() })
  let output = ''
  const isReady = new Promise<void>((resolve, reject) => {
    const read = (data: Buffer) => {
      output += data
      if (output.includes('Ready on')) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', () => reject(new Error(`wrangler dev ended:\n${output}`)))
  })
  await isReady
  return {
    output: () => output,
    async stop() {
      child.kill('SIGINT')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

/** A port that nothing listens on. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

/**
 * The environment of an operator's shell: without the variables of the npm script and the test
 * runner around it.
 */
function environment(): NodeJS.ProcessEnv {
  const variables = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|INIT_CWD|NODE_ENV$|VITEST|WRANGLER_LOG|AUTH_)/.test(name),
  )
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`
  return { ...Object.fromEntries(variables), PATH, WRANGLER_SEND_METRICS: 'false' }
}
