import {
  contrastRatio,
  hoverColor,
  parseColor,
  readableTextColor,
  TEXT_CONTRAST,
  toHex,
} from '../../foundation/values/css-color.ts'
import type { OAuthProviderButtonStyles } from '../../provider-interface/oauth-types.ts'

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
  brandHover: string
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

/** Removes comments and the white space between rules, which every page would contain. */
export function withoutLayout(css: string): string {
  return css.replaceAll(/\/\*.*?\*\/|\n\s*/g, '').replaceAll(/ ?([{};,]|:(?= )) ?/g, '$1')
}

/**
 * The rules of all pages, for these tokens. Each page contains them, so that it needs no further
 * request.
 *
 * - `footer form`: The list of languages ends above the last line of the footer, which has its link.
 * - `.scan`: Hide the QR option on phones, which cannot scan their own screen; tablets show it. The
 *   size of the screen counts, because pages for desktops are wide on phones, too, and some phones
 *   report a fine pointer. Zoom makes the screen of a desktop less high in Firefox, hence `pointer`.
 * - `.optional`: The boxes of browsers have too little contrast in dark pages.
 * - `--hover`: The background of a link or button under the pointer.
 * - `padding` of buttons: leaves room for the circle that turns while they are busy.
 * - `padding` of links in sentences: makes the area larger in which they can be pressed.
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
.note, .or, footer { color: var(--muted); font-size: .875rem; }
a, button {
  --hover: color-mix(in srgb, var(--text) 5%, var(--surface));
  position: relative;
  display: flex;
  align-items: center;
  justify-content: center;
  gap: .75rem;
  min-height: 2.75rem;
  padding: .5rem min(2rem, 8%);
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
  --hover: none;
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
p a, footer a { padding-block: .0625rem; }
.links { display: flex; flex-wrap: wrap; justify-content: center; gap: 0 1.25rem; margin-block: -.5rem; font-size: .9375rem; text-align: center; }
.links a, .links button { display: flex; min-height: 2.75rem; }
.primary { --hover: var(--brand-hover); background: var(--brand); border-color: var(--accent); color: var(--on-brand); }
.danger { --hover: color-mix(in srgb, var(--danger) 8%, var(--surface)); border-color: var(--danger); color: var(--danger); }
.primary.danger { --hover: color-mix(in srgb, var(--danger), var(--text) 14%); background: var(--danger); color: var(--surface); }
.small { min-height: 2.5rem; padding: .25rem .75rem; font-size: .875rem; }
.quiet { --hover: none; padding-inline: .5rem; background: none; border-color: transparent; color: var(--accent); }
a:hover, button:hover { background: var(--hover); }
a:active, button:active, summary:active { filter: brightness(.88); }
.quiet:hover { text-decoration: underline; text-underline-offset: .2em; }
details.note summary { display: list-item; padding-block: .625rem; text-decoration: none; }
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
.unregistered { background: none; border: 2px dashed var(--muted); color: var(--muted); }
.outcome {
  display: grid;
  place-items: center;
  width: 3rem;
  height: 3rem;
  border: 2px solid;
  border-radius: 50%;
  color: light-dark(#1a7f37, #6fdd8b);
}
.outcome.failed, .error { color: var(--danger); }
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
.or { display: flex; align-items: center; gap: .75rem; }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--border); }
.badge {
  position: absolute;
  inset-block-start: 0;
  inset-inline-end: .75rem;
  translate: 0 -50%;
  padding: 0 .5rem;
  background: var(--surface);
  border: 1px solid var(--border);
  border-radius: 1rem;
  color: var(--muted);
  font-size: .75rem;
  font-weight: 400;
  white-space: nowrap;
}
.more, .choices { display: grid; gap: .75rem; }
.more > summary { display: flex; align-items: center; justify-content: center; min-height: 2.75rem; color: var(--accent); }
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
@media (max-device-width: 480px), (pointer: coarse) and (max-device-height: 480px) { .links .scan { display: none; } }
:is(a, button):has(> .mark) { justify-content: start; padding-inline-start: 1rem; text-align: start; }
:is(a:has(> .mark), form:has(.mark)) + :is(a, form:has(.mark)) { margin-top: -.25rem; }
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
.row > .mark + .grow { flex-basis: 13rem; }

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
.field [autocapitalize=characters] { text-transform: uppercase; }
.field .code, .user-code { font-family: monospace; font-size: 1.5rem; letter-spacing: .25em; }
.notice {
  display: grid;
  gap: .75rem;
  padding: .75rem 1rem;
  background: color-mix(in srgb, var(--accent) 10%, var(--surface));
  border: 1px solid transparent;
  border-radius: min(var(--radius), 1rem);
}
.warning {
  background: color-mix(in srgb, light-dark(#d98e00, #ffbe46) 15%, var(--surface));
  border-color: light-dark(#d98e00, #ffbe46);
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
  position: absolute;
  inset-block: 0;
  inset-inline-end: .5rem;
  width: 1rem;
  height: 1rem;
  margin-block: auto;
  border: 2px solid;
  border-block-start-color: transparent;
  border-radius: 50%;
}
.links [aria-busy=true]::after { inset-inline-end: -1.25rem; }
.small[aria-busy=true] { color: transparent; }
.small[aria-busy=true]::after { inset-inline: 0; margin: auto; color: var(--accent); }
p [aria-busy=true]::after, footer [aria-busy=true]::after { content: none; }

@media (min-width: 30rem) { body { padding: 1.25rem 1.25rem 0; } }
@media (max-width: 29.99rem) {
  body { --background: var(--surface); --fade: 12rem; align-items: start; color: var(--text); }
  main { padding: 1.5rem 1.25rem 1rem; background: none; border: 0; border-radius: 0; box-shadow: none; }
}
@media (prefers-reduced-motion: no-preference) {
  @view-transition { navigation: auto; }
  @keyframes turn { to { rotate: 1turn; } }
  a, button { transition: background-color .15s, scale .1s; }
  :is(a, button):active:not(svg *) { scale: .98; }
  [aria-busy=true]::after { animation: turn .8s linear infinite; }
}
@media (forced-colors: active) {
  a:hover, button:hover { border-color: Highlight; }
  [aria-busy=true]::after { border-color: ButtonText; border-block-start-color: ButtonFace; }
}
`

function declareColors(palette: Palette): string {
  const { background, onBackground, surface, text, border } = palette
  const { brand, brandHover, onBrand, accent, muted, danger } = palette
  return [
    `--background: ${background};`,
    `--on-background: ${onBackground};`,
    `--surface: ${surface};`,
    `--text: ${text};`,
    `--border: ${border};`,
    `--brand: ${brand};`,
    `--brand-hover: ${brandHover};`,
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
  const colors = providerColors(style)
  if (!colors) return ''
  const { background, text } = colors
  const selector = classSelector(`brand-${id}`)
  const rule = `${selector}{background:${toHex(background)};color:${toHex(text)}}`
  const isBare = BARE_LOGOS.includes(id) && WHITE_LOGO.test(style.logo ?? '')
  return isBare ? rule + bareLogoRules(selector) : rule
}

/**
 * Providers whose rules ask for the logo alone, in black on white or in white on black, instead of a
 * tile in the colour of the brand:
 * {@link https://developer.apple.com/design/human-interface-guidelines/sign-in-with-apple}
 */
