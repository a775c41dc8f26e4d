import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { UpstreamAccount } from '../../src/core/users/upstream-account.ts'
import type {
  OAuth2Config,
  OIDCConfig,
  OIDCProfile,
} from '../../src/provider-interface/oauth-types.ts'
import type { Provider } from '../../src/provider-interface/types.ts'
import { createVestibule } from '../../src/vestibule.ts'
import { Browser, serviceOf, WITHOUT_TIKTOK } from '../browser.ts'
import { declared, readConfig } from '../deployment.ts'
import { errorCode } from '../html.ts'
import { redirectUrl } from '../redirect.ts'
import { userObject } from '../storage.ts'

export const HOSTILE = 'https://hostile.example'
export const GIT = 'https://git.example'
export const GIT_ACCOUNT = `${GIT} 4711`

/** The settings of TikTok in the tested deployment. */
export const TIKTOK_SETTINGS = {
  AUTH_TIKTOK_ID: env.AUTH_TIKTOK_ID,
  AUTH_TIKTOK_SECRET: env.AUTH_TIKTOK_SECRET,
}

export interface GitProfile {
  id: number
  username: string
  name: string
  email: string
}

/** A provider of an operator, at the plain OAuth 2 server. */
export const acme: OAuth2Config<GitProfile> = {
  id: 'acme',
  name: 'Acme',
  type: 'oauth',
  issuer: GIT,
  jwks_endpoint: undefined,
  clientId: 'git-client',
  clientSecret: 'git-secret-7Hk2',
  authorization: `${GIT}/oauth/authorize`,
  token: `${GIT}/oauth/token`,
  userinfo: `${GIT}/api/v4/user`,
  profile: ({ id, name }) => ({ id: String(id), name }),
}

/** An OpenID Connect provider of an operator, at the hostile provider. */
export const company: OIDCConfig<OIDCProfile> = {
  id: 'company',
  name: 'Our company',
  type: 'oidc',
  issuer: `${HOSTILE}/plain`,
  jwks_endpoint: undefined,
  clientId: 'our-client',
  clientSecret: 'our-secret-Kq7vR2',
  checks: ['pkce', 'nonce'],
}

/** A browser at a deployment with these providers. */
export function browserFor(providers: Provider | Provider[], settings = {}): Browser {
  return new Browser(
    serviceOf(createVestibule({ providers: [providers].flat(), features: declared.features }), {
      ...WITHOUT_TIKTOK,
      ...settings,
    }),
  )
}

/** Starts a sign-in and returns the authorization request to the provider. */
export async function start(browser: Browser, id: string, query = ''): Promise<URL> {
  const headers = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'navigate' }
  return redirectUrl(await browser.get(`/api/auth/signin/${id}${query}`, headers), 302)
}

/** Signs in at the plain OAuth 2 server. */
export async function signInAtGit(browser: Browser, id: string, query = '') {
  const approved = await fetch(await start(browser, id, query), { redirect: 'manual' })
  return result(browser, await browser.get(redirectUrl(approved).href))
}

/** Signs in at the hostile provider, whose token response may have a fault. */
export async function signInAtHostile(browser: Browser, id: string, fault?: string) {
  const { searchParams } = await start(browser, id)
  const code = JSON.stringify({ nonce: searchParams.get('nonce') ?? undefined, fault })
  const query = new URLSearchParams({ code, state: searchParams.get('state') ?? '' })
  return result(browser, await browser.get(`/api/auth/callback/${id}?${query}`))
}

/** What a sign-in led to. */
export async function result(browser: Browser, response: Response) {
  const session = await browser.session()
  return { status: response.status, code: await errorCode(response), session }
}

/** What the user's object stores about an account. */
export function storedAccount(userId: string | undefined, key: string) {
  return runInDurableObject(userObject(userId), (_, { storage }) =>
    storage.kv.get<UpstreamAccount>(`upstream:${key}`),
  )
}

export async function storedTokens(userId: string | undefined, key: string) {
  const account = await storedAccount(userId, key)
  const sealed = account?.sealedTokens
  if (sealed === undefined) return undefined
  return JSON.parse((await readConfig(env).seal.open<'account'>('account', key, sealed)) ?? 'null')
}

/** A deployment in which accounts of two providers may be linked by this address. */
export function linking(
  email: string,
  isVerified: (id: string) => boolean | undefined,
  { settings = {}, hasFlag = (_: string): boolean => true } = {},
): Browser {
  const providers = ['one', 'two'].map((id) => ({
    ...acme,
    id,
    allowDangerousEmailAccountLinking: hasFlag(id),
    profile: () => {
      const emailVerified = isVerified(id)
      return { id: email, email, ...(emailVerified !== undefined && { emailVerified }) }
    },
  }))
  return browserFor(providers, settings)
}

/** Signs in with each of two providers. */
export async function signInWithBoth(browser: Browser) {
  const one = (await signInAtGit(browser, 'one')).session?.user
  browser.cookies.clear()
  const two = (await signInAtGit(browser, 'two')).session?.user
  return [one, two]
}
