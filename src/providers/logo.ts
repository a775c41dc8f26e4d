const START = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E"
const END = '%3C/svg%3E'

/**
 * A logo of 24 by 24 units with one colour, as an image that is part of the page. The paths are
 * from Simple Icons (https://simpleicons.org, CC0, at most version 16.36) unless the provider's
 * file says otherwise.
 */
export function logo(color: 'black' | 'white', path: string): string {
  return `${START}%3Cpath fill='${color}' d='${path}'/%3E${END}`
}

/** The elements of a logo of 24 by 24 units, as an image that is part of the page. */
export function svg(elements: string): string {
  // The characters that have a meaning in a URL; encoding all others would only make it longer.
  return START + elements.replaceAll(/[<>#]/g, encodeURIComponent) + END
}
