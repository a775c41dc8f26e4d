import * as z from 'zod/mini'
import { oneOf } from '../config/schemas.ts'
import { reported, SIGN_IN_ERRORS, SignInError, type SignInErrorCode } from '../errors.ts'
import type { AppContext } from '../http/app-env.ts'
import { openToClients, ownPosts } from '../http/cross-origin.ts'
import { csrfToken } from '../http/csrf.ts'
import { explain } from '../http/error-response.tsx'
import { note } from '../http/request-log.ts'
import { defaultReturnUrl, readReturnQuery } from '../http/return-url.ts'
import { room } from '../http/room.ts'
import { readQuery, validForm } from '../http/validate.ts'
import { visit } from '../http/visit.ts'
import type { AppProvider } from '../providers/types.ts'
import { readSession } from '../session/current.ts'
import { enabledProviders } from '../upstream/enabled-providers.ts'
import type { ResolvedProvider } from '../upstream/resolve.ts'
import { takeAttempt } from './attempt.ts'
import { finishSignIn } from './finish.ts'
import { startQrLogin, waitForPhone } from './qr.tsx'
import { proxiedCallback } from './redirect-proxy.ts'
import { respondWithSignInPage } from './sign-in-page.tsx'
import { startSignIn } from './start.ts'
import { readState } from './state.ts'

/** The prompts of OpenID Connect that make sense here: each shows the platform's page again. */
const start = z.object({
  callbackUrl: z.optional(z.string()),
  /** In its place, from our own authorization endpoint: the request that the person came with. */
  request: z.optional(z.string()),
  prompt: z.optional(oneOf('login', 'consent', 'select_account')),
  csrfToken: z.optional(z.string()),
  /** Made by our account page: links the account to who is signed in. */
  link: z.optional(z.string()),
})

function atMost(longest: number) {
  return z.optional(z.string().check(z.refine((text) => text.length <= longest)))
}

const short = atMost(512)

/** {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2}, and sizes beyond which it is no such thing. */
const callback = z.object({
  code: atMost(4096),
  state: short,
  iss: short,
  error: short,
  error_description: atMost(2048),
  error_type: short,
})

/** `/api/auth/signin`, `/callback`, `/providers`, `/csrf` and `/error`: people come in. */
export const signin = room()
  .use('/signin/:provider', visit)
  .use('/signin/:provider/qr/*', visit)
  .use('/callback/:provider', visit)
  .use('/providers', openToClients('GET'))
  .use('/csrf', openToClients('GET'))

  .get('/signin', async (c) => {
    const input = readQuery(c, start)
    return respondWithSignInPage(c, await readReturnQuery(c.get('config'), input), input.prompt)
  })
  .get('/signin/:provider', async (c) => {
    const input = readQuery(c, start)
    // Another site may lead here, but the person has to want it: they get the page with the button.
    if (!isWanted(c, input)) {
      findProvider(c)
      const returnTo = await readReturnQuery(c.get('config'), input)
      return respondWithSignInPage(c, returnTo, input.prompt)
    }
    return c.redirect(await startSignIn(c, findProvider(c), input))
  })
  .post('/signin/:provider', ownPosts, validForm(start), async (c) => {
    return c.redirect(await startSignIn(c, findProvider(c), c.req.valid('form')), 303)
  })

  .get('/signin/:provider/qr', async (c) => {
    const input = readQuery(c, start)
    const returnTo = await readReturnQuery(c.get('config'), input)
    if (!isWanted(c, input)) return respondWithSignInPage(c, returnTo, input.prompt)
    return c.redirect(await startQrLogin(c, findProvider(c), returnTo), 303)
  })
  .get('/signin/:provider/qr/:handle', (c) =>
    waitForPhone(c, findProvider(c), c.req.param('handle')),
  )

  .get('/callback/:provider', async (c) => {
    const provider = findProvider(c)
    const { state, error, error_type } = readQuery(c, callback)
    if (error) note(c, reported({ upstreamError: error, upstreamErrorType: error_type }))
    const attempt = await takeAttempt(c, provider.id, state)
    if (!attempt) return passOn(c, provider)
    const { searchParams } = new URL(c.req.url)
    return c.redirect(await finishSignIn(c, provider, attempt, searchParams))
  })
  // A provider that posts its answer posts it from its own site, without our cookies (SameSite=Lax):
  // the browser asks again, and brings them.
  .post('/callback/:provider', validForm(callback), (c) => {
    const { callbackUrl } = findProvider(c)
    const parameters = Object.entries(c.req.valid('form')).filter(
      ([, value]) => value !== undefined,
    )
    return c.redirect(
      `${callbackUrl}?${new URLSearchParams(parameters as [string, string][])}`,
      303,
    )
  })

  .get('/providers', (c) => {
    const providers = enabledProviders(c.get('config')).map(toAppProvider)
    return c.json(Object.fromEntries(providers.map((provider) => [provider.id, provider])))
  })
  .get('/csrf', async (c) => c.json({ csrfToken: await csrfToken(c) }))
  .get('/error', (c) => {
    const code = c.req.query('error') ?? ''
    if (!isErrorCode(code)) throw new SignInError('request_invalid')
    return explain(c, code)
  })

/** No attempt of this browser's here: it belongs to another deployment, was finished before, or is nobody's. */
async function passOn(c: AppContext, provider: ResolvedProvider): Promise<Response> {
  const config = c.get('config')
  const elsewhere = await proxiedCallback(config, provider.id, new URL(c.req.url))
  const { code, state } = c.req.query()
  const lost = await readState(config, provider.id, state)
  const attempt = elsewhere?.name ?? lost.name
  if (attempt) note(c, { attempt })
  if (elsewhere) return c.redirect(elsewhere.address)
  if (await readSession(c)) return c.redirect(defaultReturnUrl(config))
  // Phones lose cookies when they change the browser. What came is left alone, and the way is gone once more from here.
  if (!code || !lost.home) throw new SignInError('attempt_missing')
  return c.redirect(await startSignIn(c, provider, { callbackUrl: lost.home, isRetry: true }))
}

/** A person went here, by a link of ours or of a sibling, for an app of ours, or by typing it. Old browsers do not tell. */
function isWanted(c: AppContext, { request }: z.infer<typeof start>): boolean {
  const site = c.req.header('Sec-Fetch-Site')
  const mode = c.req.header('Sec-Fetch-Mode') ?? 'navigate'
  return (site !== 'cross-site' || request !== undefined) && mode === 'navigate'
}

function findProvider(c: AppContext): ResolvedProvider {
  const provider = enabledProviders(c.get('config')).find(
    ({ id }) => id === c.req.param('provider'),
  )
  if (!provider) throw new SignInError('provider_unknown')
  return provider
}

function toAppProvider({ id, name, type, signinUrl, callbackUrl }: ResolvedProvider): AppProvider {
  return { id, name, type, signinUrl, callbackUrl }
}

function isErrorCode(code: string): code is SignInErrorCode {
  return Object.hasOwn(SIGN_IN_ERRORS, code)
}
