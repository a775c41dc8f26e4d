import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { errorMessage } from '../../cli/error-message.ts'
import type { SimulatedBrowser } from './simulated-browser.ts'

/** Lets a program open addresses in a browser, with the command that `BROWSER` names. */
export async function serveBrowser(browser: SimulatedBrowser, port: number) {
  const server = createServer((request, response) => {
    text(request)
      .then((url) => browser.open(url))
      .then(
        ({ status, url }) => response.writeHead(status).end(url.href),
        (error) => response.writeHead(500).end(errorMessage(error)),
      )
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    env: {
      BROWSER: fileURLToPath(new URL('open-browser.js', import.meta.url)),
      BROWSER_SERVER: `http://127.0.0.1:${port}/`,
    },
    stop: () => void server.close(),
  }
}
