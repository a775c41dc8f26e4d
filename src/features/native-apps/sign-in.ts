import type { SignInOrigin } from '../../core/audit/user-events.ts'
import { ATTEMPT_LIFETIME } from '../../core/config/lifetimes.ts'
import type { AppContext } from '../../core/http/app-env.ts'
import { auditOrigin } from '../../core/http/audit.ts'
import { addToLog } from '../../core/http/request-log.ts'
import { useDigestOnce } from '../../core/limits/use-once.ts'
import { requestedConsent } from '../../core/oidc/consent.tsx'
import { parseAccess } from '../../core/oidc/parse-authorization-request.ts'
import { clientLimits, redeemHandle, requestedApis } from '../../core/oidc/token.ts'
import { type AuthenticatedClient, clientSince } from '../../core/registration-schemas/clients.ts'
import { describeDevice } from '../../core/session/device.ts'
import { explainNoSession } from '../../core/session/open-session.ts'
import { askSteps } from '../../core/session/steps.ts'
import {
  type AdmittedUser,
  admitUser,
  announceAddedMethod,
  reportPendingSignIn,
  reportSignIn,
} from '../../core/signin/admit-user.ts'
import { type Attempt, createAttempt } from '../../core/signin/attempt.ts'
import {
  grantedScopes,
  type IdentifiedAccount,
  identifyAccount,
} from '../../core/signin/identified-account.ts'
import {
  auditFailure,
  reportFailure,
  toRecoverableError,
} from '../../core/signin/sign-in-failure.ts'
import { logSignIn } from '../../core/signin/start-sign-in.ts'
import { longestTokenLifetime } from '../../core/tokens/access-token.ts'
import { readKeyring } from '../../core/tokens/keyring.ts'
import type { IdentifiedUser } from '../../core/upstream/identify-user.ts'
import type { ResolvedProvider } from '../../core/upstream/resolved-provider.ts'
import { findOwner } from '../../core/users/directory.ts'
import { digest } from '../../foundation/crypto/digest.ts'
import { randomId, randomSecret } from '../../foundation/crypto/random.ts'
import { OAuthError } from '../../foundation/errors/oauth-error.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { callNativeUser, NATIVE_REDIRECT_URI } from './native-user-object.ts'

/** A sign-in by what an SDK has returned to an app. */
interface NativeSignIn {
  provider: ResolvedProvider
  form: URLSearchParams
  /** What may be used once. */
  usedOnce: string
  /** Identifies the user, after it was used. */
  identify(): Promise<IdentifiedUser>
}

/**
 * Signs a user in to an app, and returns tokens as for a code. The rules are those of a sign-in in a
 * browser. Where that would show a page, the app is told to open one.
 */
export async function signInToApp(
  c: AppContext,
  client: AuthenticatedClient,
  { provider, form, usedOnce, identify }: NativeSignIn,
) {
  const config = c.get('config')
  const access = await parseAccess(
    c,
    { client, scope: form.get('scope') ?? undefined, resources: form.getAll('resource') },
    (text) => new OAuthError('invalid_target', text),
  )
  const resources = requestedApis(config, form)
  // Before anything is spent, as for a code.
  const [limits] = await Promise.all([
    clientLimits(c, client, resources ?? []),
    readKeyring(c.env, config),
  ])
  const state = await digest(usedOnce)
  const attempt = createAttempt(c, {
    provider: provider.id,
    state,
    nonce: '',
    mayReplaceSession: true,
    level: 'silent',
  })
  logSignIn(c, provider, client)
  await requireFirstUse(c, state)
  const user = await identify().catch((error) => {
    throw toOAuthError(error)
  })
  const { network, requestId } = auditOrigin(c, 'anonymous')
  const origin = { client: client.client_id, network, requestId }
  try {
    const identified = await identifyWithoutEmail(c, provider, user)
    requireUpstreamScope(client, identified)
    const admitted = await admit(c, provider, identified, { attempt, origin })
    const toReport = { ...admitted, origin }
    const { steps, path } = await askStepsOf(c, client, admitted)
    if (path !== undefined || admitted.hasUnconfirmed) {
      reportPendingSignIn(c, toReport)
      throw interactionRequired()
    }
    const userId = admitted.user.id
    const secret = randomSecret()
    const secretDigest = await digest(secret)
    const grantId = randomId('gnt')
    const result = await callNativeUser(c.env, userId, (object) =>
      object.openAppSession(
        {
          ...admitted.opening,
          ...(steps && { steps }),
          // Nobody has the secret of the session, so that only the app's tokens belong to it.
          secretDigest: `app ${secretDigest}`,
          sid: randomId('ses'),
          attempt: state,
          user: admitted.user,
          device: client.client_name,
          place: describeDevice(c).place,
        },
        {
          authenticatedSince: undefined,
          promptedSince: undefined,
          acr: undefined,
          acrRequestedAt: undefined,
          subject: undefined,
          isSilent: true,
          forceConsent: false,
          consent: client.first_party
            ? undefined
            : requestedConsent({ ...access, client, claims: NO_CLAIMS }),
          clientSince: clientSince(client),
          upstreamScope: client.upstream_scope,
          grantId,
          secretDigest,
          terms: {
            clientId: client.client_id,
            redirectUri: NATIVE_REDIRECT_URI,
            scope: access.scope,
            resources: access.resources,
            accessTokenLifetime: longestTokenLifetime(config, access.apis, access.resources),
            claims: NO_CLAIMS,
            nonce: form.get('nonce') ?? undefined,
            codeChallenge: undefined,
          },
        },
      ),
    )
    if (result === 'ended') throw await explainNoSession(c, userId)
    if (result !== 'granted') {
      reportPendingSignIn(c, toReport)
      throw interactionRequired()
    }
    addToLog(c, { event: 'signin', userId })
    await announceAddedMethod(c, admitted)
    reportSignIn(c, toReport)
    return redeemHandle(c, client, {
      handle: { userId, grantId, secret, secretDigest, generation: 0 },
      redirectUri: NATIVE_REDIRECT_URI,
      challenge: undefined,
      resources,
      limits,
    })
  } catch (error) {
    if (error instanceof OAuthError) throw error
    const failure = toRecoverableError(error) ?? error
    reportFailure(c, provider, failure)
    auditFailure(c, provider, { error: failure, origin, attempt })
    throw toOAuthError(failure)
  }
}

