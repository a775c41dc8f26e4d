import { describe, expect, it } from 'vitest'
import exports from '../../../src/features.ts?raw'

const sources = import.meta.glob<string>('../../../src/features/totp/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** What can be imported without `vestibule-auth/features`, or is published there. */
const PACKAGES = ['hono', 'hono/jsx']

/** What the second factor imports of the rest of src: the module, and the names. */
function importsOf(modules: Record<string, string>) {
  return Object.values(modules).flatMap((source) =>
    Array.from(
      source.matchAll(/import (?:type )?(?:\{([^}]*)\}|(\w+)) from '([^']+)'/g),
      ([, names = '', name, module = '']) => ({
        module,
        names: name ? [name] : names.split(',').map((one) => one.replace(/\btype\b/, '').trim()),
      }),
    ),
  )
}

/** Names that `features.ts` exports, besides the features. */
function publishedNames(): string[] {
  return Array.from(exports.matchAll(/export (?:type )?\{([^}]*)\}/g), ([, names = '']) =>
    names.split(',').map((one) => one.replace(/\btype\b/, '').trim()),
  ).flat()
}

/** Only our features may have ids and paths that are reserved. */
const OWN_NAMES: Readonly<Record<string, string>> = { createFeature: 'defineFeature' }

/** What is neither published nor part of a package that operators can install. */
function unpublished(modules: Record<string, string>): string[] {
  const published = publishedNames()
  return importsOf(modules)
    .filter(({ module }) => !module.startsWith('./') && !PACKAGES.includes(module))
    .flatMap(({ module, names }) =>
      module.startsWith('.')
        ? names.filter((name) => name !== '' && !published.includes(OWN_NAMES[name] ?? name))
        : [module],
    )
}

describe('the second factor', () => {
  it('imports nothing but what vestibule-auth/features publishes', () => {
    expect(Object.keys(sources).length).toBeGreaterThan(8)
    expect(unpublished(sources)).toEqual([])
  })

  it('is reported if it imports something else', () => {
    const planted = {
      a: "import { callUserObject } from '../../users/user-object.ts'",
      b: "import { encode } from 'uqr'",
    }

    expect(unpublished(planted)).toEqual(['callUserObject', 'uqr'])
  })
})
