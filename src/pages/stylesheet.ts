import type { OAuthProviderButtonStyles } from '../providers/oauth-types.ts'

/** The colours of pages in one colour scheme, as CSS. */
export interface Palette {
  /** The page around the card, and text on it. */
  background: string
  onBackground: string
  /** The card, and text on it. */
  surface: string
  text: string
  border: string
  /** The most important button, and its text. */
  brand: string
  onBrand: string
  /** Outlines, on the card. */
  accent: string
}

interface StylesheetOptions {
  light: Palette
  dark: Palette
  /** The radius of the corners of buttons. */
  radius: string
  /** A list of font families. */
  font: string
}

/** The stylesheet of all pages. It is small enough to be inlined in each of them. */
export function createStylesheet({ light, dark, radius, font }: StylesheetOptions): string {
  return `
:root {
  color-scheme: light dark;
  --radius: ${radius};
  ${declareColors(light)}
}
@media (prefers-color-scheme: dark) {
  :root {
    ${declareColors(dark)}
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
  color: var(--on-background);
  font: 1rem/1.5 ${font};
  overflow-wrap: anywhere;
}
main {
  width: 100%;
  max-width: 25rem;
  padding: 2rem 1.5rem;
  background: var(--surface);
  border: 1px solid var(--border);
  border-radius: min(var(--radius) * 1.6, 2rem);
  color: var(--text);
}
h1, h2 { font-size: 1.5rem; line-height: 1.25; text-wrap: balance; }
h2 { margin-top: 1rem; font-size: 1.125rem; }
ul { padding-inline-start: 1.25rem; }
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
  border-radius: var(--radius);
  color: inherit;
  font: inherit;
  font-weight: 600;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
.primary { background: var(--brand); border-color: var(--accent); color: var(--on-brand); }
a:hover, button:hover { border-color: currentcolor; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
img { width: 1.25rem; height: 1.25rem; }
.logo { display: block; justify-self: start; width: auto; max-width: 100%; height: 2.5rem; object-fit: contain; }
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
}

function declareColors(palette: Palette): string {
  const { background, onBackground, surface, text, border, brand, onBrand, accent } = palette
  return [
    `--background: ${background};`,
    `--on-background: ${onBackground};`,
    `--surface: ${surface};`,
    `--text: ${text};`,
    `--border: ${border};`,
    `--brand: ${brand};`,
    `--on-brand: ${onBrand};`,
    `--accent: ${accent};`,
  ].join(' ')
}

const HEX_COLOR = /^#[0-9a-f]{6}$/i

/**
 * The CSS rule for a provider's button in its brand colour, with readable text. Returns no rule
 * unless the colours are hex codes, because they are inserted into the stylesheet as they are.
 */
export function providerButtonCss(id: string, style: OAuthProviderButtonStyles): string {
  const { brandColor, bg, text } = style
  const background = [brandColor, bg].find((color) => HEX_COLOR.test(color ?? ''))
  if (!background) return ''

  // `text` was chosen to be read on `bg`, so it does not apply to `brandColor`.
  const usesOwnText = !brandColor && text !== undefined && HEX_COLOR.test(text)
  const color = usesOwnText ? text : readableTextColor(background)
  return `.brand-${id}{background:${background};color:${color}}`
}

/** Below this relative luminance, white text has more contrast than black text (WCAG 2.2). */
const MAX_LUMINANCE_FOR_WHITE_TEXT = 0.179

function readableTextColor(background: string): '#fff' | '#000' {
  return relativeLuminance(background) < MAX_LUMINANCE_FOR_WHITE_TEXT ? '#fff' : '#000'
}

/**
 * {@link https://www.w3.org/TR/WCAG22/#dfn-relative-luminance}, with the sRGB curve approximated by
 * an exponent of 2.2.
 */
function relativeLuminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (start) => (Number.parseInt(color.slice(start, start + 2), 16) / 255) ** 2.2,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
