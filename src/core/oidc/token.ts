import { digest } from '../../foundation/crypto/digest.ts'
import { OAuthError } from '../../foundation/errors/oauth-error.ts'
import type { AuditEvent } from '../audit/audit-entry.ts'
import type { Config } from '../config/config.ts'
import type { GrantTerms } from '../grants/grant.ts'
import type { CodeRedemption, RedemptionResult, RotationResult } from '../grants/grants.ts'
import { type OpenedHandle, openHandle } from '../grants/handle.ts'
import { afterResponse } from '../http/after-response.ts'
import type { AppContext } from '../http/app-env.ts'
import { auditUserEvent } from '../http/audit.ts'
import { countedNetwork } from '../http/client-ip.ts'
import { addToLog } from '../http/request-log.ts'
import { limitCodeRequests } from '../limits/rate-limit.ts'
import { count } from '../metrics/count.ts'
import type { Counters } from '../metrics/metric-table.ts'
import type { AuthenticatedClient, Client } from '../registration-schemas/clients.ts'
import { findUserApis } from '../registrations/find-api.ts'
import { readKeyring } from '../tokens/keyring.ts'
import type { AccountSummary } from '../users/upstream-account.ts'
import type { UserRecord } from '../users/user.ts'
import { callUserObject, type GrantHolder, userObject } from '../users/user-object.ts'
import { findBoundTokens } from './bound-tokens.ts'
import { authenticateClient } from './client-authentication.ts'
import { issueMachineToken } from './client-credentials.ts'
import { readClientForm } from './form.ts'
import type { GrantType } from './grant-type.ts'
import { quoteParameter } from './invalid-target.ts'
import { type Issuance, issueTokens } from './issue-tokens.ts'
import { grantReader, limitByGrant } from './presented-grant.ts'
import { withoutUserinfo } from './protected-resources.ts'
import { isEndedByStep } from './steps-of-grant.ts'

/** The grant types of the core, in the order of the discovery document. */
const GRANT_TYPES: readonly GrantType[] = [
  ofCore('authorization_code', redeemCode),
  ofCore('refresh_token', refresh),
  ofCore('client_credentials', issueMachineToken),
]

function ofCore(name: GrantType['label'], issueTokens: GrantType['issueTokens']): GrantType {
  return { name, label: name, needsRegistration: true, issueTokens }
}

/** The grant types of this deployment. A feature cannot replace those of the core. */
export function grantTypes({ features }: Config): GrantType[] {
  return [...GRANT_TYPES, ...features.flatMap(({ grantTypes = [] }) => grantTypes)]
}

/** {@link https://www.rfc-editor.org/rfc/rfc6749#section-3.2} */
export async function token(c: AppContext): Promise<Response> {
  const form = await readClientForm(c)
  const requested = form.get('grant_type')
  const authenticated = await authenticateClient(c, form, () => limitGrant(c, requested, form))
  if (requested === null) throw new OAuthError('invalid_request', 'grant_type is missing.')
  const grantType = findGrantType(c.get('config'), requested, form)
  if (!grantType) {
    throw new OAuthError('unsupported_grant_type', 'This grant_type is not supported.')
  }
  const { name, label, needsRegistration, issueTokens } = grantType
  if (needsRegistration) requireGrantType(authenticated, name)
  const boundTokens = findBoundTokens(c.get('config'))
  const key = await boundTokens?.proveKey(c, authenticated)
  const tokens = await issueTokens(c, key ? { ...authenticated, key } : authenticated, form)
  // Only now, so that requests which are rejected leave nothing in storage.
  if (key) await boundTokens?.useProof(c, { key, grantType: name })
  count<Counters>('vestibule_tokens_issued_total', { grant_type: label })
  return c.json(tokens)
}

/**
 * A server redeems whatever codes browsers send to its redirect URI. They are therefore not counted
 * for its client, whose valid codes would be rejected after many invalid ones.
 */
async function limitGrant(
  c: AppContext,
  grantType: string | null,
  form: URLSearchParams,
): Promise<boolean> {
  if (grantType === 'refresh_token') {
    return limitByGrant(c, grantReader(c, form.get('refresh_token') ?? ''))
  }
  if (grantType !== 'authorization_code') return false
  const handle = await openCode(c, form)
  await limitCodeRequests(c.env, handle?.grantId ?? countedNetwork(c))
  return true
}

/** The code of the request, which is opened once. */
function openCode(c: AppContext, form: URLSearchParams): Promise<OpenedHandle | undefined> {
  const opened = c.get('openedCode') ?? openHandle(c.get('config'), 'code', form.get('code') ?? '')
  c.set('openedCode', opened)
  return opened
}

