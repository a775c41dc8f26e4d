import { SANDBOX_APP } from './video-platform/apps.ts'

/**
 * The settings of a login service that uses the stand-in. It rejects them when its address is
 * public.
 */
export function localSettings({ login, platform }: { login: string; platform: string }) {
  return {
    AUTH_URL: login,
    AUTH_SECRET: 'loopback-only-secret-of-the-demo',
    AUTH_TIKTOK_ID: SANDBOX_APP.clientKey,
    AUTH_TIKTOK_SECRET: SANDBOX_APP.clientSecret,
    AUTH_TIKTOK_WEB_URL: platform,
    AUTH_TIKTOK_API_URL: platform,
    AUTH_TIKTOK_SCOPE: 'user.info.basic,user.info.profile',
    MAILBOX_URL: `${platform}/mailbox`,
    TIME_ZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }
}
