import { type Finding, problem } from '../finding.ts'
import { messageOf } from '../message-of.ts'
import { checkCredentials } from './credentials.ts'
import { checkPlatformSettings } from './platform-settings.ts'
import { readSettings, type Sources } from './read.ts'
import { checkSettings } from './settings.ts'

/** Everything that can be known about a deployment before there is one. */
export async function examineConfiguration(
  options: Sources & { offline: boolean },
): Promise<Finding[]> {
  const settings = await readSettings(options).catch((error: unknown) => unreadable(error))
  if ('status' in settings) return [settings as Finding]
  return [
    ...checkSettings(settings),
    ...checkPlatformSettings(settings),
    ...(await checkCredentials(settings, options.offline)),
  ]
}

function unreadable(error: unknown): Finding {
  return problem('files', {
    what: `The configuration cannot be read: ${messageOf(error)}`,
    why: 'wrangler reads the same files.',
    fix: 'Correct the file that is named.',
  })
}
