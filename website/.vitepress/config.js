import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { defineConfig } from 'vitepress'

/** The site is built from the README and docs/ as they are. */
const ROOT = resolve(import.meta.dirname, '../..')

/** GitHub Pages serves the site of a project below the name of its repository. */
const BASE = process.env.BASE_PATH ? `${process.env.BASE_PATH}/` : '/'

const DESCRIPTION = 'One login for all your apps, in your own Cloudflare account.'

/** The pages of docs/ in the side bar, in its order. Decisions are read from their index. */
const SECTIONS = {
  'Try it': [['README.md', 'Overview'], ['docs/README.md', 'I want to …'], 'docs/stand-in.md'],
  'Connect an app': [
    'docs/relying-apps.md',
    'docs/server.md',
    'docs/native-apps.md',
    'docs/other-login-systems.md',
    'docs/agents.md',
    'docs/device.md',
    'docs/previews.md',
    'docs/sender-constrained.md',
    'docs/roles.md',
    'docs/testing.md',
    'docs/endpoints.md',
  ],
  'Configure a deployment': [
    'docs/configuration.md',
    'docs/features.md',
    'docs/providers.md',
    'docs/video-platform.md',
    'docs/passkeys.md',
    'docs/email.md',
    'docs/credentials.md',
    'docs/totp.md',
    'docs/device-bound.md',
    'docs/qr-sign-in.md',
    'docs/provider-tokens.md',
    'docs/languages.md',
  ],
  Operate: [
    ['docs/operations.md', 'Runbook'],
    'docs/reference.md',
    ['docs/failures.md', 'Failures'],
    'docs/admin.md',
    'docs/monitoring.md',
    'docs/audit-export.md',
    'docs/webhooks.md',
    'docs/upgrading.md',
    'docs/storage.md',
    'docs/data-location.md',
    'SECURITY.md',
    'CHANGELOG.md',
  ],
  Contribute: ['CONTRIBUTING.md', 'docs/conformance.md', 'docs/performance.md'],
}

const listed = Object.values(SECTIONS)
  .flat()
  .map((page) => [page].flat()[0])
const unlisted = readdirSync(join(ROOT, 'docs')).filter(
  (name) => name.endsWith('.md') && !listed.includes(`docs/${name}`),
)
if (unlisted.length > 0) throw new Error(`SECTIONS does not list ${unlisted.join(', ')}.`)

/** Files that pages link to, such as programs. The build copies them as texts. */
const linkedFiles = new Set()

