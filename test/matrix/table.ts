import { type Cell, COLUMNS, nameOf, type Row } from './run-matrix.ts'

const START = '<!-- The dependencies, written by `npm run matrix`. -->\n'
const END = '<!-- The end of the dependencies. -->\n'

/** The areas of the service, each with the paths of its requests, in the order of the document. */
const AREAS: readonly [title: string, paths: RegExp][] = [
  ['Health and public documents', /^\/(healthz|readyz|client\.js|\.well-known\/.+)?$/],
  ['Sign-in, sessions and sign-out', /^\/api\/auth\//],
  ['OpenID Connect and devices', /^\/(oidc\/|device$)/],
  ['The account page', /^\/account(\/|$)/],
  ['The console', /^\/admin(\/(?!api\/)|$)/],
  ['The admin API', /^\/admin\/api\//],
  ['The Cron Trigger', /^the Cron Trigger$/],
]

/** A longer list of requests is folded, so that the lines of a table stay short. */
const MAX_LISTED = 6

const LIST = new Intl.ListFormat('en-GB')

/** The documentation with the tables of these rows instead of its own. */
export function updateTable(document: string, rows: readonly Row[]): string {
  const start = document.indexOf(START)
  const end = document.indexOf(END)
  if (start < 0 || end < start) throw new Error('docs/failures.md has no place for the tables.')
  return document.slice(0, start + START.length) + formatTables(rows) + document.slice(end)
}

function formatTables(rows: readonly Row[]): string {
  const byArea = Map.groupBy(rows, ({ request }) => findArea(request.route))
  return AREAS.map(([title]) => `\n## ${title}\n\n${formatTable(byArea.get(title) ?? [])}\n`).join(
    '',
  )
}

function findArea(route: string): string {
  const path = route.replace(/^[A-Z]+ /, '')
  const area = AREAS.find(([, paths]) => paths.test(path))
  if (!area) throw new Error(`No area of test/matrix/table.ts has the path ${path}.`)
  return area[0]
}

/** One line for all requests that need the same parts, and a column for each part that one needs. */
function formatTable(rows: readonly Row[]): string {
  const columns = COLUMNS.filter((column) => rows.some(({ cells }) => format(cells[column]) !== ''))
  const groups = Map.groupBy(rows, ({ cells }) =>
    columns.map((column) => ` ${format(cells[column])} |`).join(''),
  )
  // Bindings have the names of wrangler.toml.
  const names = columns.map((column) => ` ${column.replace(/^[A-Z_]{3,}$/, '`$&`')} |`)
  const lines = Array.from(groups, ([cells, group]) => `| ${formatRequests(group)} |${cells}`)
  return `| request |${names.join('')}\n|---|${columns.map(() => '---|').join('')}\n${lines.join('\n')}`
}

function formatRequests(rows: readonly Row[]): string {
  const list = rows.map(({ request }) => formatName(nameOf(request))).join('<br>')
  if (rows.length <= MAX_LISTED) return list
  const methods = Map.groupBy(rows, ({ request }) => request.route.split(' ')[0])
  const counts = Array.from(methods, ([method, { length }]) => `${length} \`${method}\``)
  return `<details><summary>${LIST.format(counts)} requests</summary>${list}</details>`
}

/** The route, and what is special about the request. */
function formatName(name: string): string {
  return name.replace(/^(\S+ \S+?)(,.*)?$/, '`$1`$2').replaceAll('|', '\\|')
}

function format(cell: Cell): string {
  switch (cell.kind) {
    case 'not used':
      return ''
    case 'works':
      return 'works'
    case 'works from a copy':
      return cell.for
    case 'unavailable':
      return '503'
  }
}
