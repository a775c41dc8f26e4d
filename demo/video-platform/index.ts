import { appsWithWebhook } from '../../src/libraries/testing/video-platform/apps.ts'
import { createStandIn } from '../../src/libraries/testing/video-platform/stand-in.ts'

interface Bindings {
  /** Where the login service receives webhooks. */
  WEBHOOK_URL?: string
}

let standIn: ReturnType<typeof createStandIn> | undefined

export default {
  fetch(request: Request, env: Bindings, context: ExecutionContext) {
    standIn ??= createStandIn({ apps: appsWithWebhook(env.WEBHOOK_URL) })
    return standIn(request, context)
  },
}
