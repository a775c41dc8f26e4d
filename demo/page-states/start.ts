import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { serve } from '@hono/node-server'
import * as esbuild from 'esbuild'
import { bundle } from '../bundle.ts'
import { exitWithUsage, parsePort, stopOnSignals, stopWithParent } from '../command-line.ts'

const DEFAULT_PORT = 8795

const HELP = `Usage: npm run pages [-- --port N]

Shows every page of the service in every state, with invented data, in each language, colour scheme,
width and theme. Needs no settings and no storage.

  --port N  the port to listen on (default: ${DEFAULT_PORT})
  --help    print this help
`

const port = readPort()
stopOnSignals(() => process.exit())
stopWithParent(() => process.exit())
const script = await bundle(fileURLToPath(new URL('./app.tsx', import.meta.url)))
await esbuild.stop()
const { app } = await import(`data:text/javascript,${encodeURIComponent(script)}`)
serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, () => {
  process.stdout.write(`  pages      http://localhost:${port}   Ctrl-C stops it.\n`)
})

function readPort(): number {
  try {
    const { values } = parseArgs({
      options: { port: { type: 'string' }, help: { type: 'boolean' } },
    })
    if (values.help) {
      process.stdout.write(HELP)
      process.exit()
    }
    return values.port === undefined ? DEFAULT_PORT : parsePort(values.port)
  } catch (error) {
    exitWithUsage(error, HELP)
  }
}
