import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { apiSchema } from '../src/config/apis.ts'
import { clientSchema } from '../src/config/clients.ts'
import { OPTION_NAMES } from '../src/config/options.ts'
import { PROVIDER_SETTINGS } from '../src/config/providers.ts'
import { settingsSchema } from '../src/config/settings.ts'
import { SIGN_IN_ERRORS } from '../src/errors/sign-in-error.ts'
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

const configuration = pages.get('docs/configuration.md') ?? ''
const operations = pages.get('docs/operations.md') ?? ''
const endpoints = pages.get('docs/endpoints.md') ?? ''
const storage = pages.get('docs/storage.md') ?? ''

/** The programs that `npm test` and `npm run interop` sign in with, by their path from the root of the repository. */
const programs = new Map(
  Object.entries(
    import.meta.glob<string>('./interop/*/**', { query: '?raw', import: 'default', eager: true }),
  ).map(([path, text]) => [path.replace('./', 'test/'), text]),
)

/** The code blocks of a page that directly follow a link to a program. */
function findQuotes(page: string): [path: string, code: string][] {
  const quotes = page.matchAll(/\]\(\.\.\/(test\/interop\/[^)]+)\):\n\n```\w+\n(.*?)```$/gms)
  return Array.from(quotes, ([, path = '', code = '']) => [path, code])
}

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

describe('the documentation', () => {
  it('lists every error code with its status, and no others', () => {
    const [, table = ''] = endpoints.split('## Error codes')
    const rows = Array.from(table.matchAll(/^\| (`[^|]+`) \| (\d+)/gm), ([, codes = '', status]) =>
      codes
        .replaceAll('`', '')
        .split(', ')
        .map((code) => [code, Number(status)]),
    )

    expect(Object.fromEntries(rows.flat())).toEqual(SIGN_IN_ERRORS)
  })

  it.each([
    ['a client registration', clientSchema],
    ['an API registration', apiSchema],
  ])('explains every field of %s', (_, schema) => {
    const isExplained = (field: string) => operations.includes(`\n| \`${field}\` |`)

    expect(Object.keys(schema.shape).filter((field) => !isExplained(field))).toEqual([])
  })

  it('explains every setting', () => {
    const settings = [
      ...Object.keys(
        settingsSchema({ isDevelopment: false, olderSecrets: [], providers: [] }).shape,
      ),
      ...PROVIDER_SETTINGS.map((name) => `AUTH_<ID>_${name}`),
    ]

    expect(settings.filter((name) => !operations.includes(`\`${name}\``))).toEqual([])
  })

  it('lists every option of createVestibule, and has an example of each', () => {
    const examples = Array.from(configuration.matchAll(/^```ts\n(.*?)^```$/gms)).join('\n')
    const isListed = (name: string) => configuration.includes(`\`${name}\``)
    const hasExample = (name: string) => new RegExp(`^ *${name}: `, 'm').test(examples)

    expect(OPTION_NAMES.filter((name) => !isListed(name) || !hasExample(name))).toEqual([])
  })

  it('names every binding of the deployment', () => {
    const bindings = Object.entries(env)
      .filter(([, value]) => typeof value === 'object' && !Array.isArray(value))
      .map(([name]) => name)
      // The test runner and the tests have bindings of their own.
      .filter((name) => !/^(__VITEST|TEST_)/.test(name))

    expect(bindings).toContain('USERS')
    expect(bindings.filter((name) => !storage.includes(`\`${name}\``))).toEqual([])
  })

  it('quotes programs as they are tested', () => {
    const quotes = findQuotes(pages.get('docs/relying-apps.md') ?? '')

    expect(quotes.map(([path]) => path.split('/')[2])).toEqual([
      'apache',
      'spring-client',
      'spring-client',
      'django',
      'django',
      'flask-authlib',
      'express-openid-connect',
      'passport',
      'next-auth',
      'hono',
      'ruby-omniauth',
      'mcp',
      'mcp',
      'hono-api',
      'fastify-api',
      'pyjwt',
      'go-api',
      'spring-resource-server',
    ])
    for (const [path, code] of quotes) expect(code, path).toBe(programs.get(path))
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