function findGrantType(
  config: Config,
  requested: string,
  form: URLSearchParams,
): GrantType | undefined {
  const found = grantTypes(config).filter(({ name }) => name === requested)
  if (found.length < 2) return found[0]
  const grantType = found.find(({ handles }) => handles?.(form))
  if (grantType) return grantType
  throw new OAuthError('invalid_request', 'This subject_token_type is not supported.')
}

export function requireGrantType(client: Client, grantType: string): void {
  if (!client.grant_types.includes(grantType)) {
    throw new OAuthError('unauthorized_client', `The client is not registered for ${grantType}.`)
  }
}

/** {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3} */
async function redeemCode(c: AppContext, client: AuthenticatedClient, form: URLSearchParams) {
  const verifier = form.get('code_verifier')
  if (!form.has('code')) throw new OAuthError('invalid_request', 'code is missing.')
  if (verifier !== null && !/^[\w.~-]{43,128}$/.test(verifier)) {
    throw new OAuthError('invalid_request', 'code_verifier is malformed.')
  }
  const resources = requestedApis(c.get('config'), form)
  const [handle, limits] = await Promise.all([
    requireHandle(c, openCode(c, form)),
    clientLimits(c, client, resources ?? []),
  ])
  const challenge = verifier === null ? undefined : await digest(verifier)
  const redirectUri = form.get('redirect_uri') ?? undefined
  return redeemHandle(c, client, { handle, redirectUri, challenge, resources, limits })
}

interface HandleRedemption extends Pick<CodeRedemption, 'redirectUri' | 'challenge' | 'limits'> {
  handle: OpenedHandle
  resources: readonly string[] | undefined
}

/** Redeems a code once, or the secret that a feature has for a grant, and issues the tokens of its grant. */
export async function redeemHandle(
  c: AppContext,
  client: AuthenticatedClient,
  { handle, redirectUri, challenge, resources, limits }: HandleRedemption,
) {
  const result = await callUserObject(c.env, handle.userId, (object) =>
    object.redeemCode(
      { ...toPresentation(client, { handle, resources, limits }), redirectUri, challenge },
      needsAccount(c, client),
    ),
  )
  const { terms, user, account } = requireAccepted(c, result, {
    client,
    userId: handle.userId,
    reuse: 'code_reused',
  })
  const issuance = {
    client,
    handle: { ...handle, generation: 1 },
    terms,
    user,
    account,
    scope: terms.scope,
    resources,
    nonce: terms.nonce,
  }
  try {
    return await issueTokens(c, issuance)
  } catch (error) {
    // The code is spent and nobody has the tokens, so the grant is of no use.
    afterResponse(c, endGrant(c, issuance))
    throw error
  }
}

async function endGrant(c: AppContext, { client, handle }: Issuance): Promise<void> {
  await userObject(c.env, handle.userId).endGrant(handle.grantId, client.client_id)
}

/** {@link https://www.rfc-editor.org/rfc/rfc6749#section-6} */
async function refresh(c: AppContext, client: AuthenticatedClient, form: URLSearchParams) {
  const refreshToken = form.get('refresh_token')
  if (!refreshToken) throw new OAuthError('invalid_request', 'refresh_token is missing.')
  if (!client.scope.includes('offline_access')) throw new OAuthError('invalid_grant', INVALID_GRANT)
  const resources = requestedApis(c.get('config'), form)
  const [handle, limits] = await Promise.all([
    requireHandle(c, openHandle(c.get('config'), 'refresh', refreshToken)),
    clientLimits(c, client, resources ?? []),
  ])
  const scope = [...new Set(form.get('scope')?.split(' ').filter(Boolean))]
  const result = await callUserObject(c.env, handle.userId, (object) =>
    object.rotateRefreshToken(
      { ...toPresentation(client, { handle, resources, limits }), scope },
      needsAccount(c, client),
    ),
  )
  const {
    terms,
    user,
    account,
    generation = 1,
  } = requireAccepted(c, result, {
    client,
    userId: handle.userId,
    reuse: 'refresh_token_reused',
  })
  const issuance = {
    client,
    handle: { ...handle, generation },
    keepsRefreshToken: generation === handle.generation,
    terms,
    user,
    account,
    scope: scope.length > 0 ? scope : terms.scope,
    resources,
    nonce: undefined,
  }
  try {
    await requireStepsOfGrant(c, issuance)
    return await issueTokens(c, issuance)
  } catch (error) {
    // The client still has the former token only. If the failure is ours, it can try again for
    // another grace period. A request that we refuse could otherwise be repeated for ever.
    const isRefused = error instanceof OAuthError
    if (!issuance.keepsRefreshToken && !isRefused) {
      afterResponse(c, extendGracePeriod(c, issuance))
    }
    throw error
  }
}

