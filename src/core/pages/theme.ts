import {
  BLACK,
  type Color,
  contrastRatio,
  hoverColor,
  mix,
  parseColor,
  readableTextColor,
  TEXT_CONTRAST,
  toHex,
  WHITE,
} from '../../foundation/values/css-color.ts'
import type { Theme, ThemeColors, ThemeLogo } from '../config/theme.ts'
import { designTokens, PAGE_RULES, type Palette, withoutLayout } from './stylesheet.ts'

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
  /** What a colour is mixed with until it is readable on the surface. */
  contrastingColor: Color
}

const LIGHT: Scheme = {
  surface: WHITE,
  text: [17, 17, 17],
  border: [214, 214, 220],
  muted: [92, 92, 102],
  danger: [176, 18, 28],
  contrastingColor: BLACK,
}

const DARK: Scheme = {
  surface: [30, 30, 34],
  text: [238, 238, 238],
  border: [66, 66, 74],
  muted: [170, 170, 180],
  danger: [255, 138, 132],
  contrastingColor: WHITE,
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
    light: createPalette(LIGHT, readColor(brandColor, 'light'), readColor(background, 'light')),
    dark: createPalette(
      DARK,
      readColor(brandColor, 'dark'),
      typeof background === 'string'
        ? darkenPage(readColor(background, 'dark'))
        : readColor(background, 'dark'),
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
    stylesheet: withoutLayout(tokens + PAGE_RULES),
    css,
  }
}

/** The rules that show a page in the colour of an app, in place of the deployment's. */
export function brandCss(brandColor: string): string {
  const light = createPalette(LIGHT, readColor(brandColor, 'light'), LIGHT.surface)
  const dark = createPalette(DARK, readColor(brandColor, 'dark'), DARK.surface)
  return `:root{${declareBrand(light)}}@media (prefers-color-scheme:dark){:root{${declareBrand(dark)}}}`
}

/** The colour of an app, or of the deployment, on a light background. */
export function brandColorOf({ brandColor = DEFAULTS.brandColor }: Theme, ofApp?: string): Color {
  return readColor(ofApp ?? brandColor, 'light')
}

function declareBrand({ brand, brandHover, onBrand, accent }: Palette): string {
  return `--brand:${brand};--brand-hover:${brandHover};--on-brand:${onBrand};--accent:${accent}`
}

/**
 * Which colours of a theme differ on pages, in complete sentences. For operators; pages do not need
 * it.
 */
export function themeCorrections({ brandColor }: Theme): string[] {
  if (brandColor === undefined) return []
  return (['light', 'dark'] as const).flatMap((name) => {
    const scheme = name === 'light' ? LIGHT : DARK
    const brand = readColor(brandColor, name)
    const { accent } = createPalette(scheme, brand, scheme.surface)
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
    brandHover: toHex(hoverColor(brand, readableTextColor(brand))),
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

function readColor(option: string | ThemeColors, scheme: keyof ThemeColors): Color {
  return parseColor(typeof option === 'string' ? option : option[scheme]) ?? BLACK
}

/** Data URLs have no origin; all pages allow them. */
function findOrigins(addresses: readonly string[]): string[] {
  const origins = addresses
    .filter((address) => !address.startsWith('data:'))
    .map((address) => new URL(address).origin)
  return [...new Set(origins)]
}
