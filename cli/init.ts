import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, extname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { JURISDICTIONS } from '../src/values/jurisdiction.ts'
import { parseArguments, singlePositional, UsageError } from './command-line.ts'
import { findPackageFile } from './package-file.ts'

const HELP = `Usage: npx vestibule-auth init [folder]

Creates a login service of your own in a new or empty folder, by default the current one: index.ts
with its options, wrangler.toml, package.json and the files around them.

Options:
  --name NAME     the name of the Worker, by default that of the folder
  --jurisdiction  eu, us or fedramp: where the data is kept. It cannot be changed after the first
                  deployment; docs/data-location.md describes it
  --package FILE  a file that \`npm pack\` has written. It is copied to the folder and installed from
                  there, instead of this version from the npm registry
  --force         write into a folder that is not empty, and replace files of the same name
  --yes           accepted for scripts; this command asks nothing
  -h, --help      print this help

Exit codes: 0 for success, 2 for invalid arguments.
`

/** The name in the files of the template. */
const TEMPLATE_NAME = 'my-login'

/** Cloudflare allows these names for Workers. */
const WORKER_NAME = /^[a-z0-9][a-z0-9-]{0,53}$/

/** Creates a deployment from the template. */
export async function runInit(args: string[]): Promise<number> {
  const { values, positionals } = parseArguments(
    {
      args,
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        jurisdiction: { type: 'string' },
        package: { type: 'string' },
        force: { type: 'boolean', default: false },
        yes: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    },
    HELP,
  )
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const folder = resolve(singlePositional(positionals, HELP) ?? '.')
  const name = parseName(values.name ?? toWorkerName(basename(folder)))
  const jurisdiction = parseJurisdiction(values.jurisdiction)
  if (values.package === undefined) rejectClone()
  if (!values.force) await rejectFiles(folder)
  await createDeployment(folder, name, values.package)
  if (jurisdiction !== undefined) await addJurisdiction(folder, jurisdiction)
  process.stdout.write(nextSteps(folder, name, jurisdiction))
  return 0
}

function toWorkerName(folderName: string): string {
  const name = folderName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return name.replaceAll(/^-+|-+$/g, '') || TEMPLATE_NAME
}

function parseName(name: string): string {
  if (WORKER_NAME.test(name)) return name
  throw new UsageError(
    `${name} cannot be the name of a Worker: use up to 54 lowercase letters, digits and hyphens.`,
    { help: HELP },
  )
}

function parseJurisdiction(name: string | undefined): string | undefined {
  if (name === undefined || JURISDICTIONS.some((known) => known === name)) return name
  throw new UsageError(`${name} is not a jurisdiction: use ${JURISDICTIONS.join(', ')}.`, {
    help: HELP,
  })
}

/** The registry may have another package of this version, or none. */
function rejectClone(): void {
  if (extname(import.meta.url) !== '.ts') return
  throw new UsageError(
    'This is a clone of the repository. Run `npm run init -- <folder>`, which packs it for the new folder.',
    { help: HELP },
  )
}

async function rejectFiles(folder: string): Promise<void> {
  const files = await readdir(folder).catch(() => [])
  if (files.every((file) => file === '.git')) return
  throw new UsageError(
    `${folder} is not empty. Name a new folder, or use --force to replace files in this one.`,
    { help: HELP },
  )
}

async function createDeployment(folder: string, name: string, file?: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  if (file !== undefined) await copyFile(file, join(folder, basename(file)))
  await cp(fileURLToPath(findPackageFile('template/')), folder, { recursive: true })
  // npm leaves files with this name out of packages.
  await addIgnoredFiles(folder)
  const dependency = file === undefined ? `^${await readVersion()}` : `file:./${basename(file)}`
  for (const path of ['package.json', 'wrangler.toml', 'README.md']) {
    const text = await readFile(join(folder, path), 'utf8')
    const named = text.replaceAll(TEMPLATE_NAME, name)
    const complete = named.replace(/"vestibule-auth": ".*"/, `"vestibule-auth": "${dependency}"`)
    await writeFile(join(folder, path), complete)
  }
}

/** Adds the setting to both environments of the template. */
async function addJurisdiction(folder: string, jurisdiction: string): Promise<void> {
  const path = join(folder, 'wrangler.toml')
  const text = await readFile(path, 'utf8')
  const setting = `AUTH_JURISDICTION = "${jurisdiction}"`
  await writeFile(path, text.replaceAll(/^(# )?AUTH_URL = .*$/gm, `$&\n$1${setting}`))
}

async function readVersion(): Promise<string> {
  return JSON.parse(await readFile(findPackageFile('package.json'), 'utf8')).version
}

function nextSteps(folder: string, name: string, jurisdiction: string | undefined): string {
  const path = relative('.', folder)
  return `Created ${name} in ${folder}. Next:

${path ? `  cd ${path}\n` : ''}  npm install
  npx vestibule-auth setup   asks for the keys of the platform, and writes .dev.vars
  npm run dev                starts the service at http://localhost:8787

node_modules/vestibule-auth/docs/operations.md describes how to deploy it.
${jurisdiction ? `Before that: npx wrangler d1 create ${name} --jurisdiction ${jurisdiction}\n` : ''}`
}

/** An existing `.gitignore` keeps its lines: they may list files with secrets. */
async function addIgnoredFiles(folder: string): Promise<void> {
  const path = join(folder, '.gitignore')
  const existing = await readFile(path, 'utf8').catch(() => '')
  const lines = existing.split('\n')
  const added = (await readFile(join(folder, 'gitignore'), 'utf8')).split('\n')
  const missing = added.filter((line) => !lines.includes(line))
  await writeFile(path, [...lines.filter(Boolean), ...missing.filter(Boolean), ''].join('\n'))
  await rm(join(folder, 'gitignore'))
}
