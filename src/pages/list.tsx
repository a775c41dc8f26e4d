import type { Child, PropsWithChildren } from 'hono/jsx'
import { removeSpaces } from './stylesheet.ts'

/** The rules of pages with lists, in sections. */
export const LIST_CSS = removeSpaces(`
section, .list, .facts { display: grid; }
section { gap: .75rem; padding-top: 1.5rem; border-top: 1px solid var(--border); }
.list { padding: 0; list-style: none; }
.list > li { margin: 0; padding-block: .75rem; border-bottom: 1px solid var(--border); }
.list > li:last-child { border-bottom: 0; padding-bottom: 0; }
.list + .row { padding-top: .75rem; border-top: 1px solid var(--border); }
.list .grow:first-child { flex-basis: 16rem; }
.grow > p.note { margin-top: .5rem; }
.facts > ::first-letter { text-transform: uppercase; }
.facts > strong { color: var(--text); }
`)

/** Entries, or a sentence if there are none. */
export function List({ whenEmpty, children }: { whenEmpty: string; children: readonly Child[] }) {
  if (children.length === 0) return <p class="note">{whenEmpty}</p>
  return <ul class="list">{children}</ul>
}

type ItemProps = PropsWithChildren<{
  mark?: Child
  title: string
  subtitle?: string | undefined
  details: Child
}>

/** One entry of a list, with its button. */
export function Item({ mark, title, subtitle, details, children }: ItemProps) {
  return (
    <li class="row">
      {mark}
      <div class="grow">
        <strong>{title}</strong>
        {subtitle && <div>{subtitle}</div>}
        {details}
      </div>
      {children}
    </li>
  )
}
