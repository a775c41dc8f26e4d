import type { JSX } from 'hono/jsx/jsx-runtime'
import { type HtmlEscapedString, raw } from 'hono/utils/html'

export type { JSX }

type Component = (props: Record<string, unknown>) => unknown

/** Elements without an end (HTML §13.1.2). */
const VOID = new Set(['br', 'img', 'input', 'link', 'meta'])

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * What TypeScript makes of our JSX: strings, with everything escaped that is not markup of ours. The
 * types are hono/jsx's; its runtime renders as well, and also does much that pages without script never
 * need, at a cost of four kilobytes.
 */
export function jsx(
  tag: string | Component,
  { children, ...attributes }: Record<string, unknown>,
): HtmlEscapedString {
  if (typeof tag === 'function') return raw(tag({ children, ...attributes }))
  const pairs = Object.entries(attributes).filter(
    ([, value]) => value !== undefined && value !== false,
  )
  const start = `<${tag}${pairs.map(([name, value]) => ` ${name}="${value === true ? '' : escapeHtml(String(value))}"`).join('')}`
  return raw(VOID.has(tag) ? `${start}/>` : `${start}>${render(children)}</${tag}>`)
}

export const jsxs = jsx
export const jsxDEV = jsx

export function Fragment({ children }: { children?: unknown }): HtmlEscapedString {
  return raw(render(children))
}

function render(child: unknown): string {
  if (Array.isArray(child)) return child.map(render).join('')
  if (child === undefined || child === null || typeof child === 'boolean') return ''
  if (typeof child === 'object' && 'isEscaped' in child) return String(child)
  return escapeHtml(String(child))
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => ESCAPES[letter] ?? letter)
}
