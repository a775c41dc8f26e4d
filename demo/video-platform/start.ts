import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import * as esbuild from 'esbuild'
import { bundle } from '../bundle.ts'
import {
  errorMessage,
  exitWithUsage,
  parsePort,
  stopOnSignals,
  stopWithParent,
} from '../command-line.ts'
import { appsWithWebhook } from './apps.ts'
import { serve } from './serve.ts'
import { describeStandIn } from './startup-message.ts'

const DEFAULT_PORT = 8788

const HELP = `Usage: npm run platform [-- --port N] [--webhook URL]

Starts only the stand-in for the video platform, to be used with a login service of your own. No
account and no internet connection are needed. It is reachable from this machine only. All data is
lost when it stops.

  --port N       the port to listen on (default: ${DEFAULT_PORT})
  --webhook URL  where the sandbox app receives webhooks
                 (default: ${webhookBefore(DEFAULT_PORT)}, always at the port before --port)
  --help         print this help
`

const { port, apps } = readOptions()
stopOnSignals(() => process.exit())
stopWithParent(() => process.exit())
try {
  const { createVideoPlatform } = await loadStandIn()
  await serve(createVideoPlatform({ apps }), port)
  process.stdout.write(describeStandIn(`http://localhost:${port}`, apps))
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`)
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
    const port = parsePort(values.port ?? String(DEFAULT_PORT))
    return { port, apps: readApps(values.webhook ?? webhookBefore(port)) }
  } catch (error) {
    return exitWithUsage(error, HELP)
  }
}

/** The login service is at the port before that of the stand-in, as in the demo. */
function webhookBefore(port: number): string {
  return `http://localhost:${port - 1}/api/auth/webhook/tiktok`
}

function readApps(webhook: string) {
  try {
    return appsWithWebhook(webhook)
  } catch (cause) {
    throw new RangeError('--webhook must be an https or a loopback URL.', { cause })
  }
}

/** Node runs TypeScript but not JSX, so the stand-in is bundled first. */
async function loadStandIn(): Promise<typeof import('./app.ts')> {
  const script = await bundle(fileURLToPath(new URL('app.ts', import.meta.url)))
  await esbuild.stop()
  return import(`data:text/javascript;base64,${Buffer.from(script).toString('base64')}`)
}

function explainFailure(error: unknown): string {
  const isPortTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  return isPortTaken
    ? `Port ${port} is already in use. Stop the program that uses it, or choose another port: npm run platform -- --port 9000`
    : `The stand-in could not start. ${errorMessage(error)}`
}
