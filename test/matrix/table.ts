import { type Cell, COLUMNS, nameOf, type Row } from './run-matrix.ts'

const START = '<!-- The dependencies, written by `npm run matrix`. -->\n'
const END = '<!-- The end of the dependencies. -->\n'

/** The documentation with the table of these rows instead of its own. */
export function updateTable(document: string, rows: readonly Row[]): string {
  const start = document.indexOf(START)
  const end = document.indexOf(END)
  if (start < 0 || end < start) throw new Error('docs/operations.md has no place for the table.')
  return document.slice(0, start + START.length) + formatTable(rows) + document.slice(end)
}

/** One line for all requests that need the same parts. */
function formatTable(rows: readonly Row[]): string {
  // Bindings have the names of wrangler.toml.
  const columns = COLUMNS.map((column) => column.replace(/^[A-Z_]{3,}$/, '`$&`'))
  const groups = Map.groupBy(rows, ({ cells }) =>
    COLUMNS.map((column) => format(cells[column])).join(' | '),
  )
  const lines = Array.from(
    groups,
    ([cells, group]) =>
      `| ${group.map(({ request }) => formatName(nameOf(request))).join('<br>')} | ${cells} |`,
  )
  const head = `| request | ${columns.join(' | ')} |\n|---|${COLUMNS.map(() => '---|').join('')}\n`
  return `${head}${lines.join('\n')}\n`
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
