import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Fails if a page of the built site links to a page, file or anchor of it that does not exist. */

const FOLDER = join(import.meta.dirname, '.vitepress/dist')
const BASE = process.env.BASE_PATH ? `${process.env.BASE_PATH}/` : '/'
const ORIGIN = 'https://site.example'

const pages = new Map(
  readdirSync(FOLDER, { recursive: true })
    .filter((file) => file.endsWith('.html'))
    .map((file) => [file, readFileSync(join(FOLDER, file), 'utf8')]),
)
const dead = [...pages].flatMap(([file, html]) => findDeadLinks(file, html))
for (const link of dead) console.error(link)
console.log(`${pages.size} pages, ${dead.length} dead links`)
process.exitCode = dead.length > 0 ? 1 : 0

function findDeadLinks(page, html) {
  const links = html.matchAll(/\b(?:href|src|srcset)="([^"]+)"/g)
  return Array.from(links, ([, link]) => link.replaceAll('&amp;', '&'))
    .filter((link) => !exists(new URL(link, `${ORIGIN}${BASE}${page}`)))
    .map((link) => `${page}: ${link}`)
}

function exists({ origin, pathname, hash }) {
  if (origin !== ORIGIN) return true
  if (!pathname.startsWith(BASE)) return false
  const path = decodeURIComponent(pathname.slice(BASE.length))
  const file = path === '' || path.endsWith('/') ? `${path}index.html` : path
  const html = pages.get(file) ?? pages.get(`${file}.html`)
  if (hash === '') return html !== undefined || existsSync(join(FOLDER, file))
  return html?.includes(` id="${decodeURIComponent(hash.slice(1))}"`) ?? false
}
