import {
  BLACK,
  type Color,
  contrastRatio,
  mix,
  parseColor,
  readableTextColor,
  TEXT_CONTRAST,
  toHex,
  WHITE,
} from '../css-color.ts'
import { isHttpsImageAddress } from '../image-address.ts'
import { isObject } from '../json.ts'
import { designTokens, PAGE_RULES, type Palette } from './stylesheet.ts'

/** How the pages of a deployment look. Everything is optional. */
export interface Theme {
  /**
   * The address of the image at the top of every page: https, or a data URL. Its origin is the only
   * one that pages may load from. The alternative text is the host name of the service, unless
   * `alt` is set.
   */
  logo?: string | ThemeLogo
  /**
   * The colour of the most important button, and of outlines: any CSS colour. The button has black
   * or white text, whichever is readable. A shade with enough contrast is used for outlines.
   */
  brandColor?: string | ThemeColors
  /**
   * The colour of the page around the card: any CSS colour. If it is one colour and too bright for
   * dark mode, dark mode uses a dark shade of it.
   */
  background?: string | ThemeColors
  /** The radius of the corners of buttons, a CSS length such as `8px`. The card's is larger. */
  radius?: string
  /** The font families of all text, as in CSS. Pages load no fonts, so these must be installed. */
  font?: string
  /** Your own CSS. It comes after ours. */
  css?: string
}

/** A logo that is different in dark mode, or that has its own alternative text. */
export interface ThemeLogo {
  light: string
  dark?: string
  alt?: string
}

/** A colour for each of the two colour schemes. */
export interface ThemeColors {
  light: string
  dark: string
}

/** What pages need of a theme, prepared once for a deployment. */
export interface ResolvedTheme {
  logo: ThemeLogo | undefined
  /** Where pages may load images from. */
  imageOrigins: readonly string[]
  /** A list of font families. */
  font: string
  /** The theme as custom properties. */
  tokens: string
  /** Our rules, in the colours of the theme. */
  stylesheet: string
  /** The deployment's own rules, which come after all of ours. */
  css: string
}

const THEME_FIELDS = ['logo', 'brandColor', 'background', 'radius', 'font', 'css']

/** As sent, pages have at most 14 KB, and ours have up to 6 KB without a theme. A logo can hardly be compressed. */
const MAX_EMBEDDED_SIZE = 8192 // bytes

/** The contrast of text with a page that was darkened: about that of our own dark page. */
const DARK_PAGE_CONTRAST = 15

/** What a theme does not set. */
const DEFAULTS = {
  brandColor: { light: '#2b3fd6', dark: '#aabbff' },
  background: { light: '#f2f2f5', dark: '#111113' },
  radius: '.625rem',
  font: 'system-ui, sans-serif',
}

/** The colours that themes do not change. */
interface Scheme {
  surface: Color
  text: Color
  border: Color
  muted: Color
  danger: Color
  /** Seen through a page background that is not opaque. */
  canvas: Color
  /** What a colour is mixed with until it is readable on the surface. */
  contrastingColor: Color
}

const LIGHT: Scheme = {
  surface: WHITE,
  text: [17, 17, 17],
  border: [214, 214, 220],
  muted: [92, 92, 102],
  danger: [176, 18, 28],
  canvas: WHITE,
  contrastingColor: BLACK,
}

const DARK: Scheme = {
  surface: [30, 30, 34],
  text: [238, 238, 238],
  border: [66, 66, 74],
  muted: [170, 170, 180],
  danger: [255, 138, 132],
  canvas: BLACK,
  contrastingColor: WHITE,
}

/** What is wrong with a theme, in complete sentences. */
export function themeProblems(theme: unknown): string[] {
  if (!isObject(theme)) return ['theme must be an object.']
  const { logo, brandColor, background, radius, font, css } = theme
  const problems = unknownFields('theme', theme, THEME_FIELDS)
  if (logo !== undefined) problems.push(...logoProblems(logo))
  if (brandColor !== undefined) problems.push(...colorProblems('theme.brandColor', brandColor))
  if (background !== undefined) problems.push(...colorProblems('theme.background', background))
  if (radius !== undefined && !(typeof radius === 'string' && LENGTH.test(radius))) {
    problems.push('theme.radius must be a CSS length, such as 0, 8px or 0.5rem.')
  }
  if (font !== undefined && !(typeof font === 'string' && isFontList(font))) {
    problems.push(
      "theme.font must be a list of font families, such as 'Open Sans', sans-serif, without url().",
    )
  }
  if (css !== undefined) problems.push(...cssProblems(css))
  if (embeddedSize(theme) > MAX_EMBEDDED_SIZE) {
    problems.push(
      `theme.css and data URLs in theme.logo are part of every page: they may have ${MAX_EMBEDDED_SIZE} bytes together. Use an https address for the logo, or less CSS.`,
    )
  }
  return problems
}

