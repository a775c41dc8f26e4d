import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SettingsFiles } from '../../cli/configuration/read-settings.ts'
import { temporaryFolder } from './temporary-folder.ts'

type Value = string | number | boolean | readonly Value[] | { [name: string]: Value }
type Table = { [name: string]: Value }

/** What the files of a deployment contain. */
export interface Files {
  /** The configuration of wrangler, without environments. */
  wrangler: Table
  secrets: Record<string, string>
  /** Further files in the folder, by name. */
  others: Record<string, string>
}

/** A way to write the same configuration. */
export interface Format {
  /** The name of the file for wrangler. */
  file: string
  /** What a table is called in it. */
  table: (name: string) => string
  /** Writes the files, and returns the options of the command. */
  write: (files: Files) => SettingsFiles
}

/** Another configuration, at the top of a file whose environment is checked. */
const OTHER_CONFIGURATION = {
  vars: {
    AUTH_URL: 'http://localhost:8787',
    AUTH_ADMINS: 'tiktok:of-development',
    CLIENTS: [
      { client_id: 'other', redirect_uris: ['http://localhost:1/', 'http://localhost:2/'] },
      { client_id: 'next', redirect_uris: ['http://localhost:3/'], scope: 'openid' },
    ],
  },
}

const toLines = (secrets: Record<string, string>) =>
  Object.entries(secrets)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('')

/** Every way to write a configuration that the commands read. */
export const FORMATS: Record<string, Format> = {
  'wrangler.toml and .dev.vars': {
    file: 'wrangler.toml',
    table: (name) => name,
    write: ({ wrangler, secrets, others }) => ({
      config: writeFiles({
        ...others,
        'wrangler.toml': toToml(wrangler),
        '.dev.vars': toLines(secrets),
      }),
    }),
  },
  'an environment and .dev.vars.next-stage': {
    file: 'wrangler.toml',
    table: (name) => (name === '' ? 'env.next-stage' : `env.next-stage.${name}`),
    write: ({ wrangler: { name, main, env = {}, ...environment }, secrets, others }) => {
      const top = { name, main, ...OTHER_CONFIGURATION } as Table
      const toml = toToml({ ...top, env: { ...(env as Table), 'next-stage': environment } })
      const files = { 'wrangler.toml': toml, '.dev.vars.next-stage': toLines(secrets) }
      return { config: writeFiles({ ...others, ...files, '.dev.vars': '' }), env: 'next-stage' }
    },
  },
  'wrangler.jsonc and --secrets-file': {
    file: 'wrangler.jsonc',
    table: (name) => name,
    write: ({ wrangler, secrets, others }) => {
      const json = `// The configuration\n${JSON.stringify(wrangler, null, 2)}`
      const files = { 'wrangler.jsonc': json, 'next-secrets.json': JSON.stringify(secrets) }
      const config = writeFiles({ ...others, ...files })
      return { config, 'secrets-file': config.replace('wrangler.jsonc', 'next-secrets.json') }
    },
  },
}

/** Writes files into a new folder, and returns the name of the one for wrangler. */
function writeFiles(files: Record<string, string>): string {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  if (files['.gitignore'] !== undefined) execFileSync('git', ['init', '--quiet', folder])
  const [config = ''] = Object.keys(files).filter((name) => name.startsWith('wrangler.'))
  return join(folder, config)
}

function toToml(table: Table, path: readonly string[] = []): string {
  const entries = Object.entries(table)
  const isTable = (value: Value) => typeof value === 'object' && !Array.isArray(value)
  const isList = (value: Value) => Array.isArray(value) && value.length > 0 && value.every(isTable)
  const lines = entries
    .filter(([, value]) => !isTable(value) && !isList(value))
    .map(([name, value]) => `${name} = ${toInline(value)}\n`)
  const tables = entries.flatMap(([name, value]) => {
    const header = [...path, name].join('.')
    if (isList(value)) {
      return (value as Table[]).map(
        (entry) =>
          `\n[[${header}]]\n${Object.entries(entry)
            .map(([field, member]) => `${field} = ${toInline(member)}\n`)
            .join('')}`,
      )
    }
    if (!isTable(value)) return []
    return `\n[${header}]\n${toToml(value as Table, [...path, name])}`
  })
  return [...lines, ...tables].join('')
}

function toInline(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(toInline).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).map(([name, member]) => `${name} = ${toInline(member)}`)
  return `{ ${members.join(', ')} }`
}
