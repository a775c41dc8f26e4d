import type { OAuthProviderButtonStyles } from '../providers/oauth-types.ts'
import {
  contrastRatio,
  parseColor,
  readableTextColor,
  TEXT_CONTRAST,
  toHex,
} from '../values/css-color.ts'

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
  /** Less important text, on the card. */
  muted: string
  /** What deletes something, on the card. */
  danger: string
}

interface StylesheetOptions {
  light: Palette
  dark: Palette
  /** The radius of the corners of buttons. */
  radius: string
  /** A list of font families. */
  font: string
}

/** The colours, corners and font of pages as custom properties. The demo apps use them as well. */
export function designTokens({ light, dark, radius, font }: StylesheetOptions): string {
  return `
:root {
  color-scheme: light dark;
  --radius: ${radius};
  --font: ${font};
  ${declareColors(light)}
}
@media (prefers-color-scheme: dark) {
  :root {
    ${declareColors(dark)}
  }
}`
}

/**
 * The rules of all pages, for these tokens. Each page contains them, so that it needs no further
 * request.
 *
 * - `footer form`: The list of languages ends above the last line of the footer, which has its link.
 * - `.scan`: Hide the QR option on phones.
 * - `.optional`: The boxes of browsers have too little contrast in dark pages.
 * - `[hidden]`: Rules such as `form { display: grid }` override what browsers do with `hidden`.
 * - `[role=status]`: A status without text takes no room.
 */
