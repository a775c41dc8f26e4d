import { listLocalBindings } from '../../src/config/local-providers.ts'
import type { VestibuleOptions } from '../../src/config/vestibule-options.ts'
import { errorMessage } from '../error-message.ts'
import { type Finding, problem } from '../finding.ts'
import { checkClients } from './clients.ts'
import { checkCredentials } from './credentials.ts'
import { checkPlatformSettings } from './platform-settings.ts'
import { checkProviders } from './providers.ts'
import { readOptions } from './read-options.ts'
import {
  readSettings,
  readWranglerConfig,
  type SettingsFiles,
  type WranglerConfig,
} from './read-settings.ts'
import { checkSettings } from './settings.ts'
import { checkWranglerFile } from './wrangler-file.ts'

/** Runs every check that is possible before a deployment exists. */
export async function checkConfiguration(
  options: SettingsFiles & { offline: boolean },
): Promise<Finding[]> {
  let wrangler: WranglerConfig
  let settings: Record<string, unknown>
  let deployment: VestibuleOptions
  try {
    wrangler = await readWranglerConfig(options)
    settings = await readSettings(wrangler, options)
    deployment = await readOptions(wrangler.main)
  } catch (error) {
    return [unreadableFiles(error)]
  }
  const { config, findings } = checkSettings(deployment, settings)
  return [
    ...findings,
    ...(config ? checkClients(config, settings) : []),
    ...checkWranglerFile(wrangler, config ? listLocalBindings(config.localProviders) : []),
    ...checkPlatformSettings(settings),
    ...(await checkCredentials(settings, options.offline)),
    ...(config ? await checkProviders(config, options.offline) : []),
  ]
}

function unreadableFiles(error: unknown): Finding {
  return problem('files', {
    what: `The configuration cannot be read: ${errorMessage(error).trim().replace(/\.$/, '')}.`,
    why: 'Wrangler reads the same files and would fail too.',
    fix: 'Correct the file named in this message, or its path.',
  })
}
