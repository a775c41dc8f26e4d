import { Hono } from 'hono'
import { SignInError } from '../../errors/sign-in-error.ts'
import type { AppContext, AppEnv } from '../../http/app-env.ts'
import { rejectPrefetch } from '../../http/fetch-metadata.ts'
import { validateQuery } from '../../http/validate.ts'
import { limitRequests } from '../../session/limit-requests-by-user.ts'
import {
  isStartedByUser,
  readSignInRequest,
  requireProvider,
  sameSignInUrl,
  signInInput,
} from '../../signin/start-sign-in.ts'
import type { ResolvedProvider } from '../../upstream/resolved-provider.ts'
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
