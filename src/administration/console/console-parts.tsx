import type { Child, PropsWithChildren } from 'hono/jsx'
import type { AppEnv } from '../../core/http/app-env.ts'
import { isolateTextDirection } from '../../foundation/values/isolate-text-direction.ts'
import type { OperationDescription } from '../operation-description.ts'
import type { ShownValue } from '../shown-fields.ts'
import type { ConsoleLink } from './administrator.ts'
import { Avatar, Pill } from './cards.tsx'
import { Time } from './times.tsx'

/** The section of an operation, which its path begins with. */
export function sectionOf({ path }: Pick<OperationDescription, 'path'>): string {
  return path.split('/')[1] ?? ''
}

/** The main page of a section. */
function sectionPath(section: string): string {
  return section === 'overview' ? '/admin' : `/admin/${section}`
}

/** A page above the present one. */
export interface TrailLink {
  href: string
  label: string
}

/** A section, and how many it has, if that is known. */
export interface CountedSection extends Pick<ConsoleLink, 'id' | 'label' | 'icon' | 'group'> {
  count?: number | undefined
}

type Administrator = NonNullable<AppEnv['Variables']['administrator']>

interface ConsoleHeaderProps {
  section: string
  serviceName: string
  /** Who is signed in. */
  administrator: Pick<Administrator, 'name' | 'role'>
  sections: readonly CountedSection[]
  /** The pages above this one, without the section. Absent on the main page of a section. */
  trail: readonly TrailLink[] | undefined
  /** What was searched for. */
  query?: string | undefined
  /** In which the page shows times. */
  timeZone: string
}

/** Where the administrator is, as whom, the search, and the links to all sections, on every page. */
export function ConsoleHeader(props: ConsoleHeaderProps) {
  const { section, sections, trail } = props
  const present = sections.find(({ id }) => id === section)
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header>
        <div class="top">
          <button class="menu-button" type="button" popovertarget="menu" aria-label="Menu">
            <Icon path="M4 6h16M4 12h16M4 18h16" />
          </button>
          <Menu {...props} />
          <Search {...props} />
          <AccountMenu {...props} />
        </div>
        {trail && present && (
          <nav aria-label="Pages above this one">
            {[{ href: sectionPath(present.id), label: present.label }, ...trail].map(
              ({ href, label }, index) => (
                <p>
                  {index === 0 ? '←' : '/'} <a href={href}>{label}</a>
                </p>
              ),
            )}
          </nav>
        )}
      </header>
    </>
  )
}

/** The sections, by their groups. On narrow screens, a button opens it. */
function Menu({ section, serviceName, sections }: ConsoleHeaderProps) {
  const groups = Map.groupBy(sections, ({ group = '' }) => group)
  return (
    <div class="sidebar" id="menu" popover="auto">
      <p>
        <strong>{serviceName}</strong>
      </p>
      <nav class="sections" aria-label="Administration">
        {[...groups].map(([group, links]) => (
          <>
            {group && <strong>{group}</strong>}
            {links.map((link) => (
              <SectionLink {...link} isPresent={link.id === section} />
            ))}
          </>
        ))}
      </nav>
    </div>
  )
}

function Search({ query }: ConsoleHeaderProps) {
  return (
    <search>
      <form class="find" action="/admin/search">
        <button type="submit" aria-label="Search">
          <Icon path="M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13M20 20l-5-5" />
        </button>
        <input
          type="search"
          name="query"
          value={query}
          aria-label="Search"
          placeholder="Name, email, client or reference"
        />
        {/* The script of the console shows it while the key leads to the search. */}
        <span class="hint" hidden>
          /
        </span>
      </form>
    </search>
  )
}

function AccountMenu({ administrator: { name, role }, timeZone }: ConsoleHeaderProps) {
  return (
    <>
      <button class="me" type="button" popovertarget="me" aria-label={`Signed in: ${name}`}>
        <Avatar name={name} image={undefined} />
        <b>{isolateTextDirection(name)}</b>
      </button>
      <div class="account" id="me" popover="auto">
        <p>
          Signed in as <a href="/account">{isolateTextDirection(name)}</a> ({role})
        </p>
        {/* The script of the console shows it, and remembers whether the key is used. */}
        <button class="key" type="button" hidden>
          Key / for search
        </button>
        <p class="note">Times are in {timeZone}.</p>
        <a href="/api/auth/signout">Sign out</a>
      </div>
    </>
  )
}

function SectionLink({
  id,
  label,
  icon,
  count,
  isPresent,
}: CountedSection & { isPresent: boolean }) {
  return (
    <a href={sectionPath(id)} aria-current={isPresent ? 'page' : undefined}>
      <Icon path={icon} />
      {label}
      {count !== undefined && <small>{count}</small>}
    </a>
  )
}

