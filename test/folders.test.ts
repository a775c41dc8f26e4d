import { describe, expect, it } from 'vitest'

/** The folders of src. Each may import only those before it. */
const FOLDERS = [
  'verify',
  'client',
  'react',
  'values',
  'errors',
  'crypto',
  'server',
  'fetch',
  'storage',
  'metrics',
  'providers',
  'messages',
  'registration-schemas',
  'config',
  'limits',
  'audit',
  'callbacks',
  'revocations',
  'client-metadata',
  'registrations',
  'upstream',
  'grants',
  'tokens',
  'users',
  'http',
  'pages',
  'interaction',
  'session',
  'readiness',
  'account',
  'signin',
  'oidc',
  'webhook',
  'operations',
  'define-feature',
  'features',
  'testing',
]

const sources = import.meta.glob<string>('../src/**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/**
 * The files directly in src may import every folder. What a feature can add is described by types
 * only, which every folder may import.
 */
function rank(path: string): number {
  if (path === FEATURE_TYPES) return 0
  const [folder = '', file] = path.replace('../src/', '').split('/')
  return file === undefined ? FOLDERS.length : FOLDERS.indexOf(folder)
}

const FEATURE_TYPES = '../src/feature.ts'

/** The imports of a module that are in src, by their paths. */
function importsOf(path: string, source: string): string[] {
  return [...source.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
    .map(([, specifier = '']) => new URL(specifier, `file:///test/${path}`).pathname)
    .map((imported) => imported.replace('/src/', '../src/'))
}

/** The imports that lead from one folder to another one that it may not know. */
function forbiddenImports(modules: Record<string, string>): string[] {
  return Object.entries(modules)
    .filter(([path]) => path !== FEATURE_TYPES)
    .flatMap(([path, source]) =>
      importsOf(path, source)
        .filter((imported) => rank(imported) > rank(path) || isOtherFeature(path, imported))
        .map((imported) => `${path} imports ${imported}`),
    )
}

/** Whether both belong to features, and not to the same one. */
function isOtherFeature(path: string, imported: string): boolean {
  const [one, other] = [path, imported].map(featureOf)
  return one !== undefined && other !== undefined && one !== other
}

function featureOf(path: string): string | undefined {
  return /src\/features\/([^/]+)/.exec(path)?.[1]
}

describe('imports between the folders of src', () => {
  it('point only to folders that precede in the list, and never from one feature to another', () => {
    expect(forbiddenImports(sources)).toEqual([])
  })

  it.each([
    ['../src/oidc/token.ts', '../features/audit-export/feature.ts'],
    ['../src/config/config.ts', '../features/audit-export/feature.ts'],
    ['../src/features/admin/feature.ts', '../audit-export/feature.ts'],
    ['../src/grants/grants.ts', '../oidc/token.ts'],
  ])('are reported: of %s, %s', (path, specifier) => {
    const planted = { ...sources, [path]: `import { planted } from '${specifier}'` }

    expect(forbiddenImports(planted)).toHaveLength(1)
  })

  it('of the description of features are types', () => {
    expect(sources[FEATURE_TYPES]).not.toMatch(/^import (?!type)/m)
  })

  it('of the libraries for APIs and servers need no package but jose', () => {
    const imports = Object.entries(sources)
      .filter(([path]) => /src\/(verify|server|crypto)[./]/.test(path))
      .flatMap(([, source]) => [...source.matchAll(/^import (?!type).* from '([^'.][^']*)'$/gm)])

    expect([...new Set(imports.map(([, name]) => name))]).toEqual(['jose'])
  })

  it('of the library for frontends need no package', () => {
    const imports = Object.entries(sources)
      .filter(([path]) => /src\/client[./]/.test(path))
      .flatMap(([, source]) => [...source.matchAll(/ from '([^'.][^']*)'$/gm)])

    expect(imports).toEqual([])
  })

  it('involve every folder of the list, and no other', () => {
    const folders = Object.keys(sources)
      .filter((path) => path.split('/').length > 3)
      .map((path) => path.split('/')[2])

    expect([...new Set(folders)].sort()).toEqual([...FOLDERS].sort())
  })
})

const tests = import.meta.glob<string>('./**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
})

const FEATURES = [...new Set(Object.keys(sources).flatMap((path) => featureOf(path) ?? []))]

/** The folders of tests that run with features. */
const WITH_FEATURES = ['combined', 'own-feature', ...FEATURES]

/** Tests that run outside of the core's deployment, and the Worker of the tests with features. */
const MAY_USE_FEATURES = [
  ...WITH_FEATURES,
  'e2e',
  'matrix',
  'soak',
  'interop',
  'worker.ts',
  'docs.test.ts',
]

/** What they import that contains features. Types are no code. */
const FEATURE_IMPORT = new RegExp(
  `^import (?!type )[^']*'(?:\\.{1,2}/)+(src/features/|src/(?:provider|feature)-exports|(?:${WITH_FEATURES.join('|')})/)`,
  'm',
)

describe("the core's tests", () => {
  it('import no feature', () => {
    const imports = Object.entries(tests)
      .filter(([path]) => !MAY_USE_FEATURES.includes(path.split('/')[1] ?? ''))
      .filter(([, source]) => FEATURE_IMPORT.test(source))

    expect(imports.map(([path]) => path)).toEqual([])
  })
})
