import type { Child, PropsWithChildren } from 'hono/jsx'

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

/** One entry of a list, with its buttons. */
export function Item({ mark, title, subtitle, details, children }: ItemProps) {
  return (
    <li class="row">
      {mark}
      <div class="grow">
        <strong>{title}</strong>
        {subtitle && <div>{subtitle}</div>}
        {details}
      </div>
      {children && <div class="row actions">{children}</div>}
    </li>
  )
}

interface DetailsProps {
  /** What matters most. */
  emphasis?: string | undefined
  of: readonly string[]
}

/** Facts about an entry of a list, one per line. Each begins with a capital letter. */
export function Details({ emphasis, of }: DetailsProps) {
  return (
    <span class="note facts">
      {emphasis && <strong>{emphasis}</strong>}
      {of.map((fact) => (
        <span>{fact}</span>
      ))}
    </span>
  )
}

/** A phrase or sentence as an entry of a list: with a capital letter, and without a full stop. */
export function listEntry(text: string, language: string): string {
  const [first = ''] = text
  return first.toLocaleUpperCase(language) + text.slice(first.length).replace(/[.。]$/, '')
}
