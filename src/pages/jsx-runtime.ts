import type { JSX } from 'hono/jsx/jsx-runtime'
import { type HtmlEscapedString, raw } from 'hono/utils/html'

export type { JSX }

type Component = (props: Record<string, unknown>) => HtmlEscapedString

/** Elements without an end (HTML §13.1.2). */
const VOID = /^(br|img|input|link|meta)$/

const ESCAPES: Record<string, string> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": '#39',
}

/**
 * What TypeScript makes of our JSX: strings, with everything escaped that is not markup of ours. The
 * types are hono/jsx's; its runtime renders as well, and also does much that pages without script never
 * need, at a cost of four kilobytes.
 */
export function jsx(tag: string | Component, props: Record<string, unknown>): HtmlEscapedString {
  if (typeof tag === 'function') return tag(props)
  const { children, ...attributes } = props
  const start = Object.entries(attributes).map(([name, value]) =>
    value === undefined || value === false ? '' : ` ${name}="${render(value)}"`,
  )
  const end = VOID.test(tag) ? '' : `${render(children)}</${tag}>`
  return raw(`<${tag}${start.join('')}>${end}`)
}

export { jsx as jsxDEV, jsx as jsxs }

export function Fragment({ children }: { children?: unknown }): HtmlEscapedString {
  return raw(render(children))
}

function render(child: unknown): string {
  if (Array.isArray(child)) return child.map(render).join('')
  if (child === undefined || child === null || typeof child === 'boolean') return ''
  if (typeof child === 'object' && 'isEscaped' in child) return String(child)
  return String(child).replace(/[&<>"']/g, (letter) => `&${ESCAPES[letter]};`)
}
