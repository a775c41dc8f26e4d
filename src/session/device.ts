import type { AppContext } from '../http/app-env.ts'

/** The first that a User-Agent header names, most telling first: nearly all of them claim to be several. */
const BROWSERS: readonly [RegExp, string][] = [
  [/Edg/, 'Edge'],
  [/OPR/, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS/, 'Chrome'],
  [/Safari/, 'Safari'],
]

const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** Longer names of places are somebody's joke. */
const LONGEST_PLACE = 80

/** What a person will recognise this browser by: its kind and its city, as far as they are told. */
export function describeBrowser(c: AppContext): { device: string | null; place: string | null } {
  const agent = c.req.header('User-Agent') ?? ''
  const named = [BROWSERS, SYSTEMS].map((kinds) => kinds.find(([word]) => word.test(agent))?.[1])
  const { city, country } = (c.req.raw.cf ?? {}) as { city?: string; country?: string }
  const join = (parts: readonly (string | undefined)[]) => parts.filter(Boolean).join(', ') || null
  return { device: join(named), place: join([city, country])?.slice(0, LONGEST_PLACE) ?? null }
}
