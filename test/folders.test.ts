import { describe, expect, it } from 'vitest'

/** The rooms of src. Each may import only those before it. */
const ROOMS = [
  'foundation',
  'libraries',
  'provider-interface',
  'core',
  'administration',
  'define-feature',
  'providers',
  'features',
]

/** The folders of rooms that have an order of their own. Each may import only those before it. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  foundation: ['values', 'errors', 'crypto', 'resource-server'],
  libraries: ['verify', 'client', 'react', 'server', 'testing'],
  core: [
    'fetch',
    'storage',
    'metrics',
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
    'notifications',
  ],
}

const sources = import.meta.glob<string>('../src/**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/**
 * What a folder may import are those of a lower rank. Files directly in a room may import all of its
 * folders, and those directly in src all rooms.
 */
function rank(path: string): number {
  const [room = '', folder = '', file] = path.replace('../src/', '').split('/')
  if (folder === '') return ROOMS.length
  const folders = FOLDERS[room] ?? []
  const place = file === undefined ? folders.length : Math.max(folders.indexOf(folder), 0)
  return ROOMS.indexOf(room) + place / (folders.length + 1)
}

/** The imports of a module that are in src, by their paths. */
function importsOf(path: string, source: string): string[] {
  return [...source.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
    .map(([, specifier = '']) => new URL(specifier, `file:///test/${path}`).pathname)
    .map((imported) => imported.replace('/src/', '../src/'))
}

/** The imports that lead from one folder to another one that it may not know. */
function forbiddenImports(modules: Record<string, string>): string[] {
  return Object.entries(modules).flatMap(([path, source]) =>
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
    ['../src/core/oidc/token.ts', '../../features/audit-export/feature.ts'],
    ['../src/core/config/config.ts', '../../features/audit-export/feature.ts'],
    ['../src/features/admin/feature.ts', '../audit-export/feature.ts'],
    ['../src/core/grants/grants.ts', '../oidc/token.ts'],
  ])('are reported: of %s, %s', (path, specifier) => {
    const planted = { ...sources, [path]: `import { planted } from '${specifier}'` }

    expect(forbiddenImports(planted)).toHaveLength(1)
  })

  it('of the libraries for APIs and servers need no package but jose', () => {
    const imports = Object.entries(sources)
      .filter(([path]) =>
        /src\/(foundation\/(crypto|resource-server)\/|libraries\/(verify|server)\/|(verify|server)\.)/.test(
          path,
        ),
      )
      .flatMap(([, source]) => [...source.matchAll(/^import (?!type).* from '([^'.][^']*)'$/gm)])

    expect([...new Set(imports.map(([, name]) => name))]).toEqual(['jose'])
  })

  it('of the library for frontends need no package', () => {
    const imports = Object.entries(sources)
      .filter(([path]) => /src\/(libraries\/client\/|client\.)/.test(path))
      .flatMap(([, source]) => [...source.matchAll(/ from '([^'.][^']*)'$/gm)])

    expect(imports).toEqual([])
  })

  it('involve every room and folder of the lists, and no other', () => {
    const parts = Object.keys(sources).map((path) => path.replace('../src/', '').split('/'))
    const rooms = parts.filter(({ length }) => length > 1).map(([room]) => room)
    const foldersOf = (name: string) =>
      parts
        .filter(([room], index) => room === name && (parts[index]?.length ?? 0) > 2)
        .map(([, folder]) => folder)

    expect([...new Set(rooms)].sort()).toEqual([...ROOMS].sort())
    for (const [room, folders] of Object.entries(FOLDERS)) {
      expect([...new Set(foldersOf(room))].sort(), room).toEqual([...folders].sort())
    }
  })
})

const tests = import.meta.glob<string>('./**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Tests that run with features, or outside of the core's deployment. */
const MAY_USE_FEATURES = [
  'combined',
  'define-feature',
  'features',
  'e2e',
  'matrix',
  'soak',
  'interop',
  'worker.ts',
  'docs.test.ts',
]

/** What they import that contains features. Types are no code. */
const FEATURE_IMPORT =
  /^import (?!type )[^']*'(?:\.{1,2}\/)+(?:src\/(?:features[/.]|providers\.ts)|features\/|combined\/|define-feature\/)/m

describe("the core's tests", () => {
  it('import no feature', () => {
    const imports = Object.entries(tests)
      .filter(([path]) => !MAY_USE_FEATURES.includes(path.split('/')[1] ?? ''))
      .filter(([, source]) => FEATURE_IMPORT.test(source))

    expect(imports.map(([path]) => path)).toEqual([])
  })
})