export const PAGE_RULES = `
* { box-sizing: border-box; margin: 0; }
body {
  display: grid;
  grid-template-rows: 1fr auto;
  justify-items: center;
  align-items: center;
  min-height: 100vh;
  min-height: 100dvh;
  background: linear-gradient(color-mix(in srgb, var(--brand) 12%, var(--background)), var(--background) var(--fade, 28rem));
  color: var(--on-background);
  font: 1rem/1.5 var(--font);
  overflow-wrap: anywhere;
}
main, form { display: grid; gap: 1rem; }
main {
  width: 100%;
  max-width: 25rem;
  padding: 2rem;
  background: var(--surface);
  border: 1px solid var(--border);
  border-radius: min(var(--radius) * 1.6, 2rem);
  box-shadow: 0 1px 2px #0000000d, 0 1rem 2.5rem #00000014;
  color: var(--text);
}
main.wide { max-width: 44rem; }
h1, h2 { font-size: 1.375rem; line-height: 1.4; text-wrap: balance; }
h2 { font-size: 1.0625rem; }
p, li { text-wrap: pretty; }
ul { padding-inline-start: 1.25rem; list-style: disc; }
li + li { margin-top: .25rem; }
.note, footer { color: var(--muted); font-size: .875rem; }
a, button {
  display: flex;
  align-items: center;
  justify-content: center;
  gap: .75rem;
  min-height: 2.75rem;
  padding: .5rem 1rem;
  background: var(--surface);
  border: 1px solid var(--border);
  border-radius: var(--radius);
  color: inherit;
  font: inherit;
  font-weight: 500;
  text-align: center;
  text-decoration: none;
  text-wrap: balance;
  cursor: pointer;
}
p a, .links a, .links button, footer a, footer button, summary {
  display: inline;
  min-height: 0;
  padding: 0;
  background: none;
  border: 0;
  border-radius: .125rem;
  font-weight: inherit;
  text-decoration: underline;
  text-underline-offset: .2em;
  cursor: pointer;
}
p a, .links a, .links button { color: var(--accent); }
.links { display: flex; flex-wrap: wrap; justify-content: center; gap: .5rem 1.25rem; font-size: .9375rem; text-align: center; }
.primary { background: var(--brand); border-color: var(--accent); color: var(--on-brand); }
.danger { border-color: var(--danger); color: var(--danger); }
.primary.danger { background: var(--danger); color: var(--surface); }
.small { min-height: 2.5rem; padding: .25rem .75rem; font-size: .875rem; }
.quiet { padding-inline: .5rem; background: none; border-color: transparent; color: var(--accent); }
a:hover, button:hover { border-color: currentcolor; }
details.note summary { display: list-item; text-decoration: none; }
p a:hover, .links :hover, footer a:hover, summary:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
img { flex: none; width: 1.25rem; height: 1.25rem; }
.logo { display: block; width: auto; max-width: 100%; height: 2.5rem; object-fit: contain; }
.app, .picture { width: 3rem; height: 3rem; border-radius: 22%; object-fit: contain; }
.picture { width: 2.75rem; height: 2.75rem; border-radius: 50%; object-fit: cover; }
.profile .picture { width: 4.5rem; height: 4.5rem; font-size: 2rem; }
.profile strong { font-size: 1.25rem; }
.initial {
  display: grid;
  flex: none;
  place-items: center;
  background: var(--brand);
  color: var(--on-brand);
  font-size: 1.25rem;
  font-weight: 600;
}
.row { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; }
.row > .grow { flex: 1 1 14rem; }
.picture + .grow { flex-basis: 8rem; }
.profile > .grow { flex-basis: 14rem; }
footer {
  position: relative;
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: center;
  gap: 0 1.25rem;
  width: 100%;
  max-width: 44rem;
  padding: 1.25rem;
  color: inherit;
  line-height: 2;
}
footer .logo { height: 1.5rem; }
footer summary { display: block; white-space: nowrap; }
summary svg { width: 1em; margin-inline-end: .375em; vertical-align: -.125em; fill: none; stroke: currentcolor; }
footer form {
  position: absolute;
  inset-block-end: 3.25rem;
  inset-inline: 1.25rem;
  grid-template-columns: repeat(auto-fill, minmax(min(7rem, 100%), 1fr));
  gap: 0 1rem;
  max-width: 27rem;
  max-height: calc(100dvh - 4rem);
  margin-inline: auto;
  padding: .5rem .75rem;
  overflow: auto;
  background: var(--surface);
  border: 1px solid var(--border);
  border-radius: min(var(--radius), 1rem);
  box-shadow: 0 .25rem 1rem #0003;
  color: var(--text);
}
footer button { text-align: start; }
footer [aria-current] { font-weight: 600; text-decoration: none; }

/* Ways to sign in */
.or { display: flex; align-items: center; gap: .75rem; color: var(--muted); font-size: .875rem; }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--border); }
.badge {
  padding: .0625rem .5rem;
  border: 1px solid;
  border-radius: 1rem;
  font-size: .75rem;
  font-weight: 400;
}
.icon {
  flex: none;
  width: 1.25rem;
  height: 1.25rem;
  fill: none;
  stroke: currentcolor;
  stroke-width: 2;
  stroke-linecap: round;
  stroke-linejoin: round;
}
@media (pointer: coarse) and (max-width: 30rem), (pointer: coarse) and (max-height: 30rem) { .scan { display: none; } }
:is(a, button):has(> .mark) { justify-content: start; text-align: start; }
:has(> .badge) { flex-wrap: wrap; }
a > .badge, .mark ~ .badge { margin-inline-start: auto; }
:is(a:has(> .mark), form:has(.mark)) + a { margin-top: -.25rem; }
.qr { width: 100%; height: auto; image-rendering: pixelated; }
.mark {
  display: grid;
  flex: none;
  place-items: center;
  width: 2.25rem;
  height: 2.25rem;
  border: 1px solid var(--border);
  border-radius: 22%;
}
:is(a, button) > .mark { width: 1.75rem; height: 1.75rem; }
.row > .mark + .grow { flex-basis: 11rem; }

/* Fields and messages */
.field { display: grid; gap: .375rem; }
.field label { font-size: .875rem; font-weight: 600; }
.field input {
  width: 100%;
  min-height: 2.75rem;
  padding: .5rem .75rem;
  background: var(--surface);
  border: 1px solid var(--muted);
  border-radius: var(--radius);
  color: inherit;
  font: inherit;
}
.field input:focus-visible { outline-offset: 0; }
.field input::placeholder { color: var(--muted); opacity: 1; }
.field input[aria-invalid] { border-color: var(--danger); }
.field .code, .user-code { font-family: monospace; font-size: 1.5rem; letter-spacing: .25em; }
.error { color: var(--danger); }
.notice {
  display: grid;
  gap: .75rem;
  padding: .75rem 1rem;
  background: color-mix(in srgb, var(--accent) 10%, var(--surface));
  border: 1px solid transparent;
  border-radius: min(var(--radius), 1rem);
}
.report {
  display: grid;
  grid-template-columns: auto 1fr;
  align-items: baseline;
  gap: .125rem .75rem;
  padding-top: .5rem;
}
.report dd { justify-self: start; direction: ltr; font-family: monospace; font-size: .8125rem; user-select: all; }
@media (max-width: 17rem) { .report { grid-template-columns: 1fr; } }

/* Lists, in sections */
section, .list, .facts { display: grid; }
section { gap: .75rem; padding-top: 1.5rem; border-top: 1px solid var(--border); }
.list { padding: 0; list-style: none; }
.list > li { margin: 0; padding-block: .75rem; border-bottom: 1px solid var(--border); }
.list > li:last-child { border-bottom: 0; padding-bottom: 0; }
.list + .row { padding-top: .75rem; border-top: 1px solid var(--border); }
.list + .row > :first-child, .actions { margin-inline-start: -.5rem; }
.list .mark { align-self: start; margin-block-start: .25rem; }
.mark ~ .actions { margin-inline-start: 2.5rem; }
.actions:empty { display: none; }
.list .grow:first-child { flex-basis: 16rem; }
.grow > p.note { margin-top: .5rem; }
.facts > ::first-letter { text-transform: uppercase; }
.facts > strong { color: var(--text); }

/* Consent */
.below-user, h2 + .permissions { margin-top: -.5rem; }
.permissions { padding: 0; list-style: none; }
.permissions > li { position: relative; padding-block: .25rem; padding-inline-start: 1.75rem; }
ul.permissions > li + li { margin-top: 0; }
.permissions > .group { padding-inline-start: 0; }
.group > .permissions { padding-inline-start: 1.75rem; }
.permissions > li::before, .optional input { position: absolute; inset-inline-start: 0; width: 1.125rem; }
.permissions > li:not(.optional, .group)::before { content: "✓" / ""; color: var(--accent); font-weight: 700; text-align: center; }
.optional label { cursor: pointer; }
.optional input {
  display: grid;
  place-items: center;
  height: 1.125rem;
  margin-block: .1875rem;
  appearance: none;
  border: 1px solid var(--muted);
  border-radius: .25rem;
}
.optional :checked { background: var(--brand); border-color: var(--accent); color: var(--on-brand); }
.optional :checked::before { content: "✓" / ""; font: 700 .875rem/1 var(--font); }

/* Pages with a script */
[hidden] { display: none !important; }
button:disabled { background: var(--surface); border-color: var(--border); color: var(--muted); cursor: default; }
[role=status]:has([hidden]) { position: absolute; }
[data-unsupported] { display: grid; gap: 1rem; }

/* Waiting for the next page, which may take long */
.leaving, .leaving ~ footer { animation: appear .2s 2s both; }
@keyframes appear { from { opacity: 0; } }
[aria-busy=true] { cursor: progress; pointer-events: none; }
[aria-busy=true]::after {
  content: "";
  flex: none;
  width: 1em;
  height: 1em;
  border: 2px solid;
  border-block-start-color: transparent;
  border-radius: 50%;
}
p [aria-busy=true]::after, footer [aria-busy=true]::after { content: none; }

@media (min-width: 30rem) { body { padding: 1.25rem 1.25rem 0; } }
@media (max-width: 29.99rem) {
  body { --background: var(--surface); --fade: 12rem; align-items: start; color: var(--text); }
  main { padding: 1.5rem 1.25rem 1rem; background: none; border: 0; border-radius: 0; box-shadow: none; }
}
@media (prefers-reduced-motion: no-preference) {
  @view-transition { navigation: auto; }
  @keyframes turn { to { rotate: 1turn; } }
  a, button { transition: border-color .15s, background-color .15s; }
  [aria-busy=true]::after { animation: turn .8s linear infinite; }
}
`

