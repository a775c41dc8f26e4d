import { checkClientKey } from '../client-key.ts'
import { type Finding, goodOrProblems } from '../finding.ts'
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
  ]
}
