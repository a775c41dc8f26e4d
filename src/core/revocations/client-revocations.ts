import type { JWTPayload } from 'jose'
import type { Config } from '../config/config.ts'
import { BoundedMap } from '../storage/bounded-map.ts'
import { IsolateCache } from '../storage/isolate-cache.ts'
import { type PublishedRevocation, revocationDigest } from './revocation.ts'
import { readRevocationsOf } from './revocations-object.ts'

/** The revocations of each client, which take effect as soon as at APIs: within fifteen seconds. */
const cache = new IsolateCache<readonly PublishedRevocation[]>({
  failureEvent: 'revocations_unavailable',
  refreshAge: 5_000,
  maxOutageAge: 15_000,
})

/** For how many clients an isolate remembers them. */
const MAX_CLIENTS = 1000

/** What the copy of each client is stored under, by its id. */
const keys = new WeakMap<Config, BoundedMap<string, object>>()

type TokenIds = Pick<JWTPayload, 'jti' | 'iat'>

/** Whether a token of a client is revoked because of the client, or of the credential it used. */
export async function isClientRevoked(
  env: Env,
  clientId: string,
  token: TokenIds,
): Promise<boolean> {
  return isListed(await readRevocationsOf(env, clientId), clientId, token)
}

/** The same from what this isolate knows, which is at most fifteen seconds old. */
export async function isClientKnownAsRevoked(
  env: Env,
  config: Config,
  { clientId, claims }: { clientId: string; claims: TokenIds },
): Promise<boolean> {
  const read = () => readRevocationsOf(env, clientId)
  return isListed(await cache.get(keyOf(config, clientId), read), clientId, claims)
}

/** Makes this isolate ask again, because it has just revoked something of these clients. */
export function forgetRevocations(config: Config, clientIds: readonly string[]): void {
  for (const clientId of clientIds) cache.forget(keyOf(config, clientId))
}

function keyOf(config: Config, clientId: string): object {
  const known = keys.get(config) ?? new BoundedMap<string, object>(MAX_CLIENTS)
  keys.set(config, known)
  const key = known.get(clientId) ?? {}
  known.set(clientId, key)
  return key
}

async function isListed(
  revocations: readonly PublishedRevocation[],
  clientId: string,
  { jti = '', iat = 0 }: TokenIds,
): Promise<boolean> {
  if (revocations.length === 0) return false
  const digests = await Promise.all([clientId, ...jti.split('.')].map(revocationDigest))
  return revocations.some(
    ({ digest, before = Number.POSITIVE_INFINITY }) => digests.includes(digest) && iat <= before,
  )
}
