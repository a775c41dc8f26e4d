import type { OAuthProviderButtonStyles } from '../providers/oauth-types.ts'

/** One stylesheet for all pages: small enough to travel inside each of them. */
export const stylesheet = `
:root{color-scheme:light dark;--ground:#eee;--card:#fff;--ink:#111;--line:#ccc;--accent:#23b}
@media(prefers-color-scheme:dark){:root{--ground:#111;--card:#222;--ink:#eee;--line:#444;--accent:#abf}}
*{box-sizing:border-box;margin:0}
body,main,form{display:grid;gap:1rem}
body{min-height:100vh;min-height:100dvh;place-items:center;padding:1.25rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{width:100%;max-width:25rem;padding:2rem 1.5rem;background:var(--card);border:1px solid var(--line);border-radius:1rem}
h1,h2{font-size:1.5rem;line-height:1.25;text-wrap:balance}
h2{margin-top:1rem;font-size:1.125rem}
ul{padding-left:1.25rem}
.soft,dl{font-size:.875rem;opacity:.75}
a,button{display:flex;align-items:center;justify-content:center;gap:.625rem;min-height:3rem;padding:.5rem 1rem;background:var(--card);border:1px solid var(--line);border-radius:.625rem;color:inherit;font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
.main{background:var(--accent);border-color:var(--accent);color:var(--card)}
a:hover,button:hover{filter:brightness(1.1)}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
img{width:1.25rem;height:1.25rem}
.qr{width:100%;height:auto;image-rendering:pixelated}
dl{display:grid;grid-template-columns:auto 1fr;gap:.125rem .75rem;padding-top:1rem;border-top:1px solid var(--line)}
dd{font-family:monospace}
`

/** A provider's button in its own colour, with text that can be read on it. */
export function brandRule(id: string, { brandColor, bg, text }: OAuthProviderButtonStyles): string {
  const ground = [brandColor, bg].find((color) => HEX.test(color ?? ''))
  if (!ground) return ''
  const ink = !brandColor && text && HEX.test(text) ? text : isDark(ground) ? '#fff' : '#000'
  return `.brand-${id}{background:${ground};color:${ink}}`
}

const HEX = /^#[0-9a-f]{6}$/i

/** By relative luminance, nearly: white text has more contrast than black below 0.179 (WCAG 2.2). */
function isDark(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (at) => (Number.parseInt(color.slice(at, at + 2), 16) / 255) ** 2.2,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.179
}
