import type { Child, PropsWithChildren } from 'hono/jsx'
import { isolateTextDirection } from '../../foundation/values/isolate-text-direction.ts'

type CardProps = PropsWithChildren<{
  title: string
  /** Beside the title, such as a number or a legend. */
  note?: Child
  /** Whether it has what deletes something. */
  isDanger?: boolean
}>

/** A part of a page with a title of its own. */
export function Card({ title, note, isDanger = false, children }: CardProps) {
  return (
    <section class={isDanger ? 'card deletion' : 'card'}>
      <div class="head">
        <h2>{title}</h2>
        {note !== undefined && <small>{note}</small>}
      </div>
      {children}
    </section>
  )
}

/** The entries of a card, or a sentence if there are none. */
export function Rows({ children, whenEmpty }: { children: readonly Child[]; whenEmpty: string }) {
  if (children.length === 0) return <p class="none">{whenEmpty}</p>
  return <ul class="rows">{children}</ul>
}

type RowProps = PropsWithChildren<{
  /** A picture or an icon. */
  lead?: Child
  title: Child
  note?: Child
}>

/** An entry of a card. The children are what can be done with it. */
export function Row({ lead, title, note, children }: RowProps) {
  return (
    <li>
      {lead}
      <div>
        <p>{title}</p>
        {note && <small>{note}</small>}
      </div>
      {children}
    </li>
  )
}

/** How a state is to be judged. Its text says the same for those who cannot see colours. */
export type Tone = 'good' | 'warn' | 'bad' | 'mute'

export function Pill({ tone, children }: PropsWithChildren<{ tone: Tone }>) {
  return <span class={`pill ${tone}`}>{children}</span>
}

interface ActionLinkProps {
  href: string
  /** What it says, such as "End". */
  label: string
  /** What tells it apart from the same link of other entries. */
  of?: string
  isDanger?: boolean
}

/** A quiet link to the page that asks for confirmation. */
export function ActionLink({ href, label, of, isDanger = false }: ActionLinkProps) {
  const name = of === undefined ? undefined : `${label}: ${of}`
  return (
    <a class={isDanger ? 'act danger' : 'act'} href={href} aria-label={name}>
      {label}
    </a>
  )
}

/** Facts of one entry in one line. */
export function joinFacts(facts: readonly Child[]): Child {
  return facts.filter(Boolean).flatMap((fact, index) => (index === 0 ? [fact] : [' · ', fact]))
}

/** Something that needs attention, and what can be done about it. */
export function Warning({ children, action }: PropsWithChildren<{ action?: Child }>) {
  return (
    <div class="alert" role="note">
      <p>{children}</p>
      {action}
    </div>
  )
}

interface AvatarProps {
  name: string
  /** The URL of the picture or logo. */
  image: string | undefined
  isApp?: boolean
  isLarge?: boolean
}

/** How many colours the stylesheet has. */
const AVATAR_COLORS = 6

/**
 * The picture of a user or the logo of an app, next to its name. Below it are the first letters of
 * the name, which are seen if there is no picture, or its URL has expired.
 */
export function Avatar({ name, image, isApp = false, isLarge = false }: AvatarProps) {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word))
  const letters = words.slice(0, 2).map((word) => [...word][0])
  const sum = Array.from(name).reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0)
  const classes = [
    'avatar',
    `color-${sum % AVATAR_COLORS}`,
    ...(isApp ? ['square'] : []),
    ...(isLarge ? ['large'] : []),
  ]
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