export default defineConfig({
  title: 'Vestibule',
  description: DESCRIPTION,
  lang: 'en',
  base: BASE,
  srcDir: ROOT,
  outDir: join(import.meta.dirname, 'dist'),
  cacheDir: join(import.meta.dirname, 'cache'),
  srcExclude: ['!(docs)/**/*.md', 'AGENTS.md'],
  ignoreDeadLinks: 'localhostLinks', // of the demo
  rewrites: (page) => page.replace(/README\.md$/, 'index.md'),
  vite: {
    // Not the settings of the root, which this version of esbuild does not know.
    esbuild: { tsconfigRaw: {} },
    plugins: [{ name: 'find-vue', enforce: 'pre', resolveId: findVue }],
  },
  head: [['meta', { name: 'color-scheme', content: 'light dark' }]],
  markdown: {
    anchor: { slugify: toAnchor },
    config(markdown) {
      markdown.core.ruler.push('links-to-files', ({ tokens, env }) => {
        for (const { children } of tokens) {
          for (const token of children ?? []) linkToFile(token, env.path)
        }
        // Vite finds a file only with a path that begins with a dot.
        for (const token of tokens.filter(({ type }) => type === 'html_block'))
          token.content = token.content.replaceAll('"docs/images/', '"./docs/images/')
      })
      const { fence } = markdown.renderer.rules
      markdown.renderer.rules.fence = (tokens, index, ...rest) => {
        const { info, content } = tokens[index]
        if (info.trim() !== 'mermaid') return fence(tokens, index, ...rest)
        return `<Diagram code="${encodeURIComponent(content)}" />`
      }
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    sidebar: [...Object.entries(SECTIONS).map(toGroup), readDecisions()],
    nav: [
      { text: 'Connect an app', link: '/docs/relying-apps' },
      { text: 'Deploy', link: '/docs/operations' },
      { text: 'Changes', link: '/CHANGELOG' },
    ],
  },
  buildEnd({ outDir, pages }) {
    // For the Markdown next to the pages.
    cpSync(join(ROOT, 'docs/images'), join(outDir, 'docs/images'), { recursive: true })
    for (const file of linkedFiles) copy(join(ROOT, file), join(outDir, 'files', `${file}.txt`))
    for (const page of pages) copy(join(ROOT, page), join(outDir, page))
    writeFileSync(join(outDir, 'llms.txt'), listPages())
  },
})

/** Pages are outside this folder, which has the packages. Vite bundles Vue for browsers by itself. */
function findVue(id, _importer, { ssr }) {
  return ssr && /^vue(\/server-renderer)?$/.test(id) ? { id, external: true } : undefined
}

/** The anchor that GitHub creates for a heading, as links in docs/ have it. */
function toAnchor(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')
}

/** A link from a page to a file of the repository leads to its copy. */
function linkToFile(token, page) {
  const href = token.type === 'link_open' ? token.attrGet('href') : null
  if (!href || /^([a-z]+:|#|\/)/.test(href)) return
  // VitePress does not apply `rewrites` to links from other folders.
  const [path, anchor = ''] = href.split(/(?=#)/)
  if (basename(path) === 'README.md')
    return token.attrSet('href', `${toLink(relative(ROOT, resolve(dirname(page), path)))}${anchor}`)
  if (/\.(md|html)(#|$)/.test(href)) return
  const file = relative(ROOT, resolve(dirname(page), decodeURIComponent(href)))
  if (!statSync(join(ROOT, file), { throwIfNoEntry: false })?.isFile())
    throw new Error(`${page} links to ${href}, which is no file.`)
  linkedFiles.add(file)
  token.attrSet('href', `${BASE}files/${file}.txt`)
  token.attrSet('target', '_self')
}

function copy(file, target) {
  mkdirSync(dirname(target), { recursive: true })
  cpSync(file, target)
}

function toGroup([text, pages]) {
  return { text, items: pages.map(toItem) }
}

function toItem(page) {
  const [file, text] = typeof page === 'string' ? [page, readTitle(page)] : page
  return { text, link: toLink(file) }
}

function toLink(file) {
  return `/${file.replace(/README\.md$|\.md$/, '')}`
}

function readDecisions() {
  const index = readFileSync(join(ROOT, 'docs/decisions/README.md'), 'utf8')
  const items = Array.from(index.matchAll(/^- \[\d+\]\((.+)\.md\) (.+)$/gm), ([, file, text]) => ({
    text: text.replaceAll('`', ''),
    link: `/docs/decisions/${file}`,
  }))
  return { text: 'Decisions', collapsed: true, items }
}

function readTitle(file) {
  const [, title] = readFileSync(join(ROOT, file), 'utf8').match(/^# (.+)$/m) ?? []
  return title.replaceAll('`', '')
}

/** The index for programs that read Markdown: https://llmstxt.org. */
function listPages() {
  const sections = Object.entries(SECTIONS).map(([heading, pages]) => {
    const items = pages.map((page) => (typeof page === 'string' ? [page, readTitle(page)] : page))
    return `## ${heading}\n\n${items.map(([file, text]) => `- [${text}](${BASE}${file})`).join('\n')}\n`
  })
  return `# Vestibule\n\n> ${DESCRIPTION}\n\n${sections.join('\n')}`
}
