import { contrastRatio, parseColor, readableTextColor, toHex } from '../css-color.ts'
import type { OAuthProviderButtonStyles } from '../providers/oauth-types.ts'

/** The stylesheet of all pages. It is small enough to be inlined in each of them. */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --background: #eee;
  --surface: #fff;
  --text: #111;
  --border: #ccc;
  --accent: #23b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --background: #111;
    --surface: #222;
    --text: #eee;
    --border: #444;
    --accent: #abf;
  }
}
* { box-sizing: border-box; margin: 0; }
body, main, form { display: grid; gap: 1rem; }
body {
  min-height: 100vh;
  min-height: 100dvh;
  place-items: center;
  padding: 1.25rem;
  background: var(--background);
  color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
main {
  width: 100%;
  max-width: 25rem;
  padding: 2rem 1.5rem;
  background: var(--surface);
  border: 1px solid var(--border);
  border-radius: 1rem;
}
h1, h2 { font-size: 1.5rem; line-height: 1.25; text-wrap: balance; }
h2 { margin-top: 1rem; font-size: 1.125rem; }
ul { padding-left: 1.25rem; }
.note, dl { font-size: .875rem; opacity: .75; }
a, button {
  display: flex;
  align-items: center;
  justify-content: center;
  gap: .625rem;
  min-height: 3rem;
  padding: .5rem 1rem;
  background: var(--surface);
  border: 1px solid var(--border);
  border-radius: .625rem;
  color: inherit;
  font: inherit;
  font-weight: 600;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
.primary { background: var(--accent); border-color: var(--accent); color: var(--surface); }
a:hover, button:hover { filter: brightness(1.1); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
img { width: 1.25rem; height: 1.25rem; }
.qr { width: 100%; height: auto; image-rendering: pixelated; }
dl {
  display: grid;
  grid-template-columns: auto 1fr;
  gap: .125rem .75rem;
  padding-top: 1rem;
  border-top: 1px solid var(--border);
}
dd { font-family: monospace; }
`

/** The contrast that WCAG 2.2 level AA requires of text. */
const MIN_CONTRAST = 4.5

/**
 * The CSS rule for a provider's button in its brand colour, with readable text. Colours are parsed
 * and written as hex codes, so that they cannot inject other CSS. A translucent colour is shown as
 * it looks in front of white, because its text must be readable in light and dark pages.
 */
export function providerButtonCss(id: string, style: OAuthProviderButtonStyles): string {
  const background = opaqueColor(style.brandColor ?? style.bg)
  if (!background) return ''

  // `text` was chosen to be read on `bg`, so it does not apply to `brandColor`.
  const ownText = style.brandColor === undefined ? opaqueColor(style.text) : undefined
  const isReadable = ownText && contrastRatio(background, ownText) >= MIN_CONTRAST
  const color = isReadable ? toHex(ownText) : readableTextColor(background)
  // An id may contain characters that have a meaning in a selector.
  const className = `brand-${id}`.replaceAll(/[^\w-]/g, '\\$&')
  return `.${className}{background:${toHex(background)};color:${color}}`
}

function opaqueColor(text: string | undefined) {
  const color = text === undefined ? undefined : parseColor(text)
  return color && parseColor(toHex(color))
}
