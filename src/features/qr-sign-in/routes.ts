import { Hono } from 'hono'
import type { AppContext, AppEnv } from '../../core/http/app-env.ts'
import { rejectPrefetch } from '../../core/http/fetch-metadata.ts'
import { validateQuery } from '../../core/http/validate.ts'
import { limitRequests } from '../../core/session/limit-requests-by-user.ts'
import {
  isStartedByUser,
  readSignInRequest,
  requireProvider,
  sameSignInUrl,
  signInInput,
} from '../../core/signin/start-sign-in.ts'
import type { ResolvedProvider } from '../../core/upstream/resolved-provider.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { hasQrSignIn } from './qr-setting.ts'
import { continueQrSignIn, startQrSignIn } from './sign-in.tsx'

const START_PATH = '/api/auth/signin/:provider/qr'
const STATUS_PATH = `${START_PATH}/:attempt` as const

export const qrRoutes = new Hono<AppEnv>()
  .use(START_PATH, rejectPrefetch, limitRequests)
  .use(STATUS_PATH, rejectPrefetch, limitRequests)
  .get(START_PATH, validateQuery(signInInput), async (c) => {
    const provider = requireQrProvider(c)
    const input = await readSignInRequest(c, c.req.valid('query'))
    if (!isStartedByUser(c, input)) return c.redirect(sameSignInUrl(input, '/signin'))
    return c.redirect(await startQrSignIn(c, provider, input), 303)
  })
  .get(STATUS_PATH, (c) => continueQrSignIn(c, requireQrProvider(c), c.req.param('attempt')))

function requireQrProvider(c: AppContext): ResolvedProvider {
  const provider = requireProvider(c)
  if (!hasQrSignIn(c.get('config'), provider.id)) throw new SignInError('not_found')
  return provider
}
