import type { Client } from '../config/clients.ts'
import { randomSecret } from '../crypto/random.ts'
import { SignInError } from '../errors.ts'
import type { AppContext } from '../http/app-env.ts'
import { readReturnQuery } from '../http/return-url.ts'
import { confirmFreshSession } from '../session/current.ts'
import { authorizationUrl } from '../upstream/authorization-url.ts'
import { refusal } from '../upstream/refusal.ts'
import type { ResolvedProvider } from '../upstream/resolve.ts'
import { askingClient } from './asking-client.ts'
import { beginAttempt } from './attempt.ts'
import { makeProxiedState } from './redirect-proxy.ts'
import { homeOf, makeState } from './state.ts'

/** How a sign-in is to begin. */
export interface Start {
  callbackUrl?: string | undefined
  request?: string | undefined
  prompt?: 'login' | 'consent' | 'select_account' | undefined
  link?: string | undefined
  isRetry?: boolean
}

/** Begins an attempt, and says where it goes on. */
export async function startSignIn(
  c: AppContext,
  provider: ResolvedProvider,
  input: Start,
): Promise<string> {
  const config = c.get('config')
  const { prompt, link, isRetry = false } = input
  const isChoice = prompt === 'login' || prompt === 'select_account'
  const returnTo = await readReturnQuery(config, input)
  const name = c.get('requestId')
  const agent = c.req.header('User-Agent') ?? ''
  const proxied = provider.redirectProxyUrl && (await makeProxiedState(config, provider.id, name))
  // What goes the way again is a plain sign-in: once, and never in place of linking.
  const home = isRetry || link ? '' : homeOf(config, returnTo)
  const attempt = await beginAttempt(c, {
    provider: provider.id,
    state: proxied || (await makeState(config, provider.id, { name, home, agent })),
    nonce: provider.sendsNonce ? randomSecret() : '',
    returnTo,
    mayReplace: isChoice && c.req.header('Sec-Fetch-Site') !== 'same-site',
    isForced: prompt !== undefined,
    linkTo: link && (await whoLinks(c, link)),
  })
  try {
    return await authorizationUrl(
      provider,
      attempt,
      extraFor(provider, input, askingClient(config, returnTo)),
    )
  } catch (cause) {
    throw refusal(cause)
  }
}

/** What this attempt asks for besides, if anything. */
function extraFor(
  provider: ResolvedProvider,
  { prompt, link }: Start,
  client: Client | undefined,
): Record<string, string> | undefined {
  const needsMore = client !== undefined && client.upstream_scope.length > 0
  if (!prompt && !link && !needsMore) return undefined
  return {
    ...((prompt || link) && provider.reconsider),
    ...(needsMore && { scope: scopeFor(provider, client) }),
  }
}

/** What everybody is asked for, and what the asking app needs besides. */
export function scopeFor(
  { authorization, scopeSeparator }: ResolvedProvider,
  client: Client | undefined,
): string {
  const asked = authorization.params['scope'] ?? ''
  if (!client?.upstream_scope.length) return asked
  const all = new Set([...asked.split(scopeSeparator), ...client.upstream_scope])
  return [...all].filter(Boolean).join(scopeSeparator)
}

/**
 * The person who links an account. Only our own page can have made the link: another site that got a
 * browser to link an account of its choosing could sign in as that person ever after.
 */
async function whoLinks(c: AppContext, link: string): Promise<string> {
  const { user } = await confirmFreshSession(c)
  const until = await c.get('config').seal.open('link', user.id, link)
  const isOurs =
    c.req.header('Sec-Fetch-Site') === 'same-origin' && Number(until) > Date.now() / 1000
  if (!isOurs) throw new SignInError('cross_site')
  return user.id
}
