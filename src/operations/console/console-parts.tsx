import type { Child, PropsWithChildren } from 'hono/jsx'
import type { AppEnv, ConsoleLink } from '../../http/app-env.ts'
import { nowInSeconds } from '../../values/clock.ts'
import { isolateTextDirection } from '../../values/isolate-text-direction.ts'
import type { OperationDescription } from '../operation-description.ts'
import type { ShownFields, ShownValue } from '../shown-fields.ts'

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
export interface CountedSection extends Pick<ConsoleLink, 'id' | 'label' | 'icon'> {
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
}

/** Where the administrator is, as whom, the search, and the links to all sections, on every page. */
export function ConsoleHeader(props: ConsoleHeaderProps) {
  const { section, serviceName, administrator, sections, trail, query } = props
  const present = sections.find(({ id }) => id === section)
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header>
        <div class="sidebar">
          <p>
            <strong>{serviceName}</strong> administration
          </p>
          <p class="note">
            Signed in as <a href="/account">{isolateTextDirection(administrator.name)}</a> (
            {administrator.role}) · <a href="/api/auth/signout">Sign out</a>
          </p>
          <nav class="sections" aria-label="Administration">
            {sections.map((link) => (
              <SectionLink {...link} isPresent={link === present} />
            ))}
          </nav>
          {/* The script of the console shows it, and remembers whether the key is used. */}
          <button class="key" type="button" hidden>
            Key / for search: <span />
          </button>
        </div>
        <search>
          <form class="row" action="/admin/search">
            <input
              class="grow"
              type="search"
              name="query"
              value={query}
              aria-label="Search"
              placeholder="Name, email, client or reference"
            />
            <button type="submit">Search</button>
          </form>
        </search>
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

function SectionLink({
  id,
  label,
  icon,
  count,
  isPresent,
}: CountedSection & { isPresent: boolean }) {
  return (
    <a href={sectionPath(id)} aria-current={isPresent ? 'page' : undefined}>
      <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
        <path d={icon} />
      </svg>
      {label}
      {count !== undefined && <small>{count}</small>}
    </a>
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
}

/** The link of a heading, which sorts the table by it, or the other way round. */
export interface Sorting {
  href: string
  /** How it is sorted. Absent if it is sorted by another column. */
  direction?: 'ascending' | 'descending' | undefined
}

/** A table that scrolls on narrow screens, also by keyboard. Empty columns are left out. */
export function DataTable<Item>(props: DataTableProps<Item>) {
  const { id, caption, items, columns, sorting = {} } = props
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
              {shown.map(({ cells }, column) =>
                column === 0 ? <th>{cells[row]}</th> : <td>{cells[row]}</td>,
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
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

interface AvatarProps {
  name: string
  /** The URL of the picture or logo. */
  image: string | undefined
  isApp?: boolean
}

/** How many colours the stylesheet has. */
const AVATAR_COLORS = 6

/**
 * The picture of a user or the logo of an app, next to its name. Below it are the first letters of
 * the name, which are seen if there is no picture, or its URL has expired.
 */
function Avatar({ name, image, isApp = false }: AvatarProps) {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word))
  const letters = words.slice(0, 2).map((word) => [...word][0])
  const sum = Array.from(name).reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0)
  const classes = ['avatar', `color-${sum % AVATAR_COLORS}`, ...(isApp ? ['square'] : [])]
  return (
    <span class={classes.join(' ')} aria-hidden="true">
      {letters.join('').toLocaleUpperCase()}
      {image && <img src={image} alt="" loading="lazy" referrerpolicy="no-referrer" />}
    </span>
  )
}

/** A link to the page of a user or an app, with its picture and what else tells it apart. */
export function NamedLink(props: AvatarProps & { href: string; note?: string | undefined }) {
  const { href, name, image, isApp, note } = props
  return (
    <span class="named">
      <Avatar name={name} image={image} isApp={isApp ?? false} />
      <span>
        <a href={href}>{isolateTextDirection(name)}</a>
        {note && <small>{isolateTextDirection(note)}</small>}
      </span>
    </span>
  )
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

/** What is known about a resource. */
export function factsAbout<Resource>(
  resource: Resource,
  fields: ShownFields<Resource>,
): readonly Fact[] {
  return Object.entries(fields).map(([label, show]) => [label, show(resource)])
}

function toChild(content: Content): Child {
  if (typeof content !== 'object' || content === null) return content
  if ('name' in content) return content.name && isolateTextDirection(content.name)
  if ('time' in content) return content.time && <Time at={content.time} />
  if ('id' in content) return content.id && <span class="id">{content.id}</span>
  if ('code' in content) return content.code && <code>{content.code}</code>
  return 'problem' in content ? <State text={content.problem} isBad /> : content
}

/** The state of something. A bad one has a colour, and a sign for those who cannot see colours. */
export function State({ text, isBad }: { text: string; isBad: boolean }) {
  return isBad ? <strong class="bad">✗&nbsp;{text}</strong> : <span>{text}</span>
}

/** How long ago a time is, or in how long. The exact time is shown on hover. */
export function Time({ at }: { at: number | undefined }) {
  if (at === undefined) return <span>–</span>
  return (
    <time datetime={new Date(at * 1000).toISOString()} title={formatTime(at)}>
      {formatDistance(at)}
    </time>
  )
}

/** In UTC, because administrators compare it with logs. */
export function formatTime(at: number): string {
  return `${new Date(at * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** The largest of these units of which there is at least one is shown. In seconds. */
const UNITS = {
  year: 365 * 86_400,
  month: 30 * 86_400,
  day: 86_400,
  hour: 3600,
  minute: 60,
} as const

function formatDistance(at: number): string {
  const distance = at - nowInSeconds()
  const units = Object.entries(UNITS) as [keyof typeof UNITS, number][]
  const [unit, length] = units.find(([, seconds]) => Math.abs(distance) >= seconds) ?? []
  if (unit === undefined || length === undefined) return 'just now'
  return new Intl.RelativeTimeFormat('en').format(Math.trunc(distance / length), unit)
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
