import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'

/** Chromium as users have it, if it is installed. */
export const wholeChromiumPath =
  process.env['CHROMIUM_PATH'] || findProgram('chromium', 'chromium-browser', 'google-chrome')

/**
 * The headless shell of Chromium, if it is installed: without the browser's interface, pages take
 * half the CPU time. It cannot bind sessions to devices.
 */
export const chromiumPath =
  process.env['CHROMIUM_PATH'] || findProgram('chromium-headless-shell') || wholeChromiumPath

export const HOW_TO_GET_CHROMIUM =
  'The browser tests in test/e2e are skipped: they need Chromium. Install it (apt-get install chromium) or set CHROMIUM_PATH.'

/** Chromium uses only the last of several lists, so this one repeats what Playwright disables. */
const DISABLED_FEATURES = [
  // A second page in each window, for suggestions below the address bar. It takes a third of the
  // browser's CPU time.
  'WebUIOmniboxPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

/** Chromium has to run as root in containers, and must not send requests of its own. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${DISABLED_FEATURES.join()}`,
]

export async function launchChromium(
  { args = [], ...options }: LaunchOptions = {},
  executablePath = chromiumPath,
): Promise<Browser> {
  if (!executablePath) throw new Error(HOW_TO_GET_CHROMIUM)
  return chromium.launch({ executablePath, args: [...FLAGS, ...args], ...options })
}

/** The path of the first of these programs that is installed. */
function findProgram(...names: string[]): string | undefined {
  const folders = process.env['PATH']?.split(delimiter) ?? []
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path))
}
