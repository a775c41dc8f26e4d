import { existsSync, type Stats } from 'node:fs'
import { appendFile, mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isObject, parseJson } from '../../src/foundation/values/json.ts'
import { CommandError } from '../command-error.ts'
import { replaceFile } from '../replace-file.ts'
import { isIgnoredByGit } from '../setup/secrets-file.ts'

/** How this computer reaches the admin API of one deployment: as a machine, or as a person. */
export type Credentials = MachineCredentials | PersonalCredentials

/** The secret of the machine client that `connect` registers. */
export interface MachineCredentials {
  url: string
  client_id: string
  client_secret: string
}

/** The access of the administrator who ran `login`. The token is replaced at each use. */
export interface PersonalCredentials {
  url: string
  client_id: string
  refresh_token: string
}

/** The credentials of each environment of a deployment, by {@link environmentKey}. */
type CredentialsFile = Record<string, Credentials>

const FOLDER = '.vestibule'
const FILE = 'credentials.json'

/** The names under which wrangler finds its configuration. */
const WRANGLER_FILES = ['wrangler.toml', 'wrangler.json', 'wrangler.jsonc']

/** The permissions of the group and of everyone else to write. */
const WRITABLE_BY_OTHERS = 0o022

/** The name under which the credentials of an environment are stored. */
export function environmentKey(env: string | undefined, isLocalCopy: boolean): string {
  return `${env ?? 'default'}${isLocalCopy ? ':local' : ''}`
}

/** The path of the file in the folder of a deployment. */
export function credentialsPath(folder: string): string {
  return join(folder, FOLDER, FILE)
}

/**
 * Finds and reads the file in a folder or above it, up to the closest folder with a wrangler.toml.
 * Folders beyond the deployment may belong to others, who could redirect the commands to a service
 * of theirs.
 */
export async function findCredentials(
  folder: string,
): Promise<{ folder: string; file: CredentialsFile } | undefined> {
  for (const current of deploymentFolders(folder)) {
    const file = await readCredentials(current)
    if (file) return { folder: current, file }
  }
  return undefined
}

/** The folder of the deployment that this folder belongs to; the folder itself without one. */
export function deploymentFolder(folder: string): string {
  return deploymentFolders(folder).at(-1) ?? folder
}

/**
 * The folder and those above it that belong to the deployment; only the folder itself if there is
 * no wrangler.toml.
 */
function deploymentFolders(folder: string): string[] {
  const folders = [folder]
  for (let current = folder; !hasWranglerFile(current); ) {
    const parent = dirname(current)
    if (parent === current) return [folder]
    folders.push(parent)
    current = parent
  }
  return folders
}

/** Whether the folder is that of a deployment. */
export function hasWranglerFile(folder: string): boolean {
  return WRANGLER_FILES.some((name) => existsSync(join(folder, name)))
}

/** Reads the file in this folder, if there is one. */
export async function readCredentials(folder: string): Promise<CredentialsFile | undefined> {
  const path = credentialsPath(folder)
  const text = await readOwnFile(path)
  if (text === undefined) return undefined
  const file = parseJson(text)
  if (isObject(file) && Object.values(file).every(isCredentials)) return file as CredentialsFile
  throw new CommandError(`${path} is damaged. Delete it, and run \`npx vestibule-auth connect\`.`)
}

/** Reads a file that nobody but the current user can have written. */
async function readOwnFile(path: string): Promise<string | undefined> {
  const file = await open(path).catch(() => undefined)
  if (!file) return undefined
  try {
    rejectForeignFile(path, await file.stat())
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

function rejectForeignFile(path: string, { uid, mode }: Stats): void {
  // Windows has neither owners nor permissions of this kind.
  if (process.getuid === undefined) return
  const problem =
    uid !== process.getuid()
      ? 'belongs to another user'
      : mode & WRITABLE_BY_OTHERS && 'can be changed by other users'
  if (!problem) return
  throw new CommandError(
    `${path} ${problem}, who could redirect this command to another service. Delete it, and run \`npx vestibule-auth connect\`.`,
  )
}

/** Adds the credentials of one environment, or removes them if there are none. */
export async function writeCredentials(
  folder: string,
  key: string,
  credentials: Credentials | undefined,
): Promise<void> {
  const { [key]: _, ...others } = (await readCredentials(folder)) ?? {}
  const file = credentials ? { ...others, [key]: credentials } : others
  const path = credentialsPath(folder)
  if (Object.keys(file).length === 0) return await rm(path, { force: true })
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await replaceFile(path, `${JSON.stringify(file, null, 2)}\n`, 0o600)
}

/** Adds the folder to .gitignore, unless git ignores it already or there is no repository. */
export async function ignoreInGit(folder: string): Promise<void> {
  if (isIgnoredByGit(credentialsPath(folder), folder)) return
  const path = join(folder, '.gitignore')
  const text = await readFile(path, 'utf8').catch(() => '')
  await appendFile(path, `${text === '' || text.endsWith('\n') ? '' : '\n'}.vestibule/\n`)
  process.stderr.write('Added .vestibule/ to .gitignore.\n')
}

function isCredentials(value: unknown): value is Credentials {
  if (!isObject(value)) return false
  const isText = (name: string) => typeof value[name] === 'string'
  return (
    isText('url') && isText('client_id') && (isText('client_secret') || isText('refresh_token'))
  )
}
