import { Hono } from 'hono'
import * as z from 'zod/mini'
import { respondNotLinked } from '../../core/account/disconnect.tsx'
import { keepAddedMethod } from '../../core/account/keep-added-method.ts'
import { afterResponse, emitEvent } from '../../core/http/after-response.ts'
import type { AppContext, AppEnv } from '../../core/http/app-env.ts'
import { auditOrigin } from '../../core/http/audit.ts'
import { requireOwnPage } from '../../core/http/cross-origin.ts'
import { csrfToken } from '../../core/http/csrf.ts'
import { rejectPrefetch } from '../../core/http/fetch-metadata.ts'
import { addToLog } from '../../core/http/request-log.ts'
import { validateForm, validateQuery } from '../../core/http/validate.ts'
import { withTexts } from '../../core/messages/messages.ts'
import { confirmedAccountPath } from '../../core/pages/account-path.ts'
import { continueAt } from '../../core/pages/continue-page.tsx'
import { errorResponse } from '../../core/pages/error-response.tsx'
import { messagesFor, respondWithPage } from '../../core/pages/page-response.tsx'
import { limitRequests, limitRequestsByUser } from '../../core/session/limit-requests-by-user.ts'
import { requireRecentSession } from '../../core/session/recent-session.ts'
import type { Attempt } from '../../core/signin/attempt.ts'
import { finishSignIn } from '../../core/signin/finish-sign-in.ts'
import { reportFailure } from '../../core/signin/sign-in-failure.ts'
import {
  choosesAccount,
  readSignInRequest,
  sameSignInUrl,
  signInInput,
} from '../../core/signin/start-sign-in.ts'
import { type SignInMethod, toSignInMethod } from '../../core/upstream/sign-in-methods.ts'
import { findByDigest, toEventAccount } from '../../core/users/account-reference.ts'
import { type AdditionMarks, linkAccount } from '../../core/users/directory.ts'
import type { LinkedAccount } from '../../core/users/directory-rows.ts'
import { listAccounts } from '../../core/users/linked-accounts.ts'
import { toStoredName } from '../../core/users/profile.ts'
import type { UserRecord } from '../../core/users/user.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import type { WebAuthnConfig } from '../../provider-interface/local-types.ts'
import { beginCeremony, takeCeremony } from './ceremony.ts'
import createScript from './create-script.txt'
import {
  type AssertionResponse,
  parseAssertion,
  parseAttestation,
  readClientData,
} from './credential-response.ts'
import { identifyByPasskey } from './identify-by-passkey.ts'
import { CreatePage, RenamePage } from './pages.tsx'
import { storePasskeyCopy } from './passkey-copies.ts'
import { namePasskey } from './passkey-name.ts'
import { callPasskeyObject } from './passkey-object.ts'
import { MAX_PASSKEYS, PASSKEY_PROVIDER, type Passkey, passkeyAccount } from './passkeys.ts'
import { CREATE_PASSKEY_PATH, RENAME_PASSKEY_PATH } from './paths.ts'
import { relabelAccount } from './relabel-account.ts'
import { canHavePasskeys, creationOptions, relatedOrigins } from './relying-party.ts'
import renameScript from './rename-script.txt'
import { unknownPasskeyPart } from './signals.tsx'
import type { en } from './texts.ts'
import { rejected, verifyAttestation } from './verify-response.ts'

/** Passkeys are added on the account page, not linked by a sign-in. */
const signInQuery = z.omit(signInInput, { link: true })

const assertionForm = z.object({ ...signInQuery.shape, credential: z.string() })
const attestationForm = z.object({ credential: z.string() })
const renameQuery = z.object({ account: z.string() })
const renameForm = z.object({ account: z.string(), name: z.string() })

const SIGN_IN_PATH = '/api/auth/signin/passkey'

