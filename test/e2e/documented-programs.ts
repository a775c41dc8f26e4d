import { readFileSync } from 'node:fs'

const text = readFileSync(new URL('../../docs/relying-apps.md', import.meta.url), 'utf8')

/** The programs of docs/relying-apps.md, by the name of the file in their first line. */
export const programs = new Map(
  Array.from(
    text.matchAll(/```tsx?\n\/\/ ([\w.-]+)\n(.*?)```/gs),
    ([, name = '', program = '']) => [name, program],
  ),
)

/** The page without a build. */
export const [, buttonPage = ''] = text.match(/```html\n(.*?)```/s) ?? []
