import type { AppContext } from '../http/app-env.ts'
import { clientCountry } from '../http/client-ip.ts'

/** The most specific pattern first, because most User-Agent headers name several browsers. */
const BROWSERS: readonly [RegExp, string][] = [
  [/Edg/, 'Edge'],
  [/OPR/, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS/, 'Chrome'],
  [/Safari/, 'Safari'],
]

const OPERATING_SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS/, 'macOS'],
  [/Linux/, 'Linux'],
]

const SEPARATOR = ', '

/** Longer than the name of any city and country. */
const MAX_PLACE_LENGTH = 80

/** Browser, operating system and city, by which a user recognises a session. */
export function describeDevice(c: AppContext): {
  device: string | undefined
  place: string | undefined
} {
  const userAgent = c.req.header('User-Agent') ?? ''
  const nameIn = (names: readonly [RegExp, string][]) =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1]
  const { city } = (c.req.raw.cf ?? {}) as { city?: string }
  return {
    device: joinPresent(nameIn(BROWSERS), nameIn(OPERATING_SYSTEMS)),
    place: joinPresent(city, clientCountry(c))?.slice(0, MAX_PLACE_LENGTH),
  }
}

/** The same in one line, by which a user recognises a request of theirs in a message. */
export function describeOrigin(c: AppContext): string {
  const { device, place } = describeDevice(c)
  return [device, place].filter(Boolean).join(' · ')
}

/** A text from a URL, if it is what this service calls a browser. */
export function knownDevice(text = ''): string | undefined {
  const names = [...BROWSERS, ...OPERATING_SYSTEMS].map(([, name]) => name)
  return text.split(SEPARATOR).every((part) => names.includes(part)) ? text : undefined
}

function joinPresent(...parts: (string | undefined)[]): string | undefined {
  return parts.filter(Boolean).join(SEPARATOR) || undefined
}
