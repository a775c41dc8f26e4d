import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { isObject, objectsIn, parseJson } from '../src/foundation/values/json.ts'
import { CommandError } from './command-error.ts'
import { errorMessage } from './error-message.ts'
import { sanitizeForTerminal } from './sanitize-for-terminal.ts'

export type Row = Record<string, unknown>

/** Wrangler responds within seconds; this only ends a command that would hang. */
const WRANGLER_TIMEOUT = 120_000 // milliseconds

/** Runs statements in one transaction, and returns the rows of each. */
export async function executeSql(
  statements: readonly string[],
  flags: readonly string[],
  cwd: string,
): Promise<Row[][]> {
  const command = ['d1', 'execute', 'DIRECTORY', '--yes', ...flags]
  const document = await readFromWrangler([...command, '--command', statements.join('; ')], cwd)
  if (!Array.isArray(document)) throw wranglerError(document)
  return document.map((result) => (isObject(result) ? objectsIn(result['results']) : []))
}

/** Runs a command of wrangler that prints a JSON document. */
export async function readFromWrangler(args: readonly string[], cwd: string): Promise<unknown> {
  const output = await runWrangler([...args, '--json'], cwd)
  // Wrangler may print warnings before the document.
  const document = parseJson(output.slice(Math.max(0, output.search(/^[[{]/m))))
  if (document === undefined) throw wranglerError({ error: { text: output } })
  if (isObject(document) && 'error' in document) throw wranglerError(document)
  return document
}

/** Runs wrangler where it may print and ask, and returns its exit code. */
export async function runWranglerInTerminal(args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [findWrangler(), ...args], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  return code ?? 1 // ended by a signal
}

function findWrangler(): string {
  const require = createRequire(import.meta.url)
  return join(dirname(require.resolve('wrangler/package.json')), 'bin/wrangler.js')
}

/** Runs wrangler without a shell, and returns what it prints, also if it fails. */
async function runWrangler(args: readonly string[], cwd: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [findWrangler(), ...args], {
      cwd,
      env: { ...process.env, WRANGLER_LOG: 'log', NO_COLOR: '1' },
      timeout: WRANGLER_TIMEOUT,
      maxBuffer: 64 * 1024 * 1024, // bytes, more than any table that is read here
    })
    return stdout
  } catch (cause) {
    const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string }
    if (stdout.trim()) return stdout
    const text = stripVTControlCharacters(stderr).replace(/^[^\n]*\[ERROR\]\s*/, '')
    throw wranglerError({ error: { text: text || errorMessage(cause) } }, cause)
  }
}

function wranglerError(document: unknown, cause?: unknown): CommandError {
  const error = isObject(document) ? document['error'] : undefined
  const text = isObject(error) ? String(error['text'] ?? '') : ''
  const message = `Wrangler failed: ${sanitizeForTerminal(text.trim())}`
  if (/no such (table|column)/.test(text)) {
    return new CommandError(
      `${message}\nMigrations were not applied: run \`npm run migrate\`, or with --local \`npx wrangler d1 migrations apply DIRECTORY --local\`.`,
      { cause },
    )
  }
  if (/CLOUDFLARE_API_TOKEN|not authenticated|logged in/i.test(text)) {
    return new CommandError(
      `${message}\nThis command needs access to the Cloudflare account: run \`npx wrangler login\`.`,
      { cause },
    )
  }
  return new CommandError(message, { cause })
}