function declareColors(palette: Palette): string {
  const { background, onBackground, surface, text, border } = palette
  const { brand, onBrand, accent, muted, danger } = palette
  return [
    `--background: ${background};`,
    `--on-background: ${onBackground};`,
    `--surface: ${surface};`,
    `--text: ${text};`,
    `--border: ${border};`,
    `--brand: ${brand};`,
    `--on-brand: ${onBrand};`,
    `--accent: ${accent};`,
    `--muted: ${muted};`,
    `--danger: ${danger};`,
  ].join(' ')
}

interface StyledProvider {
  id: string
  style?: OAuthProviderButtonStyles | undefined
}

/**
 * The rules for the buttons and marks of these providers in their brand colours, with readable
 * text. Colours are parsed and written as hex codes, so that they cannot inject other CSS.
 */
export function providerRules(providers: readonly StyledProvider[]): string {
  return providers.map(({ id, style = {} }) => providerRule(id, style)).join('')
}

function providerRule(id: string, style: OAuthProviderButtonStyles): string {
  const background = parseColor(style.brandColor ?? style.bg ?? '')
  if (!background) return ''

  // If there is a `bg`, `text` was chosen to be read on it, and does not apply to `brandColor`.
  const isForOther = style.brandColor !== undefined && style.bg !== undefined
  const ownText = isForOther ? undefined : parseColor(style.text ?? '')
  const isReadable = ownText && contrastRatio(background, ownText) >= TEXT_CONTRAST
  const color = isReadable ? ownText : readableTextColor(background)
  return `${classSelector(`brand-${id}`)}{background:${toHex(background)};color:${toHex(color)}}`
}

