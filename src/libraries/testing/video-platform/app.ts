import { Hono } from 'hono'
import { authorize } from './authorize.tsx'
import { avatars } from './avatars.ts'
import { connectedApps } from './connected-apps.tsx'
import { control } from './control.ts'
import { controlEvents } from './control-events.ts'
import { controlPhone } from './control-phone.ts'
import { respondWithError } from './errors.ts'
import { injectFaults } from './fault-responses.ts'
import { gateway, unsupportedPath } from './gateway.ts'
import { login } from './login.tsx'
import { phone } from './phone.tsx'
import { Platform, type PlatformOptions, type StandInEnv } from './platform.ts'
import { qrLoginApi } from './qr-login-api.ts'
import { logRequest } from './request-log.ts'
import { revoke } from './revoke.ts'
import { token } from './token.ts'
import { userInfo } from './user-info.ts'

/**
 * The stand-in for the video platform: its login and consent pages and its API, quirks included.
 * Each instance has its own state, which exists only in memory.
 */
export function createVideoPlatform(options: PlatformOptions = {}): Hono<StandInEnv> {
  const platform = new Platform(options)
  return new Hono<StandInEnv>()
    .use(async (c, next) => {
      c.set('platform', platform)
      await next()
    })
    .use(gateway)
    .route('/', controlEvents)
    .route('/', controlPhone)
    .route('/', control)
    .use(logRequest)
    .use(injectFaults)
    .route('/', login)
    .route('/', authorize)
    .route('/', connectedApps)
    .route('/', phone)
    .route('/', token)
    .route('/', revoke)
    .route('/', qrLoginApi)
    .route('/', userInfo)
    .route('/', avatars)
    .notFound(unsupportedPath)
    .onError(respondWithError)
}
