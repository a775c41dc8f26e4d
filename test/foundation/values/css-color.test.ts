import { describe, expect, it } from 'vitest'
import {
  contrastRatio,
  parseColor,
  readableTextColor,
  toHex,
} from '../../../src/foundation/values/css-color.ts'

function readColor(text: string) {
  const color = parseColor(text)
  if (!color) throw new Error(`The test has an invalid colour: ${text}.`)
  return color
}

describe('a hex colour', () => {
  it.each([
    ['#f80', '#ff8800'],
    ['#F80', '#ff8800'],
    ['#7a1F4b', '#7a1f4b'],
  ])('%s is %s', (text, expected) => {
    expect(toHex(readColor(text))).toBe(expected)
  })

  it.each([
    '',
    '#',
    '#12',
    '#1234',
    '#12345',
    '#1234567',
    '#12345678',
    '#ggg',
    'ff8800',
    ' #f80',
    'red',
    'transparent',
    'rgb(1, 2, 3)',
    'hsl(0 100% 50%)',
    'var(--x)',
    'url(https://evil.example)',
    '#fff;}body{display:none',
  ])('is not %j', (text) => {
    expect(parseColor(text)).toBeUndefined()
  })

  it.each([
    ['#000', '#ffffff'],
    ['#fff', '#000000'],
    ['#757575', '#ffffff'],
    ['#fee500', '#000000'],
  ])('%s has readable text in %s', (background, text) => {
    const color = readColor(background)
    const readable = readableTextColor(color)

    expect(toHex(readable)).toBe(text)
    expect(contrastRatio(color, readable)).toBeGreaterThanOrEqual(4.5)
  })

  it.each([
    ['#000', '#fff', 21],
    ['#fff', '#fff', 1],
    ['#767676', '#fff', 4.54],
    ['#00f', '#ff0', 8],
  ])('has a contrast: %s on %s is %d (WCAG 2.2)', (first, second, ratio) => {
    expect(contrastRatio(readColor(first), readColor(second))).toBeCloseTo(ratio, 2)
  })
})
