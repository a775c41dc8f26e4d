import { describe, expect, it } from 'vitest'

/** The folders of src. Each may import only those before it. */
const FOLDERS = [
  'verify',
  'client',
  'react',
  'values',
  'errors',
  'crypto',
  'fetch',
  'storage',
  'metrics',
  'providers',
  'messages',
  'config',
  'limits',
  'audit',
  'callbacks',
  'revocations',
  'client-metadata',
  'registrations',
  'event-delivery',
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
  'admin',
]

const sources = import.meta.glob<string>('../src/**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** The files directly in src may import every folder. */
function rank(path: string): number {
  const [folder = '', file] = path.replace('../src/', '').split('/')
  return file === undefined ? FOLDERS.length : FOLDERS.indexOf(folder)
}

describe('imports between the folders of src', () => {
  it('point only to folders that precede in the list', () => {
    const upward = Object.entries(sources).flatMap(([path, source]) =>
      [...source.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
        .map(([, specifier = '']) => new URL(specifier, `file:///test/${path}`).pathname)
        .map((imported) => imported.replace('/src/', '../src/'))
        .filter((imported) => rank(imported) > rank(path))
        .map((imported) => `${path} imports ${imported}`),
    )

    expect(upward).toEqual([])
  })

  it('of the library for APIs need no package but jose', () => {
    const imports = Object.entries(sources)
      .filter(([path]) => /src\/verify[./]/.test(path))
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