/** Prepares a theme that has no problems. Its colours are corrected here, once. */
export function resolveTheme(theme: Theme): ResolvedTheme {
  const {
    brandColor = DEFAULTS.brandColor,
    background = DEFAULTS.background,
    radius = DEFAULTS.radius,
    font = DEFAULTS.font,
    css = '',
  } = theme
  const logo = typeof theme.logo === 'string' ? { light: theme.logo } : theme.logo
  const tokens = designTokens({
    light: createPalette(
      LIGHT,
      readColor(brandColor, 'light', LIGHT.surface),
      readColor(background, 'light', LIGHT.canvas),
    ),
    dark: createPalette(
      DARK,
      readColor(brandColor, 'dark', DARK.surface),
      typeof background === 'string'
        ? darkenPage(readColor(background, 'dark', DARK.canvas))
        : readColor(background, 'dark', DARK.canvas),
    ),
    // Without a unit, 0 would be a number, which the stylesheet cannot compare with lengths.
    radius: radius === '0' ? '0px' : radius,
    font,
  })
  return {
    logo,
    imageOrigins: logo ? findOrigins([logo.light, logo.dark ?? logo.light]) : [],
    font,
    tokens,
    stylesheet: tokens + PAGE_RULES,
    css,
  }
}

/** The rules that show a page in the colour of an app, in place of the deployment's. */
export function brandCss(brandColor: string): string {
  const light = createPalette(LIGHT, readColor(brandColor, 'light', LIGHT.surface), LIGHT.canvas)
  const dark = createPalette(DARK, readColor(brandColor, 'dark', DARK.surface), DARK.canvas)
  return `:root{${declareBrand(light)}}@media (prefers-color-scheme:dark){:root{${declareBrand(dark)}}}`
}

function declareBrand({ brand, onBrand, accent }: Palette): string {
  return `--brand:${brand};--on-brand:${onBrand};--accent:${accent}`
}

/** Which colours of a theme differ on pages, in complete sentences. For operators; pages do not need it. */
export function themeCorrections({ brandColor }: Theme): string[] {
  if (brandColor === undefined) return []
  return (['light', 'dark'] as const).flatMap((name) => {
    const scheme = name === 'light' ? LIGHT : DARK
    const brand = readColor(brandColor, name, scheme.surface)
    const { accent } = createPalette(scheme, brand, scheme.canvas)
    if (accent === toHex(brand)) return []
    return `theme.brandColor is ${toHex(brand)}; in ${name} mode, links and outlines are ${accent}.`
  })
}

/** Every combination of text and background in it has the contrast that WCAG 2.2 AA requires. */
function createPalette(scheme: Scheme, brand: Color, background: Color): Palette {
  const { surface, text, border, muted, danger, contrastingColor } = scheme
  const accent = mixUntilReadable(brand, contrastingColor, surface)
  return {
    background: toHex(background),
    onBackground: toHex(readableTextColor(background)),
    surface: toHex(surface),
    text: toHex(text),
    border: toHex(border),
    brand: toHex(brand),
    onBrand: toHex(readableTextColor(brand)),
    accent: toHex(accent),
    muted: toHex(muted),
    danger: toHex(danger),
  }
}

/** In dark mode, a page that is too bright for light text becomes a dark shade of its colour. */
function darkenPage(background: Color): Color {
  if (contrastRatio(background, DARK.text) >= TEXT_CONTRAST) return background
  return mixUntilReadable(background, BLACK, DARK.text, DARK_PAGE_CONTRAST)
}

