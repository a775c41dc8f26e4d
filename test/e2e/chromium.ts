import { existsSync } from 'node:fs'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'

const PATHS = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** The browser of this machine, if it has one. */
export const chromiumPath = PATHS.find((path) => path && existsSync(path))

export const HOW_TO_GET_CHROMIUM =
  'The browser tests in test/e2e are skipped: they need Chromium. Install it (apt-get install chromium) or set CHROMIUM_PATH.'

/** Chromium has to run as root in containers, and must not send requests of its own. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export async function launchChromium(options: LaunchOptions = {}): Promise<Browser> {
  if (!chromiumPath) throw new Error(HOW_TO_GET_CHROMIUM)
  return chromium.launch({ executablePath: chromiumPath, args: FLAGS, ...options })
}