/** Signing in with a passkey, and adding and renaming passkeys. */
export function createPasskeyRoutes(provider: WebAuthnConfig): Hono<AppEnv> {
  const method = toSignInMethod(provider)
  return (
    new Hono<AppEnv>()
      .get('/.well-known/webauthn', (c) => c.json(relatedOrigins(c.get('config'))))
      .use(SIGN_IN_PATH, rejectPrefetch, limitRequests, requireOwnPage)
      // Links lead to the page with the button, because only its script can use a passkey.
      .get(SIGN_IN_PATH, validateQuery(signInQuery), async (c) => {
        const input = await readSignInRequest(c, c.req.valid('query'))
        return c.redirect(sameSignInUrl(input, '/signin'))
      })
      .post(SIGN_IN_PATH, validateForm(assertionForm), async (c) => {
        const { credential, ...input } = c.req.valid('form')
        const response = parseAssertion(credential)
        const { interaction, prompt } = await readSignInRequest(c, input)
        const taken = await takeSignIn(c, method, response)
        const isSignIn = taken.local?.['ceremony'] === 'sign_in'
        const attempt = {
          ...taken,
          interactionId: interaction.id,
          mayReplaceSession: isSignIn && choosesAccount(c.get('config'), { prompt, interaction }),
        }
        try {
          const continueUrl = await finishSignIn(c, method, attempt, () =>
            identifyByPasskey(c, attempt, response),
          )
          return continueAt(c, continueUrl)
        } catch (error) {
          if (!(error instanceof SignInError) || error.code !== 'passkey_unknown') throw error
          return errorResponse(error, c, unknownPasskeyPart(c.get('config'), response.id))
        }
      })

      .use('/account/passkeys/*', requireOwnPage, limitRequestsByUser('account'))
      .get(CREATE_PASSKEY_PATH, rejectPrefetch, createPage)
      .post('/account/passkeys', validateForm(attestationForm), async (c) => {
        await addPasskey(c, c.req.valid('form').credential)
        return c.redirect(confirmedAccountPath('passkeyAdded'), 303)
      })
      .get(RENAME_PASSKEY_PATH, validateQuery(renameQuery), (c) =>
        renamePage(c, c.req.valid('query').account),
      )
      .post(RENAME_PASSKEY_PATH, validateForm(renameForm), async (c) => {
        const { account, name } = c.req.valid('form')
        await renamePasskey(c, { digest: account, name: requireName(name) })
        return c.redirect(confirmedAccountPath('passkeyRenamed'), 303)
      })
  )
}

/** Takes the attempt of a sign-in or a confirmation, and reports if there is none. */
async function takeSignIn(
  c: AppContext,
  method: SignInMethod,
  response: AssertionResponse,
): Promise<Attempt> {
  try {
    const { challenge } = readClientData(response)
    return await takeCeremony(c, challenge, ['sign_in', 'confirm'])
  } catch (error) {
    reportFailure(c, method, error)
    throw error
  }
}

/** Users who have not signed in recently do so first, and return to the page. */
async function createPage(c: AppContext): Promise<Response> {
  const config = c.get('config')
  if (!canHavePasskeys(config)) throw new SignInError('not_found')
  const { user } = await requireRecentSession(c)
  const passkeys = await callPasskeyObject(c.env, user.id, (object) => object.listPasskeys())
  if (passkeys.length >= MAX_PASSKEYS) return c.redirect('/account')
  const { state: challenge } = await beginCeremony(c, {
    ceremony: 'create',
    userId: user.id,
  })
  const messages = withTexts<typeof en>(await messagesFor(c))
  return respondWithPage(
    c,
    <CreatePage
      messages={messages}
      options={await creationOptions(config, challenge, { user, passkeys })}
      csrfToken={await csrfToken(c)}
    />,
    {
      title: messages.t('passkeys.createTitle'),
      script: createScript,
      isRepeatable: true,
    },
  )
}

/**
 * Stores a new passkey in the user's object, then in the directory: only there it becomes usable.
 * If the directory fails, or the session has ended meanwhile, the object forgets it again.
 */
