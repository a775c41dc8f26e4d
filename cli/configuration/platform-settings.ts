import { checkClientKey } from '../client-key.ts'
import { type Finding, goodOrProblems, problem } from '../finding.ts'
import { diagnoseRedirectUri, portalTab } from '../redirect-uri.ts'

/** Checks the settings that have to match the developer portal of the video platform. */
export function checkPlatformSettings(settings: Record<string, unknown>): Finding[] {
  const { AUTH_URL: origin, AUTH_TIKTOK_ID: key } = settings
  if (typeof origin !== 'string' || typeof key !== 'string') return []
  const proxyUrl = settings['AUTH_REDIRECT_PROXY_URL']
  const baseUrl = typeof proxyUrl === 'string' ? proxyUrl : `${origin}/api/auth`
  const callback = `${baseUrl}/callback/tiktok`
  return [
    ...goodOrProblems(
      'callback address',
      diagnoseRedirectUri(callback),
      `register ${callback} on the ${portalTab(callback)} tab`,
    ),
    checkClientKey(key, origin),
    ...checkWhitespace(settings),
  ]
}

/** Whitespace that was copied along with a value is hard to see. */
function checkWhitespace(settings: Record<string, unknown>): Finding[] {
  return ['AUTH_TIKTOK_ID', 'AUTH_TIKTOK_SECRET', 'AUTH_TIKTOK_SECRET_1']
    .filter((name) => {
      const value = String(settings[name] ?? '')
      return value !== value.trim()
    })
    .map((name) =>
      problem('credentials', {
        what: `${name} starts or ends with whitespace.`,
        why: 'The platform treats it as part of the value.',
        fix: 'Remove the whitespace.',
      }),
    )
}
