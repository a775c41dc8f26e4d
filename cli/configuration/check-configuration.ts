import type { VestibuleOptions } from '../../src/options.ts'
import { errorMessage } from '../error-message.ts'
import { type Finding, problem } from '../finding.ts'
import { checkCredentials } from './credentials.ts'
import { checkPlatformSettings } from './platform-settings.ts'
import { readOptions } from './read-options.ts'
import { readSettings, readWranglerConfig, type SettingsFiles } from './read-settings.ts'
import { checkSettings } from './settings.ts'

/** Runs every check that is possible before a deployment exists. */
export async function checkConfiguration(
  options: SettingsFiles & { offline: boolean },
): Promise<Finding[]> {
  let settings: Record<string, unknown>
  let deployment: VestibuleOptions
  try {
    const config = await readWranglerConfig(options)
    settings = await readSettings(config, options)
    deployment = await readOptions(config.main)
  } catch (error) {
    return [unreadableFiles(error)]
  }
  return [
    ...checkSettings(deployment, settings),
    ...checkPlatformSettings(settings),
    ...(await checkCredentials(settings, options.offline)),
  ]
}

function unreadableFiles(error: unknown): Finding {
  return problem('files', {
    what: `The configuration cannot be read: ${errorMessage(error).trim().replace(/\.$/, '')}.`,
    why: 'Wrangler reads the same files and would fail too.',
    fix: 'Correct the file named in this message, or its path.',
  })
}
