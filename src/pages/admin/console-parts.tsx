import type { Child } from 'hono/jsx'
import { isolateTextDirection } from '../isolate-text-direction.ts'
import { removeSpaces } from '../stylesheet.ts'

/** The rules of console pages, besides those of all pages. */
export const CONSOLE_CSS = removeSpaces(`
body { grid-template-rows: auto 1fr auto; align-items: start; gap: 1rem; }
header, main { width: 100%; max-width: 66rem; }
main > *, figure { min-width: 0; }
header { display: grid; gap: .75rem; }
nav { display: flex; flex-wrap: wrap; gap: .375rem; }
.bad { color: var(--danger); }
label { display: grid; gap: .25rem; min-width: 0; font-weight: 600; }
small { color: var(--muted); font-size: .875rem; font-weight: 400; text-wrap: pretty; }
input, select, textarea {
  width: 100%;
  min-width: 0;
  min-height: 2.75rem;
  padding: .5rem .75rem;
  background: var(--surface);
  border: 1px solid color-mix(in srgb, currentcolor 60%, transparent);
  border-radius: min(var(--radius), 1rem);
  color: inherit;
  font: inherit;
  font-weight: 400;
}
[role=alert] { padding: .75rem 1rem; border: 2px solid var(--danger); border-radius: min(var(--radius), 1rem); }
summary { display: list-item; font-weight: 600; text-decoration: none; }
@media (max-width: 29.99rem) { header { padding: 1rem 1.25rem 0; } }
`)

/** The rules of the form for a registration. */
export const FORM_CSS = removeSpaces(`
fieldset, details { min-width: 0; padding: 1.5rem 0 .5rem; border: 0; border-top: 1px solid var(--border); }
legend { float: inline-start; }
legend, summary { padding: 0; font-size: 1.125rem; font-weight: 600; }
.fields { clear: both; display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 1.25rem 1.5rem; padding-top: .75rem; }
.fields > div { display: grid; gap: .25rem; align-content: start; }
textarea { min-height: 3lh; font-family: monospace; field-sizing: content; }
[readonly] { border-style: dashed; }
[aria-invalid] { border: 2px solid var(--danger); }
.flag { grid: auto / 1.5rem 1fr; gap: .5rem; cursor: pointer; }
.flag input { order: -1; min-height: 1.5rem; accent-color: var(--accent); }
`)

/** The rules of tables, facts and charts. */
export const DATA_CSS = removeSpaces(`
.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); gap: .75rem; align-items: start; }
form > label { max-width: 42rem; }
.primary.danger { background: var(--danger); border-color: var(--danger); color: var(--surface); }
.table {
  display: block;
  padding: 0;
  border: 0;
  overflow-x: auto;
  background:
    linear-gradient(90deg, var(--surface) 30%, transparent) left / 2rem 100% no-repeat local,
    linear-gradient(270deg, var(--surface) 30%, transparent) right / 2rem 100% no-repeat local,
    linear-gradient(90deg, var(--border), transparent) left / .75rem 100% no-repeat,
    linear-gradient(270deg, var(--border), transparent) right / .75rem 100% no-repeat;
}
table { width: 100%; border-collapse: collapse; font-size: .875rem; overflow-wrap: normal; }
caption { padding: .5rem 0 .25rem; font-size: 1rem; font-weight: 600; text-align: start; }
th, td { padding: .5rem .75rem .5rem 0; border-top: 1px solid var(--border); text-align: start; vertical-align: top; }
thead th { border: 0; white-space: nowrap; }
tbody th { min-width: 5.5rem; font-weight: 600; overflow-wrap: anywhere; }
.id { display: inline-block; min-width: 6rem; max-width: 8rem; overflow-wrap: anywhere; text-decoration: inherit; }
.detail { display: inline-block; min-width: 8rem; }
td a, th a, dd a { display: inline; min-height: 0; padding: 0; background: none; border: 0; font-weight: inherit; text-align: start; text-decoration: underline; text-underline-offset: .2em; }
td time, th time { white-space: nowrap; }
dl { display: grid; align-items: baseline; font-size: .875rem; }
dt { color: var(--muted); }
dd { justify-self: start; direction: ltr; }
.secret { padding: .75rem 1rem; border: 1px dashed; border-radius: min(var(--radius), 1rem); font: 1.125rem monospace; user-select: all; }
figure { display: grid; gap: .25rem; padding-top: 1rem; }
figcaption, .axis { display: flex; flex-wrap: wrap; align-items: center; gap: 0 1rem; font-size: .875rem; }
figcaption h2 { flex-basis: 100%; }
.axis { justify-content: space-between; color: var(--muted); }
svg { width: 100%; height: 9rem; border-bottom: 1px solid currentcolor; }
.ok { stroke: var(--accent); background: var(--accent); }
.failed { stroke: var(--danger); background: var(--danger); }
figure path { stroke-width: 8; }
i { display: inline-block; width: .75rem; height: .75rem; }
@media (min-width: 48rem) { dl { grid-template-columns: minmax(12rem, auto) 1fr; gap: .375rem 1.5rem; } }
@media (max-width: 47.99rem) { dl { grid-template-columns: 1fr; } dd { padding-bottom: .5rem; } }
`)

