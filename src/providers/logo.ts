/**
 * A logo of one colour, as an image that is part of the page. If it has 240 by 240 units instead of 24 by 24, tenths are
 * whole numbers, which are shorter. The paths are from Simple Icons (https://simpleicons.org, CC0, at most version 16.36)
 * and rounded, unless the provider's file says otherwise.
 */
export function logo(color: 'black' | 'white', path: string, size: 24 | 240 = 24): string {
  return svg(`<path fill='${color}' d='${path}'/>`, size)
}

/** The elements of a logo of `size` by `size` units, as an image that is part of the page. */
export function svg(elements: string, size: 24 | 240 = 24): string {
  const image = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 ${size} ${size}'>${elements}</svg>`
  // The characters that have a meaning in a URL; encoding all others would only make it longer.
  return `data:image/svg+xml,${image.replaceAll(/[<>#]/g, encodeURIComponent)}`
}
