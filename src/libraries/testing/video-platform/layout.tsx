import { raw } from 'hono/html'
import type { Child, FC } from 'hono/jsx'
import { Page } from '../page.tsx'
import { stylesheet } from './stylesheet.ts'

/** The layout of every page. The header states that this is not the real platform. */
export const Layout: FC<{ title: string; children?: Child }> = ({ title, children }) => (
  <Page
    title={`${title} · stand-in for the video platform`}
    styles={<style>{raw(stylesheet)}</style>}
  >
    <header>
      <p>
        <strong>Stand-in</strong> for the video platform. Nothing here is real and no account is
        needed.
      </p>
    </header>
    <main>{children}</main>
  </Page>
)

/** The first letter of the handle in a coloured circle, in place of a picture. */
export const Initial: FC<{ handle: string }> = ({ handle }) => (
  <span class="initial" style={`--hue:${avatarHue(handle)}`} aria-hidden="true">
    {handle.slice(0, 1).toUpperCase()}
  </span>
)

/** A hue between 0 and 359, always the same for a handle. */
export function avatarHue(handle: string): number {
  return Array.from(handle).reduce((hue, letter) => (hue * 31 + letter.charCodeAt(0)) % 360, 7)
}
