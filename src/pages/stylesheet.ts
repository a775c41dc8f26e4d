import {
  type Color,
  contrastRatio,
  mix,
  parseColor,
  readableTextColor,
  TEXT_CONTRAST,
  toHex,
  WHITE,
} from '../css-color.ts'
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
  const isReadable = ownText && contrastRatio(background, ownText) >= TEXT_CONTRAST
  const color = isReadable ? ownText : readableTextColor(background)
  // An id may contain characters that have a meaning in a selector.
  const className = `brand-${id}`.replaceAll(/[^\w-]/g, '\\$&')
  return `.${className}{background:${toHex(background)};color:${toHex(color)}}`
}

function opaqueColor(text: string | undefined): Color | undefined {
  const parsed = text === undefined ? undefined : parseColor(text)
  return parsed && mix(parsed.color, WHITE, parsed.alpha)
}
