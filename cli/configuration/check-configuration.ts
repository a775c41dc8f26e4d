import { existsSync } from 'node:fs'
import { errorMessage } from '../error-message.ts'
import { type Finding, problem } from '../finding.ts'
import { checkAdministrators } from './administrators.ts'
import { checkClients } from './clients.ts'
import { checkCredentialValues, checkSecretsInCode } from './credential-values.ts'
import { checkCredentials } from './credentials.ts'
import { checkDataLocation } from './data-location.ts'
import { checkEnvironments } from './environments.ts'
import { checkIgnoredFiles } from './ignored-files.ts'
import { checkOwnSteps } from './own-steps.ts'
import { checkPlatformSettings } from './platform-settings.ts'
import { checkPreviews } from './previews.ts'
import { checkProviders } from './providers.ts'
import { type EntryFile, EntryFileError, readEntryFile } from './read-entry-file.ts'
import {
  readSettings,
  readWranglerConfig,
  type SettingsFiles,
  type WranglerConfig,
} from './read-settings.ts'
import { checkSettingNames } from './setting-names.ts'
import { checkSettings } from './settings.ts'
import { checkBoundSessions, checkUrls } from './urls.ts'
import { checkRuntime } from './worker-runtime.ts'
import { checkWranglerFile } from './wrangler-file.ts'

/** Runs every check that is possible before a deployment exists. */
export async function checkConfiguration(
  options: SettingsFiles & { offline: boolean },
): Promise<Finding[]> {
  const unread = options.config === undefined ? findUnreadFiles() : []
  if (unread.length > 0) return [unreadFiles(unread)]
  let files: ConfigurationFiles
  try {
    const wrangler = await readWranglerConfig(options)
    const settings = await readSettings(wrangler, options)
    files = { wrangler, settings, entryFile: await readEntryFile(wrangler.main) }
  } catch (error) {
    return [error instanceof EntryFileError ? failingEntryFile(error) : unreadableFiles(error)]
  }
  return checkFiles(files, options)
}

/** The files that wrangler reads, if it is told no other: the first one that exists. */
const FILES = ['wrangler.json', 'wrangler.jsonc', 'wrangler.toml']

function findUnreadFiles(): string[] {
  return FILES.filter((name) => existsSync(name)).slice(1)
}

function unreadFiles(names: readonly string[]): Finding {
  const read = FILES.find((name) => existsSync(name))
  return problem('files', {
    what: `There are both ${read} and ${names.join(', ')}.`,
    why: `Wrangler reads only ${read}, and ignores the other.`,
    fix: 'Remove the one that is not yours, or name the right one with --config, also when you deploy.',
  })
}

/** What the files of a deployment contain. */
export interface ConfigurationFiles {
  wrangler: WranglerConfig
  settings: Record<string, unknown>
  entryFile: EntryFile
}

/** Runs every check of files that could be read. */
export async function checkFiles(
  { wrangler, settings, entryFile }: ConfigurationFiles,
  options: SettingsFiles & { offline: boolean },
): Promise<Finding[]> {
  const { config, features, findings } = checkSettings(entryFile.options, settings, wrangler)
  return [
    ...findings,
    ...(await checkSettingNames(wrangler, options)),
    ...(config ? [...(await checkClients(config, settings)), ...checkAdministrators(config)] : []),
    ...(config ? [...checkUrls(config, settings), ...checkBoundSessions(config)] : []),
    ...checkWranglerFile(
      wrangler,
      features.flatMap(({ bindings = [] }) => bindings),
      entryFile,
    ),
    ...checkRuntime(wrangler, entryFile),
    ...checkEnvironments(wrangler),
    ...checkOwnSteps(entryFile.options.features ?? []),
    ...checkIgnoredFiles(wrangler, options),
    ...checkPlatformSettings(settings),
    ...checkCredentialValues(settings),
    ...(config ? checkSecretsInCode(entryFile.options) : []),
    ...(await checkDataLocation(settings, wrangler, options)),
    ...(await checkCredentials(settings, options.offline)),
    ...(config ? await checkProviders(config, options.offline) : []),
    ...(config ? await checkPreviews(config, options.offline) : []),
  ]
}

function failingEntryFile(error: EntryFileError): Finding {
  return problem('entry file', {
    what: `The entry file cannot be run: ${errorMessage(error).trim().replace(/\.$/, '')}.`,
    why: 'The service does not start.',
    fix: 'Correct the option or the feature that the message names, in the entry file or in a file that it imports.',
  })
}

function unreadableFiles(error: unknown): Finding {
  return problem('files', {
    what: `The configuration cannot be read: ${errorMessage(error).trim().replace(/\.$/, '')}.`,
    why: 'Wrangler reads the same files and would fail too.',
    fix: 'Correct the file named in this message, or its path.',
  })
}