function toPresentation(
  { client_id: clientId, key }: AuthenticatedClient,
  { handle, resources = [], limits }: Omit<HandleRedemption, 'redirectUri' | 'challenge'>,
) {
  const { grantId, secretDigest, generation } = handle
  return { grantId, secretDigest, generation, clientId, resources, limits, key }
}

/** Ends a grant from before a step that ends it. */
async function requireStepsOfGrant(c: AppContext, issuance: Issuance): Promise<void> {
  if (!(await isEndedByStep(c, issuance))) return
  await endGrant(c, issuance)
  throw new OAuthError('invalid_grant', INVALID_GRANT)
}

async function extendGracePeriod(c: AppContext, { handle }: Issuance): Promise<void> {
  await userObject(c.env, handle.userId).extendGracePeriod(handle.grantId, handle.generation)
}

/** The account has the parts of the user's name, and what callbacks receive. */
function needsAccount(c: AppContext, { id_token_claims, scope }: Client): boolean {
  const hasNames = id_token_claims === 'full' && scope.includes('profile')
  return hasNames || c.get('config').callbacks.claims !== undefined
}

/** A code or refresh token that we have issued. Others are rejected before any object is called. */
async function requireHandle(
  c: AppContext,
  opened: Promise<OpenedHandle | undefined>,
): Promise<OpenedHandle> {
  // Without a key to sign with, the code would be spent for nothing.
  const [handle] = await Promise.all([opened, readKeyring(c.env, c.get('config'))])
  if (!handle) throw new OAuthError('invalid_grant', INVALID_GRANT)
  return handle
}

/** The same text for every reason, so that it reveals nothing about the grant. */
const INVALID_GRANT =
  'The code or refresh token is invalid, expired, used, or was issued to another client.'

/**
 * Who presented a code or refresh token, and what the audit log records if it had been used before.
 */
interface Presented {
  client: Client
  userId: string
  reuse: AuditEvent
}

function requireAccepted(
  c: AppContext,
  result: (RedemptionResult | RotationResult) & GrantHolder,
  { client, userId, reuse }: Presented,
): {
  terms: GrantTerms
  user: UserRecord
  account: AccountSummary | undefined
  generation?: number
} {
  if (!('rejected' in result) && result.user) {
    const { user, account } = result
    return { ...result, user, account }
  }
  const { rejected: reason = 'invalid', resource = '' } = 'rejected' in result ? result : {}
  if (reason === 'replayed') {
    addToLog(c, { event: 'grant_replayed', userId })
    auditUserEvent(c, userId, { event: reuse, client: client.client_id })
  }
  if (reason === 'proof_replayed') findBoundTokens(c.get('config'))?.rejectReplay()
  if (reason === 'resource_not_granted') {
    const text = `${quoteParameter(resource)} was not granted: the authorization request must have it as a resource, and the client must still be allowed to use it.`
    throw new OAuthError('invalid_target', text)
  }
  if (reason === 'scope_not_granted') {
    throw new OAuthError('invalid_scope', 'One of the scopes was not granted.')
  }
  throw new OAuthError('invalid_grant', INVALID_GRANT)
}

/**
 * The APIs that the client requests a token for: none if it is for userinfo only; undefined, which
 * means all that were granted, if the client does not say.
 */
export function requestedApis(config: Config, form: URLSearchParams): string[] | undefined {
  const requested = form.getAll('resource')
  return requested.length > 0 ? withoutUserinfo(config, requested) : undefined
}

/**
 * What the client may request a token for. Reads the APIs before the code is spent, so that it is
 * not spent for nothing if they cannot be read.
 */
export async function clientLimits(c: AppContext, client: Client, requested: readonly string[]) {
  const { resources } = await findUserApis(c.env, c.get('config'), {
    client,
    resources: [...new Set([...requested, ...client.resources])],
  })
  return {
    registeredAt: client.registeredAt,
    scope: client.unregistered ? undefined : client.scope,
    resources,
  }
}

declare module '../http/app-env.ts' {
  interface RequestVariables {
    /** What the code of a token request contains, once it has been opened. */
    openedCode: Promise<OpenedHandle | undefined> | undefined
  }
}
