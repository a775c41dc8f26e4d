import { describe, expect, it } from 'vitest'
import { PROVIDER_SETTINGS } from '../src/config/built-in-providers.ts'
import { clientSchema } from '../src/config/clients.ts'
import { settingsSchema } from '../src/config/settings.ts'
import { SIGN_IN_ERRORS } from '../src/errors.ts'
import logNotes from '../src/http/app-env.ts?raw'
import deployment from '../wrangler.toml?raw'

/** Every page of documentation, by its path from the root. */
const pages = new Map(
  Object.entries(
    import.meta.glob<string>(['../docs/**/*.md', '../*.md'], {
      query: '?raw',
      import: 'default',
      eager: true,
    }),
  ).map(([path, text]) => [path.replace('../', ''), text]),
)

const operations = pages.get('docs/operations.md') ?? ''
const endpoints = pages.get('docs/endpoints.md') ?? ''
const storage = pages.get('docs/storage.md') ?? ''

/** How GitHub names a heading in an address. */
function anchorsOf(page: string): string[] {
  const headings = page.matchAll(/^#+ (.*)$/gm)
  return Array.from(headings, ([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
}

describe('the documentation', () => {
  it('explains every error with its status, and no other', () => {
    const [, table = ''] = endpoints.split('## Error codes')
    const rows = Array.from(table.matchAll(/^\| (`[^|]+`) \| (\d+)/gm), ([, codes = '', status]) =>
      codes
        .replaceAll('`', '')
        .split(', ')
        .map((code) => [code, Number(status)]),
    )

    expect(Object.fromEntries(rows.flat())).toEqual(SIGN_IN_ERRORS)
  })

  it('explains every field of a client', () => {
    const explained = (field: string) => operations.includes(`\n| \`${field}\` |`)

    expect(Object.keys(clientSchema.shape).filter((field) => !explained(field))).toEqual([])
  })

  it('explains every setting', () => {
    const settings = [
      ...Object.keys(settingsSchema(false, [], []).shape),
      ...PROVIDER_SETTINGS.map((name) => `AUTH_<ID>_${name}`),
    ]

    expect(settings.filter((name) => !operations.includes(`\`${name}\``))).toEqual([])
  })

  it('names every event and field of the log', () => {
    const [, notes = ''] = logNotes.split('interface LogNotes')
    const names = [
      ...Array.from(notes.matchAll(/^ {4}\| '(\w+)'$/gm), ([, event = '']) => event),
      ...Array.from(notes.matchAll(/^ {2}(\w+)\?:/gm), ([, field = '']) => field),
    ]

    expect(names.length).toBeGreaterThan(15)
    for (const name of names) expect(operations).toContain(`\`${name}\``)
  })

  it('names every binding of the deployment', () => {
    const bindings = Array.from(
      deployment.matchAll(/^(?:binding|name) = "([A-Z]+)"$/gm),
      ([, name = '']) => name,
    )

    expect(bindings).toContain('USERS')
    for (const name of bindings) expect(storage).toContain(`\`${name}\``)
  })

  it.each([...pages.keys()])('has no link in %s that leads nowhere', (path) => {
    const page = pages.get(path) ?? ''
    const links = Array.from(page.matchAll(/\]\(([^)\s]*\.md)?(#[\w-]+)?\)/g))
    for (const [link, file, anchor] of links) {
      if (file?.startsWith('http')) continue
      const target = file ? new URL(file, `https://docs.example/${path}`).pathname.slice(1) : path
      expect(pages.has(target), link).toBe(true)
      if (anchor) expect(anchorsOf(pages.get(target) ?? '')).toContain(anchor.slice(1))
    }
  })
})
