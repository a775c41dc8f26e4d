import { Hono } from 'hono'
import { authorize } from './authorize.tsx'
import { avatars } from './avatars.ts'
import { connectedApps } from './connected-apps.tsx'
import { control } from './control.ts'
import { controlEvents } from './control-events.ts'
import { answerError } from './errors.ts'
import { playFaults } from './fault-answers.ts'
import { gateway, unsupportedPath } from './gateway.ts'
import { recordRequest } from './log.ts'
import { login } from './login.tsx'
import { Platform, type PlatformOptions, type StandInEnv } from './platform.ts'
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
    .route('/', control)
    .use(recordRequest)
    .use(playFaults)
    .route('/', login)
    .route('/', authorize)
    .route('/', connectedApps)
    .route('/', token)
    .route('/', revoke)
    .route('/', userInfo)
    .route('/', avatars)
    .notFound(unsupportedPath)
    .onError(answerError)
}