/** An id may contain characters that have a meaning in a selector. */
function classSelector(className: string): string {
  return `.${className.replaceAll(/[^\w-]/g, '\\$&')}`
}

/**
 * Fonts of the usual operating systems, in the order Apple, Windows, Linux and Android. Without
 * them, some systems use the first installed font that has the characters, such as Chinese shapes
 * for Japanese text.
 */
const FONTS: Record<string, string> = {
  ar: "'Geeza Pro', 'Segoe UI', 'Noto Sans Arabic'",
  hi: "'Kohinoor Devanagari', 'Nirmala UI', 'Noto Sans Devanagari'",
  ja: "'Hiragino Sans', 'Yu Gothic UI', Meiryo, 'Noto Sans CJK JP', 'Noto Sans JP'",
  ko: "'Apple SD Gothic Neo', 'Malgun Gothic', 'Noto Sans CJK KR', 'Noto Sans KR'",
  'zh-Hans': "'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC'",
}

/**
 * Where lines may end. In Korean between words. In Japanese between phrases in headings and
 * buttons, which are short, and otherwise anywhere but before small kana and punctuation; what
 * follows a name stays on one line if it fits.
 */
const LINE_BREAKS: Record<string, string> = {
  ja: 'body{line-break:strict}h1,h2,a,button{word-break:auto-phrase}.after-name{display:inline-block}',
  ko: 'body{word-break:keep-all}',
}

/** The generic families of CSS, which have a font for every character and so end a list. */
const GENERIC_FAMILY = /,\s*((?:ui-)?(?:sans-)?serif|ui-rounded|(?:ui-)?monospace|system-ui)\s*$/

/** The rules that the language of a page needs. The fonts of a theme keep their precedence. */
export function languageCss(language: string, themeFont: string): string {
  const fonts = FONTS[language]
  const fontRule = fonts ? `body{font-family:${insertFonts(themeFont, fonts)}}` : ''
  return fontRule + (LINE_BREAKS[language] ?? '')
}

function insertFonts(themeFont: string, fonts: string): string {
  const generic = themeFont.match(GENERIC_FAMILY)?.[1]
  if (!generic) return `${themeFont}, ${fonts}`
  return `${themeFont.replace(GENERIC_FAMILY, '')}, ${fonts}, ${generic}`
}