const SECTIONS = {
  overview: { href: '/admin', label: 'Overview' },
  users: { href: '/admin/users', label: 'Users' },
  clients: { href: '/admin/clients', label: 'Clients' },
  apis: { href: '/admin/apis', label: 'APIs' },
  keys: { href: '/admin/keys', label: 'Keys' },
  audit: { href: '/admin/audit', label: 'Audit' },
}

export type Section = keyof typeof SECTIONS

/** A page above the present one. */
export interface TrailLink {
  href: string
  label: string
}

interface ConsoleHeaderProps {
  section: Section
  serviceName: string
  /** The name of the signed-in administrator. */
  administrator: string
  /** The pages above this one, without the section. Absent on the main page of a section. */
  trail: readonly TrailLink[] | undefined
}

/** Where the administrator is, as whom, and the links to all sections, on every page. */
export function ConsoleHeader({ section, serviceName, administrator, trail }: ConsoleHeaderProps) {
  return (
    <header>
      <p class="row">
        <span class="grow">
          <strong>{serviceName}</strong> administration
        </span>
        <span>
          Signed in as <a href="/account">{isolateTextDirection(administrator)}</a>
        </span>
        <a href="/api/auth/signout">Sign out</a>
      </p>
      <nav aria-label="Administration">
        {Object.entries(SECTIONS).map(([name, { href, label }]) => (
          <a
            class={name === section ? 'small primary' : 'small'}
            href={href}
            aria-current={name === section ? 'page' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      {trail && (
        <nav aria-label="Pages above this one">
          {[SECTIONS[section], ...trail].map(({ href, label }, index) => (
            <p>
              {index === 0 ? '←' : '/'} <a href={href}>{label}</a>
            </p>
          ))}
        </nav>
      )}
    </header>
  )
}

/** For an id that does not exist. */
export function NotFoundPage({ section, noun }: { section: Section; noun: string }) {
  return (
    <>
      <p>There is no {noun} with this ID: it was deleted, or the address is wrong.</p>
      <div class="row">
        <a class="primary" href={SECTIONS[section].href}>
          All {noun}s
        </a>
      </div>
    </>
  )
}

interface DataTableProps {
  /** What links to the table use. */
  id?: string
  caption: string
  columns: readonly string[]
  /** The first cell of each row names it. */
  rows: readonly (readonly Child[])[]
}

/** A table that scrolls by itself on narrow screens, also by keyboard. Empty columns are left out. */
export function DataTable({ id, caption, columns, rows }: DataTableProps) {
  if (rows.length === 0) {
    return (
      <p>
        <strong>{caption}:</strong> none.
      </p>
    )
  }
  const isShown = (_: unknown, column: number) => rows.some((row) => hasContent(row[column]))
  return (
    <section class="table" id={id} aria-label={caption} tabindex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.filter(isShown).map((column) => (
              <th scope="col">{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {row
                .filter(isShown)
                .map((cell, column) => (column === 0 ? <th>{cell}</th> : <td>{cell}</td>))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function hasContent(value: Child): boolean {
  return value !== undefined && value !== ''
}

export type Fact = readonly [name: string, value: Child]

/** Names and values. Absent values are left out. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl>
      {facts
        .filter(([, value]) => hasContent(value))
        .map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
    </dl>
  )
}

/** The state of something. What needs attention has the colour of problems, and a sign for those who cannot see it. */
export function State({ text, isBad }: { text: string; isBad: boolean }) {
  return isBad ? <strong class="bad">✗&nbsp;{text}</strong> : <span>{text}</span>
}

/** A time in UTC, because administrators compare it with logs. */
export function Time({ at }: { at: number | undefined }) {
  if (at === undefined) return <span>–</span>
  const iso = new Date(at * 1000).toISOString()
  return <time datetime={iso}>{`${iso.slice(0, 16).replace('T', ' ')} UTC`}</time>
}

/** What prevented a change. */
export function Problems({ problems }: { problems: readonly string[] }) {
  if (problems.length === 0) return null
  return (
    <div role="alert">
      {problems.map((problem) => (
        <p>{problem}</p>
      ))}
    </div>
  )
}

interface PageLinksProps {
  path: string
  /** What the list was filtered by. */
  filter: Record<string, string>
  /** The position of this page. Absent on the first one. */
  cursor: string | undefined
  nextCursor: string | undefined
}

/** The links to the first and the next page of a list, if there are any. */
export function PageLinks({ path, filter, cursor, nextCursor }: PageLinksProps) {
  if (cursor === undefined && nextCursor === undefined) return null
  const given = Object.entries(filter).filter(([, value]) => value !== '')
  const address = (position: [string, string][]) => {
    const params = new URLSearchParams([...given, ...position])
    return params.size > 0 ? `${path}?${params}` : path
  }
  return (
    <div class="row">
      {cursor !== undefined && <a href={address([])}>First page</a>}
      {nextCursor !== undefined && <a href={address([['cursor', nextCursor]])}>Next page</a>}
    </div>
  )
}

interface FilterButtonsProps {
  label: string
  path: string
  filter: Record<string, string>
}

/** The buttons of a form that filters a list. */
export function FilterButtons({ label, path, filter }: FilterButtonsProps) {
  return (
    <div class="row">
      <button class="primary" type="submit">
        {label}
      </button>
      {Object.values(filter).some((value) => value !== '') && <a href={path}>Clear</a>}
    </div>
  )
}