const BARE_LOGOS = ['apple']

/** A logo of the catalogue, and not an image that the deployment has chosen. */
const WHITE_LOGO = /^data:image\/svg\+xml,.*path fill='white'/

/** The logo is white, so it is inverted where it has to be black. */
function bareLogoRules(selector: string): string {
  const mark = `.mark${selector}`
  return `${mark}{background:none;border:0;color:inherit}${mark} img{filter:invert(1)}@media (prefers-color-scheme: dark){a${selector}${selector}{--hover:#e6e6e6;background:#fff;color:#000}a${selector}>img{filter:invert(1)}${mark} img{filter:none}}`
}

/** The rules for the buttons of these providers under the pointer, if buttons have their colour. */
export function filledButtonRules(providers: readonly StyledProvider[]): string {
  const rules = providers.map(({ id, style = {} }) => {
    const colors = providerColors(style)
    if (!colors) return ''
    const hover = toHex(hoverColor(colors.background, colors.text))
    return `a${classSelector(`brand-${id}`)}{--hover:${hover}}`
  })
  return rules.join('')
}

function providerColors(style: OAuthProviderButtonStyles) {
  const background = parseColor(style.brandColor ?? style.bg ?? '')
  if (!background) return undefined

  // If there is a `bg`, `text` was chosen to be read on it, and does not apply to `brandColor`.
  const isForOther = style.brandColor !== undefined && style.bg !== undefined
  const ownText = isForOther ? undefined : parseColor(style.text ?? '')
  const isReadable = ownText && contrastRatio(background, ownText) >= TEXT_CONTRAST
  return { background, text: isReadable ? ownText : readableTextColor(background) }
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
