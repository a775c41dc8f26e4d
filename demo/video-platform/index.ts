import { createVideoPlatform } from './app.ts'
import { appsCalling } from './apps.ts'

interface Bindings {
  /** Where the login service is told of events. */
  WEBHOOK_URL?: string
}

let platform: ReturnType<typeof createVideoPlatform> | undefined

export default {
  fetch(request: Request, env: Bindings, ctx: ExecutionContext) {
    platform ??= createVideoPlatform({ apps: appsCalling(env.WEBHOOK_URL) })
    return platform.fetch(request, env, ctx)
  },
}
