import { describe, expect, it } from 'vitest'
import {
  contrastRatio,
  mix,
  parseColor,
  readableTextColor,
  toHex,
  WHITE,
} from '../src/values/css-color.ts'

const hex = (text: string) => {
  const parsed = parseColor(text)
  return parsed && toHex(mix(parsed.color, WHITE, parsed.alpha))
}

describe('a CSS colour', () => {
  it.each([
    ['#f80', '#ff8800'],
    ['#F80F', '#ff8800'],
    ['#ff8800', '#ff8800'],
    ['#ff880080', '#ffc37f'],
    ['rgb(255, 136, 0)', '#ff8800'],
    ['rgb(255 136 0)', '#ff8800'],
    ['rgb(100% 50% 0%)', '#ff8000'],
    ['rgba(255, 136, 0, 1)', '#ff8800'],
    ['rgb(0 0 0 / .5)', '#808080'],
    ['rgb(300 -20 0)', '#ff0000'],
    ['hsl(0 100% 50%)', '#ff0000'],
    ['hsl(120deg 100% 25%)', '#008000'],
    ['hsl(-120, 100%, 50%)', '#0000ff'],
    ['hsla(240, 100%, 50%, 50%)', '#8080ff'],
    ['  RebeccaPurple ', '#663399'],
    ['hsl(1turn 100% 50%)', '#ff0000'],
  ])('%s is %s in front of white', (text, expected) => {
    expect(hex(text)).toBe(expected)
  })

  it.each([
    '',
    '#',
    '#12345',
    '#ggg',
    'ff8800',
    'rgb(1, 2)',
    'rgb(1 2 3 4)',
    'rgb(1, 2, 3, 4, 5)',
    'rgb(1 2 3 / 1 / 1)',
    'rgb(1, 2 3)',
    'rgb(a, b, c)',
    'rgb(1, 2, 3',
    'hsl(50% 1 1)',
    'hsl(1em 50% 50%)',
    'transparent',
    'currentcolor',
    'inherit',
    'constructor',
    'var(--x)',
    'url(https://evil.example)',
    '#fff;}body{display:none',
    'red}',
    'not-a-colour',
  ])('is not %j', (text) => {
    expect(parseColor(text)).toBeUndefined()
  })

  it.each([
    ['black', '#ffffff'],
    ['white', '#000000'],
    ['#757575', '#ffffff'],
    ['#fee500', '#000000'],
  ])('%s has readable text in %s', (background, text) => {
    const color = parseColor(background)?.color
    if (!color) throw new Error('The test has an invalid colour.')
    const readable = readableTextColor(color)

    expect(toHex(readable)).toBe(text)
    expect(contrastRatio(color, readable)).toBeGreaterThanOrEqual(4.5)
  })
})
