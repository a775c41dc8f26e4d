/** An opaque sRGB colour: red, green and blue, whole numbers from 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number]

/**
 * The contrast of text that WCAG 2.2 AA requires.
 * {@link https://www.w3.org/TR/WCAG22/#contrast-minimum}
 */
export const TEXT_CONTRAST = 4.5

export const BLACK: Color = [0, 0, 0]
export const WHITE: Color = [255, 255, 255]

/** Reads a hex colour with 3 or 6 digits. Returns undefined for everything else. */
export function parseColor(text: string): Color | undefined {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text)?.[1]
  if (!digits) return undefined
  const pairs =
    digits.length === 3 ? Array.from(digits, (digit) => digit + digit) : (digits.match(/../g) ?? [])
  const [red = 0, green = 0, blue = 0] = pairs.map((pair) => Number.parseInt(pair, 16))
  return [red, green, blue]
}

/** The colour that is visible when a colour with this opacity covers another one. */
export function mix(top: Color, bottom: Color, alpha: number): Color {
  const channel = (index: 0 | 1 | 2) => Math.round(top[index] * alpha + bottom[index] * (1 - alpha))
  return [channel(0), channel(1), channel(2)]
}

export function toHex(color: Color): string {
  return `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/** {@link https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio}, from 1 to 21. */
export function contrastRatio(first: Color, second: Color): number {
  const luminances = [relativeLuminance(first), relativeLuminance(second)]
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05)
}

/** White if it is readable on this colour, otherwise black, which then has a contrast over 4.6. */
export function readableTextColor(background: Color): Color {
  return contrastRatio(WHITE, background) >= TEXT_CONTRAST ? WHITE : BLACK
}

/**
 * The colour of a button under the pointer: closer to its text if that stays readable, otherwise
 * further away from it.
 */
export function hoverColor(background: Color, text: Color): Color {
  const closer = mix(text, background, HOVER_OPACITY)
  if (contrastRatio(closer, text) >= TEXT_CONTRAST) return closer
  const opposite = contrastRatio(text, BLACK) > contrastRatio(text, WHITE) ? BLACK : WHITE
  return mix(opposite, background, HOVER_OPACITY)
}

/** Enough to be noticed on black and on white. */
const HOVER_OPACITY = 0.14

/** {@link https://www.w3.org/TR/WCAG22/#dfn-relative-luminance} */
function relativeLuminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = color.map((channel) => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
