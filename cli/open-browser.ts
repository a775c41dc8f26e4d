import { spawn } from 'node:child_process'

/** The programs that open a URL in the user's browser. No shell reads the URL. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens a page in the browser of this computer, if it has one. */
export function openBrowser({ href }: URL): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...args, href], { stdio: 'ignore', detached: true })
  child.once('error', () => {
    process.stderr.write(`The browser cannot be opened here: open ${href} in any other one.\n`)
  })
  child.unref()
}
