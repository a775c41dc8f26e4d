import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { consolePage } from '../../../administration/console/console-response.tsx'
import { ifReadable } from '../../../administration/console/if-readable.ts'
import { readTimeZone } from '../../../administration/console/time-zone.ts'
import { TimeZone } from '../../../administration/console/times.tsx'
import type { AppContext, AppEnv } from '../../../core/http/app-env.ts'
import { sendCounts } from '../../../core/metrics/count.ts'
import { readSessionCookie } from '../../../core/session/session-cookie.ts'
import { requireStorage } from '../../../core/storage/unavailable-error.ts'
import { SignInError } from '../../../foundation/errors/sign-in-error.ts'
import { nowInSeconds } from '../../../foundation/values/clock.ts'
import liveScript from '../live-script.txt'
import { metricsObject } from '../metrics/metrics-object.ts'
import { LiveCounts, LivePage } from './live-page.tsx'

/** What the page may read without its session, is sealed for this. */
export const LIVE_SEAL = 'live'

/**
 * How long an open page can be updated: less than a session that is not used. An administrator who
 * loses the role sees the numbers of this page, and nothing else, for as long.
 */
const PERMISSION_LIFETIME = 900 // seconds

export const LIVE_PATH = '/live'
export const COUNTS_PATH = '/live/counts'

/** The sign-ins of the last hour by minute. */
export async function showLiveView(c: AppContext): Promise<Response> {
  // So that they contain what this isolate has counted.
  await ifReadable(sendCounts(c.env, c.get('config')))
  const minutes = await ifReadable(readMinutes(c))
  const page = (
    <LivePage permission={await createPermission(c)} minutes={minutes} now={nowInSeconds()} />
  )
  return consolePage(
    c,
    { section: 'overview', title: 'Live', trail: [], script: liveScript, connects: true },
    page,
  )
}

/**
 * The same numbers for a page that is open. It reads neither the session nor the database: a page
 * that is updated for hours must not keep its session alive.
 */
export const answerPermitted = createMiddleware<AppEnv>(async (c, next) => {
  const permission = c.req.header('X-Live-View')
  if (permission === undefined) return next()
  if (!(await isPermitted(c, permission))) throw new SignInError('not_found')
  return respondWithCounts(c)
})

/** The numbers as a part of the page. */
export async function respondWithCounts(c: Context<AppEnv>): Promise<Response> {
  const minutes = await readMinutes(c)
  c.header('Cache-Control', 'no-store')
  return c.html(
    <TimeZone.Provider value={readTimeZone(c)}>
      <LiveCounts minutes={minutes} now={nowInSeconds()} />
    </TimeZone.Provider>,
  )
}

function readMinutes(c: AppContext) {
  return requireStorage(async () => metricsObject(c.env).readMinutes())
}

/** For this browser, as long as it keeps its session. */
async function createPermission(c: AppContext): Promise<string> {
  const cookie = await readSessionCookie(c)
  const expiresAt = nowInSeconds() + PERMISSION_LIFETIME
  const { seal } = c.get('config')
  return seal.seal<typeof LIVE_SEAL>(LIVE_SEAL, cookie?.sessionKey ?? '', String(expiresAt))
}

async function isPermitted(c: AppContext, permission: string): Promise<boolean> {
  const cookie = await readSessionCookie(c)
  if (!cookie) return false
  const { seal } = c.get('config')
  const opened = await seal.open<typeof LIVE_SEAL>(LIVE_SEAL, cookie.sessionKey, permission)
  return Number(opened ?? 0) > nowInSeconds()
}
