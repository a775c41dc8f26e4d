import { raw } from 'hono/html'
import type { Child, FC } from 'hono/jsx'
import { Page } from '../page.tsx'

/** The layout of every page. The header states that this is not the real platform. */
export const Layout: FC<{ title: string; children?: Child }> = ({ title, children }) => (
  <Page
    title={`${title} · stand-in for the video platform`}
    styles={<style>{raw(STYLESHEET)}</style>}
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

const STYLESHEET = `
:root{color-scheme:light dark;--ink:#17161d;--soft:#5a5866;--line:#dcd9e3;--page:#f5f3f8;--card:#fff;--accent:#7a1f4d;--on-accent:#fff;--band:#2b1a3a;--on-band:#f7effa}
@media(prefers-color-scheme:dark){:root{--ink:#f2eff6;--soft:#b4afc0;--line:#3b3646;--page:#131118;--card:#1d1a25;--accent:#ff9ccb;--on-accent:#2a0719;--band:#33204a;--on-band:#f7effa}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
header{background:var(--band);color:var(--on-band);padding:.75rem 1rem;font-size:.9rem;text-align:center}
header p{margin:0}
main{max-width:32rem;margin:0 auto;padding:1.5rem 1rem 3rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem}
h2{font-size:1.125rem;line-height:1.25;margin:0}
p{margin:0 0 1rem}
a{color:var(--accent)}
time{white-space:nowrap}
small,.soft{color:var(--soft);font-size:.875rem}
ul{list-style:none;margin:1.25rem 0;padding:0;display:grid;gap:.625rem}
.card{width:100%;display:flex;gap:.875rem;align-items:center;text-align:start;padding:.75rem .875rem;background:var(--card);color:inherit;font:inherit;border:1px solid var(--line);border-radius:.875rem}
.stack{flex-direction:column;align-items:stretch;gap:.5rem}
.stack p{margin:0}
.plain{display:block;list-style:disc;margin:0 0 .5rem;padding-inline-start:1.25rem}
.note{margin:0 0 1.25rem;padding:.75rem .875rem;border-inline-start:4px solid var(--accent);background:var(--card);border-radius:.25rem}
.note p{margin:0}
.apart{margin-top:1.25rem}
button.card{cursor:pointer}
button.card:hover{border-color:var(--accent)}
.card span span{display:block}
.name{font-weight:600}
.initial{flex:none;width:2.75rem;height:2.75rem;border-radius:50%;display:grid;place-items:center;font-weight:700;color:#fff;background:hsl(var(--hue) 45% 30%)}
label.card{cursor:pointer}
input[type=checkbox]{flex:none;width:1.375rem;height:1.375rem;margin:0;accent-color:var(--accent)}
fieldset{border:0;margin:1.25rem 0;padding:0;display:grid;gap:.625rem;min-width:0}
legend{padding:0;margin-bottom:.625rem;font-weight:600}
.row{display:grid;grid-template-columns:1fr 1fr;gap:.75rem}
.button{font:inherit;font-weight:600;padding:.75rem 1rem;border-radius:.75rem;border:1px solid var(--accent);cursor:pointer;background:transparent;color:var(--accent)}
.button.main{background:var(--accent);color:var(--on-accent)}
.links{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem}
.wide{width:100%}
textarea{width:100%;margin:.375rem 0;padding:.625rem .75rem;font:.875rem/1.4 ui-monospace,monospace;color:inherit;background:var(--card);border:1px solid var(--soft);border-radius:.75rem;resize:vertical}
textarea::placeholder{color:var(--soft);opacity:1}
.link{font:inherit;background:none;border:0;padding:.5rem 0;color:var(--accent);text-decoration:underline;cursor:pointer}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
dl{display:grid;grid-template-columns:auto 1fr;gap:.375rem 1rem;margin:1.25rem 0;padding:1rem;background:var(--card);border:1px solid var(--line);border-radius:.875rem}
dt{color:var(--soft)}
dd{margin:0;font-family:ui-monospace,monospace}
`
