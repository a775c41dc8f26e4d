import { createVideoPlatform } from './app.ts'
import { appsWithWebhook } from './apps.ts'

interface Bindings {
  /** Where the login service receives webhooks. */
  WEBHOOK_URL?: string
}

let platform: ReturnType<typeof createVideoPlatform> | undefined

export default {
  fetch(request: Request, env: Bindings, ctx: ExecutionContext) {
    platform ??= createVideoPlatform({ apps: appsWithWebhook(env.WEBHOOK_URL) })
    return platform.fetch(request, env, ctx)
  },
}
