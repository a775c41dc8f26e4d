import { type OpenedHandle, openHandle } from '../grants/handle.ts'
import type { AppContext } from '../http/app-env.ts'
import { limitGrantRequests } from '../limits/rate-limit.ts'
import { type AccessToken, verifyAccessToken } from '../tokens/verify.ts'

/** What a client presents: a refresh token or an access token of a user, which may be of a grant that has ended. */
export interface PresentedGrant {
  refreshToken?: OpenedHandle | undefined
  accessToken?: AccessToken | undefined
}

/** Opens a token of ours when it is needed, once. */
export function grantReader(c: AppContext, token: string): () => Promise<PresentedGrant> {
  let presented: Promise<PresentedGrant> | undefined
  return () => {
    presented ??= readGrant(c, token)
    return presented
  }
}

async function readGrant(c: AppContext, token: string): Promise<PresentedGrant> {
  const config = c.get('config')
  const refreshToken = await openHandle(config, 'refresh', token)
  if (refreshToken) return { refreshToken }
  return { accessToken: await verifyAccessToken(c.env, config, token) }
}

/**
 * Counts a request by the grant that its client presents: users, and whoever has their tokens, make
 * servers send as many requests as they like, which must not use up the limit of the client. Returns
 * false if there is no grant to count it by.
 */
export async function limitByGrant(
  c: AppContext,
  read: () => Promise<PresentedGrant>,
): Promise<boolean> {
  const { refreshToken, accessToken } = await read()
  const grantId = refreshToken?.grantId ?? accessToken?.grantId
  if (grantId !== undefined) await limitGrantRequests(c.env, grantId)
  return grantId !== undefined
}
