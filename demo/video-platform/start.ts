import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import * as esbuild from 'esbuild'
import { bundle } from '../bundle.ts'
import { appsCalling } from './apps.ts'
import { describeStandIn } from './describe.ts'
import { serve } from './serve.ts'

const PORT = 8788
const WEBHOOK = 'http://localhost:8787/api/auth/webhook/tiktok'

const HELP = `Usage: npm run platform [-- --port N] [--webhook URL]

Starts the stand-in for the video platform alone, for a login service of your own. It needs no
account and no internet, answers on this machine only, and forgets everything when it stops.

  --port N       where it listens (${PORT} unless you say otherwise)
  --webhook URL  where its sandbox app is told of events
                 (${WEBHOOK} unless you say otherwise)
  --help         shows this
`

const HIGHEST_PORT = 65_535
const ONE_SECOND = 1000 // milliseconds

const { port, apps } = readOptions()
stopOnSignals()
stopWithParent()
try {
  const { createVideoPlatform } = await load()
  await serve(createVideoPlatform({ apps }).fetch, port)
  process.stdout.write(describeStandIn(`http://localhost:${port}`, apps))
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(1)
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: { port: { type: 'string' }, webhook: { type: 'string' }, help: { type: 'boolean' } },
    })
    if (values.help) {
      process.stdout.write(HELP)
      process.exit()
    }
    const port = Number(values.port ?? PORT)
    if (!Number.isInteger(port) || port < 1 || port > HIGHEST_PORT) {
      throw new RangeError(`--port must be a whole number from 1 to ${HIGHEST_PORT}.`)
    }
    return { port, apps: readApps(values.webhook ?? WEBHOOK) }
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n\n${HELP}`)
    return process.exit(2)
  }
}

function readApps(webhook: string) {
  try {
    return appsCalling(webhook)
  } catch (cause) {
    throw new RangeError('--webhook must be an https address, or one of this machine.', { cause })
  }
}

/** Node reads TypeScript but not our pages, so the stand-in is bundled on the way. */
async function load(): Promise<typeof import('./app.ts')> {
  const text = await bundle(fileURLToPath(new URL('app.ts', import.meta.url)))
  await esbuild.stop()
  return import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`)
}

function explain(error: unknown): string {
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  return isTaken
    ? `Port ${port} is already in use. Stop the program that listens there, or choose another port: npm run platform -- --port 9000`
    : `The stand-in could not start. ${messageOf(error)}`
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function stopOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit())
  }
}

/** Who ends npm by a signal ends the shell between npm and us, and we hear nothing of it. */
function stopWithParent(): void {
  const parent = process.ppid
  setInterval(() => process.ppid === parent || process.exit(), ONE_SECOND).unref()
}
