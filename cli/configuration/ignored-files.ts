import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { type Finding, problem } from '../finding.ts'
import { SECRET_NAME, type SettingsFiles, type WranglerConfig } from './read-settings.ts'

/** The exit code of git for a file that is not ignored, or that was committed nevertheless. */
const NOT_IGNORED = 1

/** The files with secrets that `setup` writes. */
const SECRETS_FILE = /^\.(secrets|dev\.vars)(\..+)?$/

/** Files that wrangler reads without `.dev.vars`, and that other programs keep public values in. */
const ENVIRONMENT_FILE = /^\.env(\..+)?$/

/** Checks that git ignores the files with secrets. Without git, nothing can be committed. */
export function checkIgnoredFiles(
  { configPath }: WranglerConfig,
  { 'secrets-file': secretsFile }: SettingsFiles,
): Finding[] {
  const folder = dirname(resolve(configPath))
  const files = readdirSync(folder)
    .filter((name) => !name.endsWith('.example'))
    .map((name) => ({ name, file: resolve(folder, name) }))
    .filter(({ name, file }) => SECRETS_FILE.test(name) || isEnvironmentWithSecrets(name, file))
    .map(({ file }) => file)
  const all = new Set(secretsFile === undefined ? files : [...files, resolve(secretsFile)])
  return [...all]
    .filter((file) => runCheckIgnore(file) === NOT_IGNORED)
    .map((file) =>
      problem('secrets', {
        what: `Git does not ignore ${relative(folder, file)}.`,
        why: 'A commit would contain its secrets, for everyone who can read the repository.',
        fix: `Add it to .gitignore. If it was committed, run \`git rm --cached ${relative(folder, file)}\`, and replace its secrets.`,
      }),
    )
}

function isEnvironmentWithSecrets(name: string, file: string): boolean {
  if (!ENVIRONMENT_FILE.test(name)) return false
  return Object.keys(parseEnv(readFileSync(file, 'utf8'))).some((key) => SECRET_NAME.test(key))
}

/** The exit code of git; others than 0 and 1 mean that there is no git or no repository. */
function runCheckIgnore(file: string): number | null {
  const args = ['check-ignore', '--quiet', '--', file]
  return spawnSync('git', args, { cwd: dirname(file), stdio: 'ignore' }).status
}
