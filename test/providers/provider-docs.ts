import { type AnyProvider, settingName } from '../../src/core/config/providers.ts'
import * as catalogue from '../../src/providers/index.ts'

const START = '<!-- The catalogue, written by `npm run docs`. -->\n'
const END = '<!-- The end of the catalogue. -->\n'

/**
 * Replaces the catalogue on the page of providers. What a table row says about a provider is from
 * its configuration and from the comment before its function.
 *
 * @param sources the modules of `src/providers/`, in any order
 */
export function updateCatalogue(page: string, sources: readonly string[]): string {
  const [before = '', rest = ''] = page.split(START)
  const [, after = ''] = rest.split(END)
  const rows = Object.entries(catalogue)
    .map(([name, create]) => describeProvider(name, create(), sources))
    .toSorted()
  const table = `| id, import | provider | app registration | notes |
|---|---|---|---|
${rows.join('\n')}
`
  return `${before}${START}\n${table}\n${END}${after}`
}

function describeProvider(name: string, config: AnyProvider, sources: readonly string[]): string {
  const { text, link } = findComment(name, sources)
  const cells = [
    `\`${config.id}\`<br>\`${name}\``,
    link ? `[${config.name}](${link})` : config.name,
    describeRegistration(config),
    [describeIssuer(config, text), text].filter(Boolean).join(' '),
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

/** The comment before a provider's function: its text, and the link to the documentation. */
function findComment(name: string, sources: readonly string[]): { text: string; link?: string } {
  const declaration = new RegExp(`^export (?:const|function) ${name}\\b`, 'm')
  const source = sources.find((module) => declaration.test(module)) ?? ''
  const [beforeFunction = ''] = source.split(declaration)
  const comment = beforeFunction.slice(beforeFunction.lastIndexOf('/**'))
  const [, link] = /\{@link (\S+)\}/.exec(comment) ?? []
  const text = comment
    .replace(/\{@link \S+\}/, '')
    .replaceAll(/^\/\*\*|^ \*\/$|\*\/$|^ \*/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return { text, ...(link && { link }) }
}

function describeRegistration({ registration }: AnyProvider): string {
  const { url, idName, secretName } = registration ?? {}
  const place = url ? `[${new URL(url).host}](${url})` : 'your server'
  if (!idName && !secretName) return place
  return `${place}: ${idName ?? 'Client ID'}, ${secretName ?? 'Client secret'}`
}

/** Says that there is a setting for the issuer, unless the comment does. */
function describeIssuer({ id, issuer, isSelfHosted }: AnyProvider, comment: string): string {
  const setting = `\`${settingName(id, 'ISSUER')}\``
  if (!isSelfHosted || comment.includes(setting)) return ''
  return issuer ? `${setting} is optional.` : `${setting} is required.`
}