async function addPasskey(c: AppContext, credential: string): Promise<void> {
  const config = c.get('config')
  const { user, marks } = await requireRecentSession(c, CREATE_PASSKEY_PATH)
  const response = parseAttestation(credential)
  const { challenge } = readClientData(response)
  const attempt = await takeCeremony(c, challenge, ['create'])
  if (attempt.local?.['userId'] !== user.id) throw new SignInError('attempt_missing')
  const verified = await verifyAttestation(config, challenge, response)
  const others = await callPasskeyObject(c.env, user.id, (object) => object.listPasskeys())
  const name = namePasskey(c, withTexts<typeof en>(await messagesFor(c)), {
    aaguid: verified.aaguid,
    others,
  })
  const passkey = { ...verified, name }
  const isAdded = await callPasskeyObject(c.env, user.id, (object) => object.addPasskey(passkey))
  if (!isAdded) throw rejected()
  try {
    await linkPasskey(c, { user, passkey, marks })
  } catch (error) {
    await callPasskeyObject(c.env, user.id, (object) => object.removePasskey(passkey.credentialId))
    throw error
  }
}

async function linkPasskey(
  c: AppContext,
  { user, passkey, marks }: { user: UserRecord; passkey: Passkey; marks: AdditionMarks },
): Promise<void> {
  const userId = user.id
  const { credentialId, name } = passkey
  const account = {
    ...passkeyAccount(credentialId),
    clientId: '',
    scope: undefined,
    user: { id: credentialId, name },
  }
  const result = await linkAccount(c.env, c.get('config'), {
    userId,
    account,
    marks,
    origin: auditOrigin(c, userId),
  })
  if (result === 'taken') throw new SignInError('account_taken')
  if (result === 'blocked') throw new SignInError('user_blocked')
  await keepAddedMethod(c, { user, account, label: name, continueAt: CREATE_PASSKEY_PATH })
  // Only of a passkey that is kept, because a sign-in restores what the object has forgotten.
  afterResponse(c, storePasskeyCopy(c.env, { userId, account, passkey }))
  addToLog(c, { event: 'account_linked', userId, provider: PASSKEY_PROVIDER })
  emitEvent(c, 'linkAccount', { user: { id: userId }, account: toEventAccount(account) })
}

/** Users who have not signed in recently do so first, and return to the page. */
async function renamePage(c: AppContext, digest: string): Promise<Response> {
  const { user } = await requireRecentSession(c)
  const messages = withTexts<typeof en>(await messagesFor(c))
  const account = await findPasskeyAccount(c, { userId: user.id, digest })
  const passkey =
    account &&
    (await callPasskeyObject(c.env, user.id, (object) => object.findPasskey(account.accountId)))
  if (!passkey) return respondNotLinked(c)
  return respondWithPage(
    c,
    <RenamePage
      messages={messages}
      passkey={{ name: passkey.name, digest }}
      csrfToken={await csrfToken(c)}
    />,
    {
      title: messages.t('passkeys.renameTitle'),
      script: renameScript,
      isRepeatable: true,
    },
  )
}

/** The directory has a copy of the name, which administrators see. */
async function renamePasskey(
  c: AppContext,
  { digest, name }: { digest: string; name: string },
): Promise<void> {
  const path = `${RENAME_PASSKEY_PATH}?${new URLSearchParams({ account: digest })}`
  const { user } = await requireRecentSession(c, path)
  const account = await findPasskeyAccount(c, { userId: user.id, digest })
  if (!account) throw new SignInError('not_found')
  await callPasskeyObject(c.env, user.id, (object) => object.renamePasskey(account.accountId, name))
  await relabelAccount(c.env, { userId: user.id, account, label: name })
}

/** The user's passkey with this digest, as the directory has it. */
async function findPasskeyAccount(
  c: AppContext,
  { userId, digest }: { userId: string; digest: string },
): Promise<LinkedAccount | undefined> {
  const accounts = await listAccounts(c.env, userId)
  return findByDigest(
    accounts.filter((account) => account.provider === PASSKEY_PROVIDER),
    digest,
  )
}

function requireName(name: string): string {
  const stored = toStoredName(name)
  if (!stored) throw new SignInError('request_invalid', { parameter: 'name' })
  return stored
}
