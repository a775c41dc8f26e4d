import { parseArgs } from 'node:util'
import { serve } from '@hono/node-server'
import { parsePort } from '../../cli/parse-port.ts'
import { stopOnSignals, stopWithParent } from '../../cli/stop-process.ts'
import { exitWithUsage } from '../exit-with-usage.ts'
import { loadApp } from './load-app.ts'

const DEFAULT_PORT = 8795

const HELP = `Usage: npm run pages [-- --port N | --texts LANGUAGE]

Shows every page of the service in every state, with invented data, in each language, colour scheme,
width and theme. Needs no settings and no storage.

  --port N          the port to listen on (default: ${DEFAULT_PORT})
  --texts LANGUAGE  print all texts of a language, such as en, as one list
  --help            print this help
`

const { port, texts } = readArguments()
if (texts === undefined) await servePages()
else await printTexts(texts)

async function servePages(): Promise<void> {
  stopOnSignals(() => process.exit())
  stopWithParent(() => process.exit())
  const app = await loadApp()
  serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, () => {
    process.stdout.write(`  pages      http://localhost:${port}   Ctrl-C stops it.\n`)
  })
}

async function printTexts(language: string): Promise<void> {
  const app = await loadApp()
  const response = await app.request(`/texts?${new URLSearchParams({ language })}`)
  process.stdout.write(`${await response.text()}\n`)
}

function readArguments(): { port: number; texts: string | undefined } {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string' },
        texts: { type: 'string' },
        help: { type: 'boolean' },
      },
    })
    if (values.help) {
      process.stdout.write(HELP)
      process.exit()
    }
    const port = values.port === undefined ? DEFAULT_PORT : parsePort(values.port)
    return { port, texts: values.texts }
  } catch (error) {
    exitWithUsage(error, HELP)
  }
}
