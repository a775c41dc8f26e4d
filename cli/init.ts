import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, extname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { JURISDICTIONS } from '../src/foundation/values/jurisdiction.ts'
import { CONFIRMATION_OPTION } from './admin/connection.ts'
import { defineCommand } from './command.ts'
import { findPackageFile } from './package-file.ts'

/** The name in the files of the template. */
const TEMPLATE_NAME = 'my-login'

/** Cloudflare allows these names for Workers. */
const WORKER_NAME = /^[a-z0-9][a-z0-9-]{0,53}$/

/** Creates a deployment from the template. */
export const init = defineCommand({
  argument: '[folder]',
  summary: 'Create a login service of your own',
  details: `Creates index.ts with the options, wrangler.toml, package.json and the files around them in a new or
empty folder, by default the current one.`,
  options: {
    name: {
      type: 'string',
      value: 'NAME',
      help: 'the name of the Worker, by default that of the folder',
    },
    jurisdiction: {
      type: 'string',
      value: 'NAME',
      help: `${JURISDICTIONS.join(', ')}: where the data is kept. It cannot be changed after the first\ndeployment; docs/data-location.md describes it`,
    },
    package: {
      type: 'string',
      value: 'FILE',
      help: 'a file that `npm pack` has written. It is copied to the folder and installed from\nthere, instead of this version from the npm registry',
    },
    force: {
      type: 'boolean',
      help: 'write into a folder that is not empty, and replace files of the same name',
    },
    ...CONFIRMATION_OPTION,
  },
  async run({ values, argument, rejectUsage }) {
    const { name: givenName, jurisdiction, package: file, force } = values
    const folder = resolve(argument)
    const name = givenName ?? toWorkerName(basename(folder))
    if (!WORKER_NAME.test(name)) {
      rejectUsage(
        `${name} cannot be the name of a Worker: use up to 54 lowercase letters, digits and hyphens.`,
      )
    }
    if (jurisdiction !== undefined && !JURISDICTIONS.some((known) => known === jurisdiction)) {
      rejectUsage(`${jurisdiction} is not a jurisdiction: use ${JURISDICTIONS.join(', ')}.`)
    }
    // The registry may have another package of this version, or none.
    if (file === undefined && extname(import.meta.url) === '.ts') {
      rejectUsage(
        'This is a clone of the repository. Run `npm run init -- <folder>`, which packs it for the new folder.',
      )
    }
    if (!force && (await hasFiles(folder))) {
      rejectUsage(
        `${folder} is not empty. Name a new folder, or use --force to replace files in this one.`,
      )
    }
    await createDeployment(folder, name, file)
    if (jurisdiction !== undefined) await addJurisdiction(folder, jurisdiction)
    process.stdout.write(nextSteps(folder, name, jurisdiction))
  },
})

function toWorkerName(folderName: string): string {
  const name = folderName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return name.replaceAll(/^-+|-+$/g, '') || TEMPLATE_NAME
}

async function hasFiles(folder: string): Promise<boolean> {
  const files = await readdir(folder).catch(() => [])
  return files.some((file) => file !== '.git')
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
