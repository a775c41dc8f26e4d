import { Hono } from 'hono'
import { authorize } from './authorize.tsx'
import { avatars } from './avatars.ts'
import { connectedApps } from './connected-apps.tsx'
import { control } from './control.ts'
import { controlEvents } from './control-events.ts'
import { controlPhone } from './control-phone.ts'
import { answerError } from './errors.ts'
import { playFaults } from './fault-answers.ts'
import { gateway, unsupportedPath } from './gateway.ts'
import { recordRequest } from './log.ts'
import { login } from './login.tsx'
import { phone } from './phone-routes.tsx'
import { Platform, type PlatformOptions, type StandInEnv } from './platform.ts'
import { qrCode } from './qr-code.ts'
import { revoke } from './revoke.ts'
import { token } from './token.ts'
import { userInfo } from './user-info.ts'

/**
 * The stand-in for the video platform: its login and consent pages and its API, peculiarities
 * included, on one app that remembers everything for as long as it lives and shares nothing.
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
    .use(recordRequest)
    .use(playFaults)
    .route('/', login)
    .route('/', authorize)
    .route('/', connectedApps)
    .route('/', phone)
    .route('/', token)
    .route('/', revoke)
    .route('/', qrCode)
    .route('/', userInfo)
    .route('/', avatars)
    .notFound(unsupportedPath)
    .onError(answerError)
}