/** The first of a hundred shades between two colours that has enough contrast to a third one. */
function mixUntilReadable(color: Color, end: Color, against: Color, ratio = TEXT_CONTRAST): Color {
  for (let percent = 0; percent < 100; percent++) {
    const shade = mix(end, color, percent / 100)
    if (contrastRatio(shade, against) >= ratio) return shade
  }
  return end
}

/** A colour that is not opaque is seen on top of the one that it covers. */
function readColor(option: string | ThemeColors, scheme: keyof ThemeColors, covered: Color): Color {
  const parsed = parseColor(typeof option === 'string' ? option : option[scheme])
  return parsed ? mix(parsed.color, covered, parsed.alpha) : covered
}

function logoProblems(logo: unknown): string[] {
  if (typeof logo === 'string') return imageProblems('theme.logo', logo)
  if (!isObject(logo)) {
    return ['theme.logo must be an address, or an object with the addresses light and dark.']
  }
  const { light, dark, alt } = logo
  const problems = [
    ...unknownFields('theme.logo', logo, ['light', 'dark', 'alt']),
    ...imageProblems('theme.logo.light', light),
  ]
  if (dark !== undefined) problems.push(...imageProblems('theme.logo.dark', dark))
  if (alt !== undefined && typeof alt !== 'string') problems.push('theme.logo.alt must be a text.')
  return problems
}

/** Without spaces, because the address is also used in a `srcset`. */
const DATA_URL = /^data:image\/(avif|gif|jpeg|png|svg\+xml|webp)(;[\w=-]+)*,[!-~]+$/

function imageProblems(name: string, address: unknown): string[] {
  const isValid =
    typeof address === 'string' && (DATA_URL.test(address) || isHttpsImageAddress(address))
  return isValid
    ? []
    : [`${name} must be the https address of an image, or a data URL of one, without spaces.`]
}

/** Data URLs have no origin; all pages allow them. */
function findOrigins(addresses: readonly string[]): string[] {
  const origins = addresses
    .filter((address) => !address.startsWith('data:'))
    .map((address) => new URL(address).origin)
  return [...new Set(origins)]
}

function colorProblems(name: string, option: unknown): string[] {
  if (!isObject(option)) return isColor(option) ? [] : [`${name} ${NOT_A_COLOR}`]
  return [
    ...unknownFields(name, option, ['light', 'dark']),
    ...['light', 'dark']
      .filter((scheme) => !isColor(option[scheme]))
      .map((scheme) => `${name}.${scheme} ${NOT_A_COLOR}`),
  ]
}

const NOT_A_COLOR = 'must be a CSS colour: a hex code, rgb(), hsl() or a name.'

function isColor(value: unknown): boolean {
  return typeof value === 'string' && parseColor(value) !== undefined
}

/** {@link https://www.w3.org/TR/css-values-4/#lengths} */
const LENGTH = /^(0|(\d+|\d*\.\d+)(px|rem|em|ex|ch|vw|vh|vmin|vmax|cm|mm|in|pt|pc))$/

/** Identifiers, or one quoted name: nothing in it can end the declaration. */
const FONT_FAMILY = /^([a-z_-][\w-]*( [\w-]+)*|"[\w .&-]+"|'[\w .&-]+')$/i

function isFontList(font: string): boolean {
  return font.split(',').every((family) => FONT_FAMILY.test(family.trim()))
}

function cssProblems(css: unknown): string[] {
  if (typeof css !== 'string') return ['theme.css must be a text.']
  return [
    ...(/<\/style/i.test(css) ? ['theme.css must not contain </style.'] : []),
    ...(/@import/i.test(css)
      ? ['theme.css must not contain @import: pages load nothing from other addresses.']
      : []),
  ]
}

/** The bytes that a theme adds to every page. */
function embeddedSize({ logo, css }: Record<string, unknown>): number {
  const images = isObject(logo) ? [logo['light'], logo['dark']] : [logo]
  const texts = [css, ...images.filter((image) => String(image).startsWith('data:'))]
  return texts
    .filter((text) => typeof text === 'string')
    .reduce((size, text) => size + new TextEncoder().encode(text).length, 0)
}

function unknownFields(name: string, object: object, known: readonly string[]): string[] {
  return Object.keys(object)
    .filter((field) => !known.includes(field))
    .map((field) => `${name}.${field} is not an option: ${name} has ${known.join(', ')}.`)
}
