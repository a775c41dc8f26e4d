/** An opaque sRGB colour: red, green and blue, whole numbers from 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number]

/** A colour as CSS writes it; its opacity is from 0 to 1. */
interface ParsedColor {
  color: Color
  alpha: number
}

/** The contrast of text that WCAG 2.2 AA requires. {@link https://www.w3.org/TR/WCAG22/#contrast-minimum} */
export const TEXT_CONTRAST = 4.5

export const BLACK: Color = [0, 0, 0]
export const WHITE: Color = [255, 255, 255]

/**
 * Reads a CSS colour: a hex code with 3, 4, 6 or 8 digits, `rgb()`, `hsl()` or a name. Returns
 * undefined for everything else, including keywords that are not one colour, such as `currentcolor`.
 */
export function parseColor(text: string): ParsedColor | undefined {
  const value = text.trim().toLowerCase()
  return parseHex(value) ?? parseFunction(value) ?? parseHex(`#${findNamedColor(value)}`)
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

/** {@link https://www.w3.org/TR/WCAG22/#dfn-relative-luminance} */
function relativeLuminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = color.map((channel) => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function parseHex(text: string): ParsedColor | undefined {
  const digits = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.exec(text)?.[1]
  if (!digits) return undefined
  const pairs =
    digits.length < 6 ? Array.from(digits, (digit) => digit + digit) : (digits.match(/../g) ?? [])
  const [red = 0, green = 0, blue = 0, alpha = 255] = pairs.map((pair) => Number.parseInt(pair, 16))
  return { color: [red, green, blue], alpha: alpha / 255 }
}

function parseFunction(text: string): ParsedColor | undefined {
  const [, name, content = ''] = /^(rgb|hsl)a?\(([^()]+)\)$/.exec(text) ?? []
  const values = splitArguments(content.trim())
  if (!name || !values) return undefined
  const [first, second, third] = values
  const color = name === 'rgb' ? parseRgb(first, second, third) : parseHsl(first, second, third)
  const alpha = parseNumber(values[3], 1)
  return color && alpha !== undefined ? { color, alpha: clamp(alpha, 1) } : undefined
}

type Arguments = readonly [first: string, second: string, third: string, alpha: string]

/** `r, g, b, a` or `r g b / a`; opacity may be left out. */
function splitArguments(content: string): Arguments | undefined {
  const [channels = '', ...alpha] = content.split(/\s*\/\s*/)
  const values = content.includes(',')
    ? content.split(/\s*,\s*/)
    : [...channels.split(/\s+/), ...alpha]
  const [first, second, third, opacity = '1', ...others] = values
  // A slash belongs to the form with spaces, where it separates the fourth value.
  const hasValidSlash = content.includes(',')
    ? alpha.length === 0
    : values.length - alpha.length === 3
  if (!first || !second || !third || others.length > 0 || !hasValidSlash) return undefined
  return [first, second, third, opacity]
}

function parseRgb(...texts: [string, string, string]): Color | undefined {
  const [red, green, blue] = texts.map((text) => parseNumber(text, 255))
  if (red === undefined || green === undefined || blue === undefined) return undefined
  return toColor(red, green, blue)
}

function parseHsl(hueText: string, ...texts: [string, string]): Color | undefined {
  const hue = parseHue(hueText)
  const [saturation, lightness] = texts.map((text) =>
    text.endsWith('%') ? parseNumber(text, 1) : undefined,
  )
  if (hue === undefined || saturation === undefined || lightness === undefined) return undefined

  // https://www.w3.org/TR/css-color-4/#hsl-to-rgb
  const light = clamp(lightness, 1)
  const amplitude = clamp(saturation, 1) * Math.min(light, 1 - light)
  const channel = (offset: number) => {
    const position = (offset + hue / 30) % 12
    return 255 * (light - amplitude * Math.max(-1, Math.min(position - 3, 9 - position, 1)))
  }
  return toColor(channel(0), channel(8), channel(4))
}

function toColor(...channels: [number, number, number]): Color {
  const [red, green, blue] = channels
  return [Math.round(clamp(red, 255)), Math.round(clamp(green, 255)), Math.round(clamp(blue, 255))]
}

const NUMBER = /^([+-]?(?:\d+|\d*\.\d+))(%|deg|grad|rad|turn)?$/

/** A number, or a percentage of `whole`. */
function parseNumber(text: string, whole: number): number | undefined {
  const [, number, unit] = NUMBER.exec(text) ?? []
  if (number === undefined || (unit && unit !== '%')) return undefined
  return unit ? (Number(number) / 100) * whole : Number(number)
}

const DEGREES = { deg: 1, grad: 0.9, rad: 180 / Math.PI, turn: 360 }

/** An angle in degrees, from 0 to 360. */
function parseHue(text: string): number | undefined {
  const [, number, unit = 'deg'] = NUMBER.exec(text) ?? []
  if (number === undefined || unit === '%') return undefined
  const degrees = Number(number) * DEGREES[unit as keyof typeof DEGREES]
  return ((degrees % 360) + 360) % 360
}

function clamp(value: number, max: number): number {
  return Math.min(Math.max(value, 0), max)
}

/** The hex digits of a named colour. The list is searched as text: it is rarely needed. */
function findNamedColor(name: string): string | undefined {
  if (!/^[a-z]+$/.test(name)) return undefined
  return new RegExp(`\\b${name} ([0-9a-f]{6})`).exec(NAMED_COLORS)?.[1]
}

/** {@link https://www.w3.org/TR/css-color-4/#named-colors} */
const NAMED_COLORS = `
aliceblue f0f8ff, antiquewhite faebd7, aqua 00ffff, aquamarine 7fffd4, azure f0ffff, beige f5f5dc,
bisque ffe4c4, black 000000, blanchedalmond ffebcd, blue 0000ff, blueviolet 8a2be2, brown a52a2a,
burlywood deb887, cadetblue 5f9ea0, chartreuse 7fff00, chocolate d2691e, coral ff7f50,
cornflowerblue 6495ed, cornsilk fff8dc, crimson dc143c, cyan 00ffff, darkblue 00008b,
darkcyan 008b8b, darkgoldenrod b8860b, darkgray a9a9a9, darkgreen 006400, darkgrey a9a9a9,
darkkhaki bdb76b, darkmagenta 8b008b, darkolivegreen 556b2f, darkorange ff8c00, darkorchid 9932cc,
darkred 8b0000, darksalmon e9967a, darkseagreen 8fbc8f, darkslateblue 483d8b, darkslategray 2f4f4f,
darkslategrey 2f4f4f, darkturquoise 00ced1, darkviolet 9400d3, deeppink ff1493, deepskyblue 00bfff,
dimgray 696969, dimgrey 696969, dodgerblue 1e90ff, firebrick b22222, floralwhite fffaf0,
forestgreen 228b22, fuchsia ff00ff, gainsboro dcdcdc, ghostwhite f8f8ff, gold ffd700,
goldenrod daa520, gray 808080, green 008000, greenyellow adff2f, grey 808080, honeydew f0fff0,
hotpink ff69b4, indianred cd5c5c, indigo 4b0082, ivory fffff0, khaki f0e68c, lavender e6e6fa,
lavenderblush fff0f5, lawngreen 7cfc00, lemonchiffon fffacd, lightblue add8e6, lightcoral f08080,
lightcyan e0ffff, lightgoldenrodyellow fafad2, lightgray d3d3d3, lightgreen 90ee90,
lightgrey d3d3d3, lightpink ffb6c1, lightsalmon ffa07a, lightseagreen 20b2aa, lightskyblue 87cefa,
lightslategray 778899, lightslategrey 778899, lightsteelblue b0c4de, lightyellow ffffe0,
lime 00ff00, limegreen 32cd32, linen faf0e6, magenta ff00ff, maroon 800000,
mediumaquamarine 66cdaa, mediumblue 0000cd, mediumorchid ba55d3, mediumpurple 9370db,
mediumseagreen 3cb371, mediumslateblue 7b68ee, mediumspringgreen 00fa9a, mediumturquoise 48d1cc,
mediumvioletred c71585, midnightblue 191970, mintcream f5fffa, mistyrose ffe4e1, moccasin ffe4b5,
navajowhite ffdead, navy 000080, oldlace fdf5e6, olive 808000, olivedrab 6b8e23, orange ffa500,
orangered ff4500, orchid da70d6, palegoldenrod eee8aa, palegreen 98fb98, paleturquoise afeeee,
palevioletred db7093, papayawhip ffefd5, peachpuff ffdab9, peru cd853f, pink ffc0cb, plum dda0dd,
powderblue b0e0e6, purple 800080, rebeccapurple 663399, red ff0000, rosybrown bc8f8f,
royalblue 4169e1, saddlebrown 8b4513, salmon fa8072, sandybrown f4a460, seagreen 2e8b57,
seashell fff5ee, sienna a0522d, silver c0c0c0, skyblue 87ceeb, slateblue 6a5acd, slategray 708090,
slategrey 708090, snow fffafa, springgreen 00ff7f, steelblue 4682b4, tan d2b48c, teal 008080,
thistle d8bfd8, tomato ff6347, turquoise 40e0d0, violet ee82ee, wheat f5deb3, white ffffff,
whitesmoke f5f5f5, yellow ffff00, yellowgreen 9acd32
`
