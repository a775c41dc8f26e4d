import type { Config } from '../config/config.ts'
import { verifyJwt } from './jwk.ts'
import { readKeyring } from './keyring.ts'

/** An access token of ours that has come back. */
export interface AccessToken {
  userId: string
  grantId: string
  clientId: string
  scope: readonly string[]
  audience: readonly string[]
  claims: Record<string, unknown>
}

/** What an access token of ours says, while it lives. Whether its grant does, the object knows. */
export async function verifyAccessToken(
  env: Env,
  config: Config,
  token: string,
): Promise<AccessToken | undefined> {
  const { verifyingKeys } = await readKeyring(env, config)
  const { header, claims } = (await verifyJwt(token, verifyingKeys)) ?? {}
  const isAccess = header?.['typ'] === 'at+jwt' || claims?.['token_use'] === 'access'
  if (!claims || !isAccess || claims['iss'] !== config.issuer) return undefined
  const { exp } = claims
  if (!Number.isSafeInteger(exp) || Number(exp) <= Date.now() / 1000) return undefined
  const [grantId = ''] = String(claims['jti']).split('.')
  return {
    userId: String(claims['sub']),
    grantId,
    clientId: String(claims['client_id']),
    scope: String(claims['scope'] ?? '').split(' '),
    audience: [claims['aud']].flat().map(String),
    claims,
  }
}

/** Whom an ID token of ours was about, and for whom. It may have expired (OpenID Connect Core §3.1.2.2). */
export async function verifyIdTokenHint(
  env: Env,
  config: Config,
  token: string,
): Promise<{ subject: string; clientId: string; sid: string } | undefined> {
  const { verifyingKeys } = await readKeyring(env, config)
  const { header, claims } = (await verifyJwt(token, verifyingKeys)) ?? {}
  const isIdToken = header?.['typ'] === 'JWT' && claims?.['token_use'] === undefined
  if (!claims || !isIdToken || claims['iss'] !== config.issuer) return undefined
  return {
    subject: String(claims['sub']),
    clientId: String(claims['aud']),
    sid: String(claims['sid']),
  }
}
