import * as z from 'zod/mini'
import { isHttpsImageUrl } from '../../foundation/values/image-url.ts'
import { hexColor, type Shape, text } from '../../foundation/values/schemas.ts'

/** How the pages of a deployment look. Everything is optional. */
export interface Theme {
  /**
   * The URL of the image at the top of every page: https, or a data URL. Its origin is the only
   * one that pages may load from. The alternative text is the host name of the service, unless
   * `alt` is set.
   */
  logo?: string | ThemeLogo
  /**
   * The colour of the most important button, and of outlines: a hex colour. The button has black
   * or white text, whichever is readable. A shade with enough contrast is used for outlines.
   */
  brandColor?: string | ThemeColors
  /**
   * The colour of the page around the card: a hex colour. If it is one colour and too bright for
   * dark mode, dark mode uses a dark shade of it.
   */
  background?: string | ThemeColors
  /** The radius of the corners of buttons, a CSS length such as `8px`. The card's is larger. */
  radius?: string
  /**
   * Whether the buttons of providers have their colours. By default only the button of the only
   * provider has; several are outlined, with coloured logos.
   */
  providerButtons?: 'outlined' | 'filled'
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

/** Without spaces, because the URL is also used in a `srcset`. */
const DATA_URL = /^data:image\/(avif|gif|jpeg|png|svg\+xml|webp)(;[\w=-]+)*,[!-~]+$/

/** {@link https://www.w3.org/TR/css-values-4/#lengths} */
const LENGTH = /^(0|(\d+|\d*\.\d+)(px|rem|em|ex|ch|vw|vh|vmin|vmax|cm|mm|in|pt|pc))$/

/** Identifiers, or one quoted name: nothing in it can end the declaration. */
const FONT_FAMILY = /^([a-z_-][\w-]*( [\w-]+)*|"[\w .&-]+"|'[\w .&-]+')$/i

/**
 * As sent, pages have at most 14 KB, and ours have up to 6 KB without a theme. A logo can hardly be
 * compressed.
 */
const MAX_EMBEDDED_SIZE = 8192 // bytes

export function themeSchema() {
  const image = text([
    (url) => DATA_URL.test(url) || isHttpsImageUrl(url),
    'must be the https URL of an image, or a data URL of one, without spaces.',
  ])
  const logo = z.union(
    [
      image,
      z.strictObject({
        light: image,
        dark: z.optional(image),
        alt: z.optional(z.string()),
      } satisfies Shape<ThemeLogo>),
    ],
    'must be a URL, or an object with the URLs light and dark.',
  )
  const colors = z.union(
    [hexColor, z.strictObject({ light: hexColor, dark: hexColor } satisfies Shape<ThemeColors>)],
    'must be a hex colour, or an object with the colours light and dark.',
  )
  return z
    .strictObject({
      logo: z.optional(logo),
      brandColor: z.optional(colors),
      background: z.optional(colors),
      radius: z.optional(
        text([(radius) => LENGTH.test(radius), 'must be a CSS length, such as 0, 8px or 0.5rem.']),
      ),
      providerButtons: z.optional(z.enum(['outlined', 'filled'])),
      font: z.optional(
        text([
          (font) => font.split(',').every((family) => FONT_FAMILY.test(family.trim())),
          "must be a list of font families, such as 'Open Sans', sans-serif, without url().",
        ]),
      ),
      css: z.optional(
        text(
          [(css) => !/<\/style/i.test(css), 'must not contain </style.'],
          [
            (css) => !/@import/i.test(css),
            'must not contain @import: pages load nothing from other addresses.',
          ],
        ),
      ),
    } satisfies Shape<Theme>)
    .check(
      z.refine(
        (theme) => embeddedSize(theme) <= MAX_EMBEDDED_SIZE,
        `is too large: css and data URLs in logo are part of every page, and may have ${MAX_EMBEDDED_SIZE} bytes together. Use an https URL for the logo, or less CSS.`,
      ),
    )
}

/** The bytes that a theme adds to every page. */
function embeddedSize({
  logo,
  css = '',
}: {
  logo?: string | { light: string; dark?: string | undefined } | undefined
  css?: string | undefined
}): number {
  const images = typeof logo === 'object' ? [logo.light, logo.dark] : [logo]
  const embedded = images.filter((url) => url?.startsWith('data:'))
  return new TextEncoder().encode([css, ...embedded].join('')).length
}
