import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { AUDIT_EVENTS } from '../src/audit/audit-entry.ts'
import { apiSchema } from '../src/config/apis.ts'
import { clientSchema } from '../src/config/clients.ts'
import { optionsSchema } from '../src/config/options.ts'
import { PROVIDER_SETTINGS } from '../src/config/providers.ts'
import { settingsSchema } from '../src/config/settings.ts'
import { SIGN_IN_ERRORS } from '../src/errors/sign-in-error.ts'
import { GUESS_DELAYS, USE_LIMITS } from '../src/limits/limit-table.ts'
import { updateCatalogue } from './providers/provider-docs.ts'

/** Every page of documentation, by its path from the root of the repository. */
const pages = new Map(
  Object.entries(
    import.meta.glob<string>(['../docs/**/*.md', '../*.md'], {
      query: '?raw',
      import: 'default',
      eager: true,
    }),
  ).map(([path, text]) => [path.replace('../', ''), text]),
)

const settings = [
  ...Object.keys(settingsSchema({ isDevelopment: false, olderSecrets: [], providers: [] }).shape),
  ...PROVIDER_SETTINGS.map((name) => `AUTH_<ID>_${name}`),
]

/** The bindings of wrangler.toml, without those of the test runner and the tests. */
const bindings = Object.entries(env)
  .filter(([, value]) => typeof value === 'object' && !Array.isArray(value))
  .map(([name]) => name)
  .filter((name) => !/^(__VITEST|TEST_)/.test(name))

/** The programs that the tests sign in with, by their path from the root of the repository. */
const programs = Object.keys(
  import.meta.glob<string>('./interop/*/**', { query: '?raw', import: 'default', eager: true }),
).map((path) => path.replace('./', 'test/'))

/** The source of the modules of providers. */
const providerModules = Object.values(
  import.meta.glob<string>('../src/providers/*.ts', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
)

/** The anchors that GitHub creates for the headings of a page. */
function findAnchors(page: string): string[] {
  const headings = page.matchAll(/^#+ (.*)$/gm)
  return Array.from(headings, ([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
}

/** A number of seconds, in words. */
function duration(seconds: number): string {
  const names = new Map([
    [60, 'a minute'],
    [3600, 'an hour'],
    [24 * 3600, 'a day'],
  ])
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60]
  return names.get(seconds) ?? (rest > 0 ? `${seconds} seconds` : `${minutes} minutes`)
}

describe('the documentation', () => {
  it('lists every error code with its status, and no others', () => {
    const [, table = ''] = (pages.get('docs/endpoints.md') ?? '').split('## Error codes')
    const rows = Array.from(table.matchAll(/^\| (`[^|]+`) \| (\d+)/gm), ([, codes = '', status]) =>
      codes
        .replaceAll('`', '')
        .split(', ')
        .map((code) => [code, Number(status)]),
    )

    expect(Object.fromEntries(rows.flat())).toEqual(SIGN_IN_ERRORS)
  })

  it.each([
    ['docs/operations.md', 'field of a client', Object.keys(clientSchema.shape)],
    ['docs/operations.md', 'field of an API', Object.keys(apiSchema.shape)],
    ['docs/operations.md', 'setting', settings],
    ['docs/operations.md', 'event of the audit log', AUDIT_EVENTS],
    ['docs/configuration.md', 'option of createVestibule', Object.keys(optionsSchema.shape)],
    ['docs/storage.md', 'binding', bindings],
  ])('%s names every %s', (path, _, names) => {
    const page = pages.get(path) ?? ''

    expect(names).not.toEqual([])
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  })

  it('lists every limit that guards count, and no others', () => {
    const [, section = ''] = (pages.get('docs/operations.md') ?? '').split('## Limits')
    const [, table = ''] = section.split('| limit |')
    const rows = table.split('\n\n')[0]?.matchAll(/^\| `([^`]+)` \| [^|]+ \| ([^|]+) \|/gm) ?? []
    const documented = Array.from(rows, ([, name, text]) => [name, text])
    const uses = Object.entries(USE_LIMITS).map(([name, limits]) => [
      name,
      limits.map(({ max, period }) => `${max} in ${duration(period)}`).join(', '),
    ])
    const guesses = Object.entries(GUESS_DELAYS).map(([name, { free, maxDelay, memory }]) => [
      name,
      `${free}, then delays of up to ${duration(maxDelay)}; forgotten after ${duration(memory)}`,
    ])

    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries([...uses, ...guesses]))
  })

  it('links to programs that are tested', () => {
    const page = pages.get('docs/relying-apps.md') ?? ''
    const links = Array.from(page.matchAll(/\]\(\.\.\/(test\/[^)]+)\)/g), ([, path = '']) => path)

    expect(links).toContain('test/interop/django/backend.py')
    expect(links.filter((path) => !programs.includes(path))).toEqual([])
  })

  it('contains the catalogue of providers as `npm run docs` writes it', () => {
    const page = pages.get('docs/providers.md') ?? ''

    expect(updateCatalogue(page, providerModules)).toBe(page)
  })

  it.each([...pages.keys()])('has no broken link in %s', (path) => {
    const page = pages.get(path) ?? ''
    const links = Array.from(page.matchAll(/\]\(([^)\s]*\.md)?(#[\w-]+)?\)/g))
    for (const [link, file, anchor] of links) {
      if (file?.startsWith('http')) continue
      const target = file ? new URL(file, `https://docs.example/${path}`).pathname.slice(1) : path
      expect(pages.has(target), link).toBe(true)
      if (anchor) expect(findAnchors(pages.get(target) ?? '')).toContain(anchor.slice(1))
    }
  })
})
