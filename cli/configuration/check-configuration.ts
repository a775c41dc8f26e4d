import { errorMessage } from '../error-message.ts'
import { type Finding, problem } from '../finding.ts'
import { checkCredentials } from './credentials.ts'
import { checkPlatformSettings } from './platform-settings.ts'
import { readSettings, type SettingsFiles } from './read-settings.ts'
import { checkSettings } from './settings.ts'

/** Runs every check that is possible before a deployment exists. */
export async function checkConfiguration(
  options: SettingsFiles & { offline: boolean },
): Promise<Finding[]> {
  let settings: Record<string, unknown>
  try {
    settings = await readSettings(options)
  } catch (error) {
    return [unreadableFiles(error)]
  }
  return [
    ...checkSettings(settings),
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
