import { checkClientKey } from '../client-key.ts'
import { type Finding, goodUnless, problem } from '../finding.ts'
import { redirectUriTroubles, tabFor } from '../redirect-uri.ts'

/** What the video platform's portal has to know of this configuration, and would refuse of it. */
export function checkPlatformSettings(settings: Record<string, unknown>): Finding[] {
  const { AUTH_URL: origin, AUTH_TIKTOK_ID: key } = settings
  if (typeof origin !== 'string' || typeof key !== 'string') return []
  const proxy = settings['AUTH_REDIRECT_PROXY_URL']
  const callback = `${typeof proxy === 'string' ? proxy : `${origin}/api/auth`}/callback/tiktok`
  return [
    ...goodUnless(
      'callback address',
      redirectUriTroubles(callback),
      `register ${callback} on the ${tabFor(callback)} tab`,
    ),
    checkClientKey(key, origin, settings['AUTH_TIKTOK_WEB_URL'] !== undefined),
    ...blanks(settings),
  ]
}

/** A space that was copied along is hard to see. */
function blanks(settings: Record<string, unknown>): Finding[] {
  return ['AUTH_TIKTOK_ID', 'AUTH_TIKTOK_SECRET', 'AUTH_TIKTOK_SECRET_1']
    .filter((name) => String(settings[name] ?? '') !== String(settings[name] ?? '').trim())
    .map((name) =>
      problem('credentials', {
        what: `${name} begins or ends with a blank.`,
        why: 'The platform takes it for a part of the value.',
        fix: 'Take it out.',
      }),
    )
}
