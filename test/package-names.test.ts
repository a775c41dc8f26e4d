import { expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

/**
 * The only packages that our texts may tell people to run or install: anyone can publish other
 * names.
 */
const ALLOWED = [
  manifest.name,
  'vitest',
  'wrangler',
  '@modelcontextprotocol/inspector',
  'playwright',
  ...['playwright-core', '@types/node'],
  // The beginnings of apps with vestibule-auth/server, as their own documentation names them.
  ...['create-next-app', 'sv', 'create-react-router', 'hono', '@hono/node-server', 'express'],
  ...['fastify', 'astro'],
]

/**
 * Everything that may contain a command for operators: documents, the template, and messages of the
 * commands and the service.
 */
const texts = Object.entries(
  import.meta.glob<string>(
    [
      '../*.{md,toml}',
      '../docs/**/*.md',
      '../.{dev.vars.example,ci/*,github/**/*}',
      '../template/{*,.*}',
      '../{cli,demo,src}/**/*.{ts,tsx,js,json,toml}',
    ],
    { query: '?raw', import: 'default', eager: true },
  ),
)

interface LockedPackage {
  optionalDependencies?: Record<string, string>
}

const lockfiles = import.meta.glob<string>(
  ['../package-lock.json', '../website/package-lock.json'],
  {
    query: '?raw',
    import: 'default',
    eager: true,
  },
)

/** The packages that commands in a text run or install, without their versions. */
function findPackages(text: string): string[] {
  const run = text.matchAll(/\bnpx(?: +-\S+)* +([\w@./<>^~-]+)/g)
  const installed = text.matchAll(/\bnpm (?:add|exec|i|install|update)((?: +[\w@./<>^~=-]+)+)/g)
  return [...run, ...installed]
    .flatMap(([, words = '']) => words.trim().split(/ +/))
    .filter((word) => !word.startsWith('-'))
    .map((word) => word.replace(/(?<=.)@.*/, '').replace(/^\.{1,2}\/(.*)-<version>\.tgz$/, '$1'))
}

it('no text tells people to run or install a package of another name', () => {
  const named = texts.flatMap(([path, text]) => findPackages(text).map((name) => ({ name, path })))

  expect(named.some(({ name }) => name === manifest.name)).toBe(true)
  expect(named.filter(({ name }) => !ALLOWED.includes(name))).toEqual([])
})

it('no text installs our own package from the registry, where it is not published yet', () => {
  const commands = texts
    // A deployment that has a version of the package has it from the registry.
    .filter(([path]) => path !== '../docs/upgrading.md')
    .flatMap(([, text]) => text.match(/\bnpm (?:add|i|install)\b.*/g) ?? [])

  expect(commands.some((command) => command.includes(`./${manifest.name}-`))).toBe(true)
  expect(commands.filter((command) => command.includes(` ${manifest.name}`))).toEqual([])
})

/** `npm ci` fails if packages are missing, also those for other platforms than the one it runs on. */
it.each(Object.entries(lockfiles))('%s lists the packages of every platform', (_path, lockfile) => {
  const packages = JSON.parse(lockfile).packages as Record<string, LockedPackage>
  const optional = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies),
  )

  expect(optional).not.toEqual([])
  expect(optional.filter((name) => !packages[`node_modules/${name}`])).toEqual([])
})
