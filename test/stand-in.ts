import { createVideoPlatform } from '../src/libraries/testing/video-platform/app.ts'
import { APPS } from '../src/libraries/testing/video-platform/apps.ts'
import { registration } from './upstream/registration.ts'

const { fetch: fetchFromNetwork, Date: RealDate } = globalThis

/** The hosts of the platform. */
const HOST = /(^|\.)tiktok(apis|cdn)?\.com$/

/** What the stand-in does after a response: tests wait for what they need of it. */
const CONTEXT = {
  waitUntil: (work: Promise<unknown>) => void work.catch(() => {}),
  passThroughOnException: () => {},
  props: {},
}

/**
 * The stand-in, at the platform's addresses. It runs in the isolate of the tests, because requests
 * to another process took most of the time of a sign-in. It does not see the clock of the tests.
 */
const standIn = createVideoPlatform({ apps: [...APPS, registration], clock: () => RealDate.now() })

/** Whether it has received no request since it was reset. */
let isUnused = true

globalThis.fetch = (input: RequestInfo | URL, init?: RequestInit) => {
  const request = new Request(input, init)
  return HOST.test(new URL(request.url).hostname)
    ? fetchFromStandIn(request)
    : fetchFromNetwork(request)
}

async function fetchFromStandIn(request: Request): Promise<Response> {
  isUnused = false
  const { signal } = request
  const aborted = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => aborted.reject(signal.reason))
  return Promise.race([aborted.promise, standIn.fetch(request, {}, CONTEXT)])
}

/** Makes the stand-in forget what tests have changed. Most tests have sent nothing to it. */
export async function resetStandIn(): Promise<void> {
  if (isUnused) return
  await fetch('https://www.tiktok.com/__stand-in/reset', { method: 'POST' })
  isUnused = true
}
