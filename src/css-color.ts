/** A colour in sRGB: red, green and blue from 0 to 255, and the opacity from 0 to 1. */
export interface CssColor {
  red: number
  green: number
  blue: number
  alpha: number
}

/**
 * Parses a CSS colour: a hex code, `rgb()`, `hsl()` or a name. Returns `undefined` for anything
 * else, so that a colour can be inserted into a stylesheet only as the code of {@link toHex}.
 *
 * {@link https://www.w3.org/TR/css-color-4/}
 */
export function parseColor(text: string): CssColor | undefined {
  const color = text.trim().toLowerCase()
  if (color.startsWith('#')) return parseHex(color.slice(1))
  const [, name, content] = color.match(/^(rgb|hsl)a?\(([^()]*)\)$/) ?? []
  if (content === undefined) return parseName(color)
  const components = splitComponents(content)
  if (!components) return undefined
  return name === 'rgb' ? parseRgb(components) : parseHsl(components)
}

/** The colour as it looks in front of white, as `#rrggbb`. */
export function toHex({ red, green, blue, alpha }: CssColor): string {
  const channels = [red, green, blue].map((channel) => {
    const blended = Math.round(channel * alpha + 255 * (1 - alpha))
    return blended.toString(16).padStart(2, '0')
  })
  return `#${channels.join('')}`
}

/** Black or white, whichever has more contrast on this opaque colour. */
export function readableTextColor(background: CssColor): '#fff' | '#000' {
  return relativeLuminance(background) < MAX_LUMINANCE_FOR_WHITE_TEXT ? '#fff' : '#000'
}

/** {@link https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio}, for opaque colours. */
export function contrastRatio(one: CssColor, other: CssColor): number {
  const [lighter = 0, darker = 0] = [one, other].map(relativeLuminance).sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Below this relative luminance, white text has more contrast than black text (WCAG 2.2). */
const MAX_LUMINANCE_FOR_WHITE_TEXT = 0.179

/** {@link https://www.w3.org/TR/WCAG22/#dfn-relative-luminance} */
function relativeLuminance({ red, green, blue }: CssColor): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((channel) => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** `rgb`, `rgba`, `rrggbb` or `rrggbbaa`. */
function parseHex(digits: string): CssColor | undefined {
  if (!/^(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(digits)) return undefined
  const isShort = digits.length < 6
  const pairs = isShort ? Array.from(digits, (digit) => digit + digit) : digits.match(/../g)
  const [red = 0, green = 0, blue = 0, alpha = 255] = (pairs ?? []).map((pair) =>
    Number.parseInt(pair, 16),
  )
  return { red, green, blue, alpha: alpha / 255 }
}

/** Three components, separated by commas or spaces, and an opacity after a comma or a slash. */
function splitComponents(content: string): [string, string, string, string] | undefined {
  const isLegacy = content.includes(',')
  const [colors = '', ...opacity] = isLegacy ? [content] : content.split('/')
  const parts = isLegacy ? colors.split(',') : colors.trim().split(/\s+/)
  const [first, second, third, alpha = '1', ...rest] = [...parts, ...opacity].map((part) =>
    part.trim(),
  )
  if (first === undefined || second === undefined || third === undefined) return undefined
  if (rest.length > 0 || (!isLegacy && parts.length !== 3)) return undefined
  return [first, second, third, alpha]
}

function parseRgb([first, second, third, opacity]: readonly string[]): CssColor | undefined {
  const channels = [first, second, third].map((text) => parseNumber(text, 255))
  const [red, green, blue] = channels.map((channel) => channel && clamp(channel, 255))
  const alpha = parseNumber(opacity, 1)
  if (red === undefined || green === undefined || blue === undefined) return undefined
  return alpha === undefined ? undefined : { red, green, blue, alpha: clamp(alpha, 1) }
}

/** {@link https://www.w3.org/TR/css-color-4/#hsl-to-rgb} */
function parseHsl([first = '', second, third, opacity]: readonly string[]): CssColor | undefined {
  const hue = parseNumber(first.replace(/deg$/, ''))
  const saturation = parseNumber(second, 100)
  const lightness = parseNumber(third, 100)
  const alpha = parseNumber(opacity, 1)
  if (hue === undefined || saturation === undefined || lightness === undefined) return undefined
  if (alpha === undefined) return undefined
  const l = clamp(lightness, 100) / 100
  const amplitude = (clamp(saturation, 100) / 100) * Math.min(l, 1 - l)
  const channel = (offset: number) => {
    const k = (((offset + hue / 30) % 12) + 12) % 12
    return 255 * (l - amplitude * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
  }
  return { red: channel(0), green: channel(8), blue: channel(4), alpha: clamp(alpha, 1) }
}

/** A number, or a percentage of `whole` where one is allowed. */
function parseNumber(text = '', whole?: number): number | undefined {
  const [, digits, percent] = text.match(/^([+-]?(?:\d+\.?\d*|\.\d+))(%?)$/) ?? []
  if (digits === undefined || (percent && whole === undefined)) return undefined
  return percent ? (Number(digits) / 100) * (whole ?? 1) : Number(digits)
}

function clamp(value: number, maximum: number): number {
  return Math.min(Math.max(value, 0), maximum)
}

function parseName(name: string): CssColor | undefined {
  if (name === 'transparent') return { red: 0, green: 0, blue: 0, alpha: 0 }
  const words = NAMED_COLORS.trim().split(/\s+/)
  const index = words.indexOf(name)
  return index % 2 === 0 ? parseHex(words[index + 1] ?? '') : undefined
}

/** Each name followed by its hex code. {@link https://www.w3.org/TR/css-color-4/#named-colors} */
const NAMED_COLORS = `
  aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc
  bisque ffe4c4 black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a
  burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e coral ff7f50
  cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b
  darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9
  darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc
  darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f
  darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff
  dimgray 696969 dimgrey 696969 dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0
  forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700
  goldenrod daa520 gray 808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0
  hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa
  lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080
  lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90
  lightgrey d3d3d3 lightpink ffb6c1 lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa
  lightslategray 778899 lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0
  lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000 mediumaquamarine 66cdaa
  mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371
  mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585
  midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead
  navy 000080 oldlace fdf5e6 olive 808000 olivedrab 6b8e23 orange ffa500 orangered ff4500
  orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee palevioletred db7093
  papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6
  purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1
  saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee
  sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090
  snow fffafa springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8
  tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5
  yellow ffff00 yellowgreen 9acd32
`