const NO_CLAIMS = { userinfo: [], id_token: [] }

/** Of several requests with the same token or code, only the first is accepted. */
async function requireFirstUse(c: AppContext, digest: string): Promise<void> {
  // Longer than a token is recent enough, and a nonce or a code is valid.
  const expiresAt = nowInSeconds() + 2 * ATTEMPT_LIFETIME
  if (await useDigestOnce(c.env, 'apps', { digest, expiresAt })) return
  throw new OAuthError('invalid_grant', 'The token, nonce or code was already used.')
}

/**
 * An account is never linked by its email address, which an app has sent. If a sign-in in the
 * browser would do that, the user has to sign in there.
 */
async function identifyWithoutEmail(
  c: AppContext,
  provider: ResolvedProvider,
  user: IdentifiedUser,
): Promise<IdentifiedAccount> {
  const config = c.get('config')
  const byEmail = identifyAccount(config, provider, user)
  // An ID token may have less than the profile that a browser's sign-in reads.
  const method = { ...provider, hasPartialProfile: true, allowDangerousEmailAccountLinking: false }
  const identified = identifyAccount(config, method, user)
  if (!provider.allowDangerousEmailAccountLinking || !byEmail.account || !identified.account) {
    return identified
  }
  const [linkedOwner, owner] = await Promise.all([
    findOwner(c.env, config, byEmail.account),
    findOwner(c.env, config, identified.account),
  ])
  if (linkedOwner !== owner) throw interactionRequired()
  return identified
}

/** The app may need scopes that only a sign-in in the browser requests. */
function requireUpstreamScope(
  { upstream_scope }: AuthenticatedClient,
  { tokens }: IdentifiedUser,
): void {
  const granted = grantedScopes(tokens)
  if (!upstream_scope.every((scope) => granted.includes(scope))) throw interactionRequired()
}

/** Admits the user, unless they have to see a page. */
async function admit(
  c: AppContext,
  provider: ResolvedProvider,
  identified: IdentifiedAccount,
  { attempt, origin }: { attempt: Attempt; origin: SignInOrigin },
): Promise<AdmittedUser> {
  const admitted = await admitUser(c, provider, identified, {
    attempt,
    origin,
    isConditional: true,
    readCurrent: async () => undefined,
  })
  if ('elsewhere' in admitted) throw interactionRequired()
  return admitted
}

/** The steps that are not asked of this user. If one is, the app has to open a page. */
function askStepsOf(c: AppContext, client: AuthenticatedClient, { user, opening }: AdmittedUser) {
  const { level, amr, account, authenticatedAt = nowInSeconds() } = opening
  return askSteps(c, { user, level, amr, authenticatedAt, method: account, client })
}

function interactionRequired(): OAuthError {
  const text = 'The user must see a page of this service: send an authorization request.'
  return new OAuthError('interaction_required', text)
}

/** The errors of a sign-in whose cause is not what the app has sent. */
const ERRORS: Readonly<Partial<Record<string, () => OAuthError>>> = {
  user_blocked: () => new OAuthError('access_denied', 'The user may not sign in.'),
  not_allowed: () => new OAuthError('access_denied', 'The user may not sign in.'),
  scope_missing: interactionRequired,
  provider_unavailable: unavailable,
  unavailable,
}

function unavailable(): OAuthError {
  return new OAuthError('temporarily_unavailable', 'The provider did not respond: try again.')
}

/** The error for the app, if the user would be informed of one. */
export function toOAuthError(error: unknown): unknown {
  if (!(error instanceof SignInError)) return error
  const known = ERRORS[error.code]
  if (known) return known()
  return new OAuthError('invalid_grant', `The sign-in failed: ${error.code}.`, { cause: error })
}
