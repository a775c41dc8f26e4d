import type { AppContext } from './app-env.ts'

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

/** Longer than the name of any city and country. */
const MAX_PLACE_LENGTH = 80

/** Browser, operating system and city, by which a user recognises a session. */
export function describeDevice(c: AppContext): { device: string | null; place: string | null } {
  const userAgent = c.req.header('User-Agent') ?? ''
  const nameIn = (names: readonly [RegExp, string][]) =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1]
  const { city, country } = (c.req.raw.cf ?? {}) as { city?: string; country?: string }
  return {
    device: joinPresent(nameIn(BROWSERS), nameIn(OPERATING_SYSTEMS)),
    place: joinPresent(city, country)?.slice(0, MAX_PLACE_LENGTH) ?? null,
  }
}

function joinPresent(...parts: (string | undefined)[]): string | null {
  return parts.filter(Boolean).join(', ') || null
}
