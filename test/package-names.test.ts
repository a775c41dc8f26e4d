import { describe, expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import template from '../template/package.json' with { type: 'json' }

/** Packages of others that our texts may tell people to run or install. */
const THIRD_PARTY = ['typescript', 'vitest', 'wrangler']

/** Everything that may contain a command for operators: documents, the template, and messages of the commands and the service. */
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

/** The packages that commands in a text run or install, without their versions. */
function findPackages(text: string): string[] {
  const run = text.matchAll(/\bnpx(?: +-\S+)* +([\w@./<>^~-]+)/g)
  const installed = text.matchAll(
    /\bnpm (?:add|create|exec|i|install|up|update|x)((?: +[\w@./<>^~=-]+)+)/g,
  )
  return [
    ...Array.from(run, ([, name = '']) => name),
    ...Array.from(installed, ([, words = '']) => words.trim().split(/ +/)).flat(),
  ]
    .filter((word) => !word.startsWith('-'))
    .map((word) => word.replace(/(?<=.)@.*/, '').replace(/^\.\/(.*)-<version>\.tgz$/, '$1'))
}

describe('the name of the package', () => {
  it('is the only one in commands, apart from a list of third-party packages', () => {
    const named = texts.flatMap(([path, text]) =>
      findPackages(text).map((name) => `${name} in ${path}`),
    )
    const allowed = [manifest.name, ...THIRD_PARTY]

    expect(named.filter((line) => !allowed.includes(line.split(' ')[0] ?? ''))).toEqual([])
    expect(new Set(named.map((line) => line.split(' ')[0]))).toContain(manifest.name)
  })

  it('is the only one that the template depends on, apart from the same list', () => {
    const names = Object.keys({ ...template.dependencies, ...template.devDependencies })

    expect(names.filter((name) => !THIRD_PARTY.includes(name))).toEqual([manifest.name])
  })

  it.each([
    ['`npx vestibule init`', ['vestibule']],
    ['npx --yes vestibule@1.6.0', ['vestibule']],
    ['npm install && npm install --save-dev a @b/c@^2 # d', ['a', '@b/c']],
    ['npm i a\nnpm update b', ['a', 'b']],
    ['npm install ./vestibule-auth-<version>.tgz', ['vestibule-auth']],
    ['`npm install` installs them', []],
  ])('is found in %j', (text, names) => {
    expect(findPackages(text)).toEqual(names)
  })
})
