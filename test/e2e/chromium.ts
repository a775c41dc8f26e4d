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

export async function launchChromium({
  args = [],
  ...options
}: LaunchOptions = {}): Promise<Browser> {
  if (!chromiumPath) throw new Error(HOW_TO_GET_CHROMIUM)
  return chromium.launch({ executablePath: chromiumPath, args: [...FLAGS, ...args], ...options })
}
