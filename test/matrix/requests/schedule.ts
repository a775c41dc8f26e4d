import { env } from 'cloudflare:workers'
import { logLines } from '../../browser.ts'
import { advanceClock, MINUTE } from '../../clock.ts'
import { runSchedule } from '../isolate.ts'
import { createWebhook } from './admin.ts'
import { type DescribedRequest, newUser } from './described-request.ts'

/** The Cron Trigger, which sends events to webhooks every minute. A job that fails runs again. */
export const scheduleRequests: DescribedRequest[] = [
  {
    route: 'the Cron Trigger',
    async prepare() {
      // Webhooks of other requests would get the events of all requests since, because the clock
      // stands still and never ends the run.
      await env.DIRECTORY.prepare('DELETE FROM webhooks').run()
      await createWebhook()
      await newUser()
      advanceClock(MINUTE + 1)
      return {
        async send() {
          const lines = logLines.length
          await runSchedule()
          const isFailed = logLines.slice(lines).some((line) => line.includes('schedule_failed'))
          if (!isFailed) return new Response()
          return new Response('unavailable', { status: 503, headers: { 'Retry-After': '60' } })
        },
      }
    },
  },
]
