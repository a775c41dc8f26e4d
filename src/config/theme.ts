import { parseColor } from '../values/css-color.ts'
import { isHttpsImageUrl } from '../values/image-url.ts'
import { isObject } from '../values/json.ts'

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

const THEME_FIELDS = ['logo', 'brandColor', 'background', 'radius', 'font', 'css']

/** As sent, pages have at most 14 KB, and ours have up to 6 KB without a theme. A logo can hardly be compressed. */
const MAX_EMBEDDED_SIZE = 8192 // bytes

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
    typeof address === 'string' && (DATA_URL.test(address) || isHttpsImageUrl(address))
  return isValid
    ? []
    : [`${name} must be the https address of an image, or a data URL of one, without spaces.`]
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
