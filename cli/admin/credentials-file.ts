import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isObject } from '../../src/json.ts'
import { parseJson } from '../parse-json.ts'
import { CommandError } from './command-error.ts'

/** How this computer reaches the admin API of one deployment. */
export interface Credentials {
  url: string
  client_id: string
  client_secret: string
}

/** The credentials of each environment of a deployment, by {@link environmentKey}. */
type CredentialsFile = Record<string, Credentials>

const FOLDER = '.vestibule'
const FILE = 'credentials.json'

/** The name under which the credentials of an environment are stored. */
export function environmentKey(env: string | undefined, isLocalCopy: boolean): string {
  return `${env ?? 'default'}${isLocalCopy ? ':local' : ''}`
}

/** The path of the file in the folder of a deployment. */
export function credentialsPath(folder: string): string {
  return join(folder, FOLDER, FILE)
}

/** Finds and reads the file in a folder or the closest one above it, as wrangler does with its own. */
export async function findCredentials(folder: string): Promise<CredentialsFile | undefined> {
  for (let current = folder; ; current = dirname(current)) {
    const credentials = await readCredentials(current)
    if (credentials || current === dirname(current)) return credentials
  }
}

/** Reads the file in this folder, if there is one. */
export async function readCredentials(folder: string): Promise<CredentialsFile | undefined> {
  const path = credentialsPath(folder)
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const file = parseJson(text)
  if (isObject(file) && Object.values(file).every(isCredentials)) return file as CredentialsFile
  throw new CommandError(`${path} is damaged. Delete it, and run \`npx vestibule connect\`.`)
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
  // Renamed when it is complete, so that an interrupted command leaves the former file.
  const temporary = `${path}.${process.pid}`
  await writeFile(temporary, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 })
  await chmod(temporary, 0o600)
  await rename(temporary, path)
}

function isCredentials(value: unknown): value is Credentials {
  return (
    isObject(value) &&
    ['url', 'client_id', 'client_secret'].every((name) => typeof value[name] === 'string')
  )
}