function Icon({ path }: { path: string }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

/** For an id that does not exist. */
export function NotFoundPage({ section, noun }: { section: string; noun: string }) {
  return (
    <>
      <p>There is no {noun} with this ID: it was deleted, or the URL is wrong.</p>
      <div class="row">
        <a class="primary" href={sectionPath(section)}>
          All {noun}s
        </a>
      </div>
    </>
  )
}

/** What a cell of a table shows. */
export type Content = Child | ShownValue

interface DataTableProps<Item> {
  /** What links to the table use. */
  id?: string
  caption: string
  items: readonly Item[]
  /** By their headings. The first cell of each row names it. */
  columns: Readonly<Record<string, (item: Item) => Content>>
  /** The headings by which it can be sorted. */
  sorting?: Readonly<Record<string, Sorting>> | undefined
  /**
   * The columns that narrow screens show, beside and below the first cell, if the others are on the
   * page of each item. Otherwise they show all.
   */
  narrow?: { beside: string; below: string }
}

/** The link of a heading, which sorts the table by it, or the other way round. */
export interface Sorting {
  href: string
  /** How it is sorted. Absent if it is sorted by another column. */
  direction?: 'ascending' | 'descending' | undefined
}

/**
 * A table. On narrow screens, each row has two lines or more, with the headings next to the values.
 * Empty columns are left out.
 */
export function DataTable<Item>(props: DataTableProps<Item>) {
  const { id, caption, items, columns, sorting = {}, narrow } = props
  if (items.length === 0) {
    return (
      <p>
        <strong>{caption}:</strong> none.
      </p>
    )
  }
  const shown = Object.entries(columns)
    .map(([heading, show]) => ({ heading, cells: items.map((item) => toChild(show(item))) }))
    .filter(({ cells }) => cells.some(hasContent))
  return (
    <section class="table" id={id} aria-label={caption} tabindex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {shown.map(({ heading }) => (
              <Heading text={heading} sorting={sorting[heading]} />
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((_, row) => (
            <tr>
              {shown.map(({ heading, cells }, column) =>
                column === 0 ? (
                  <th>{cells[row]}</th>
                ) : (
                  <td data-of={heading} class={placeOf(heading, narrow)}>
                    {cells[row]}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Where narrow screens show a cell. */
function placeOf(heading: string, narrow: DataTableProps<unknown>['narrow']): string | undefined {
  if (!narrow) return undefined
  if (heading === narrow.beside) return 'beside'
  return heading === narrow.below ? 'below' : 'wide'
}

function Heading({ text, sorting }: { text: string; sorting: Sorting | undefined }) {
  if (!sorting) return <th scope="col">{text}</th>
  const { href, direction } = sorting
  return (
    <th scope="col" aria-sort={direction}>
      <a href={href}>{text}</a>
    </th>
  )
}

/** The links of headings by which a list is sorted upwards or downwards. */
export function sortingBy(
  present: string,
  orders: Readonly<Record<string, readonly [ascending: string, descending: string]>>,
  urlOf: (order: string) => string,
): Record<string, Sorting> {
  const entries = Object.entries(orders).map(([heading, [ascending, descending]]) => [
    heading,
    {
      href: urlOf(present === ascending ? descending : ascending),
      direction: { [ascending]: 'ascending', [descending]: 'descending' }[present],
    },
  ])
  return Object.fromEntries(entries)
}

/** Links that show a part of a list, of which one is selected. */
export function Chips({ chips }: { chips: readonly Chip[] }) {
  return (
    <nav class="chips" aria-label="Filter">
      {chips.map(({ href, label, isSelected }) => (
        <a href={href} aria-current={isSelected ? 'true' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  )
}

interface Chip {
  href: string
  label: string
  isSelected: boolean
}

/** What a list is for, and how to get its first entry. */
export function EmptyList({ children }: PropsWithChildren) {
  return <div class="empty">{children}</div>
}

function hasContent(child: Child): boolean {
  return child !== undefined && child !== '' && child !== false
}

export type Fact = readonly [name: string, value: Content]

/** Names and values. Absent values are left out. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl>
      {facts
        .map(([name, value]) => ({ name, child: toChild(value) }))
        .filter(({ child }) => hasContent(child))
        .map(({ name, child }) => (
          <>
            <dt>{name}</dt>
            <dd>{child}</dd>
          </>
        ))}
    </dl>
  )
}

function toChild(content: Content): Child {
  if (typeof content !== 'object' || content === null) return content
  if ('name' in content) return content.name && isolateTextDirection(content.name)
  if ('time' in content) return content.time && <Time at={content.time} />
  if ('id' in content) return content.id && <span class="id">{content.id}</span>
  if ('code' in content) return content.code && <code>{content.code}</code>
  if ('good' in content) return <State text={content.good} isBad={false} />
  return 'problem' in content ? <State text={content.problem} isBad /> : content
}

/** The state of something. Its text says whether it is bad, for those who cannot see colours. */
export function State({ text, isBad }: { text: string; isBad: boolean }) {
  return <Pill tone={isBad ? 'bad' : 'good'}>{text}</Pill>
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
  return (
    <div class="row">
      {cursor !== undefined && <a href={filterUrl(path, filter)}>First page</a>}
      {nextCursor !== undefined && (
        <a href={filterUrl(path, { ...filter, cursor: nextCursor })}>Next page</a>
      )}
    </div>
  )
}

/** The URL of a list with these filters, of which empty ones are left out. */
export function filterUrl(path: string, filter: Record<string, string>): string {
  const params = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''))
  return params.size > 0 ? `${path}?${params}` : path
}
