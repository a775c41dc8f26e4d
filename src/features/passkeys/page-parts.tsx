import type { AppContext } from '../../core/http/app-env.ts'
import { csrfToken } from '../../core/http/csrf.ts'
import { type Messages, withTexts } from '../../core/messages/messages.ts'
import { dateFormat } from '../../core/pages/format.ts'
import type {
  MethodPart,
  PagePart,
  SignInPageOptions,
  SignInPart,
} from '../../core/pages/page-part.ts'
import { sessionForDisplay } from '../../core/session/read-session.ts'
import type { Attempt } from '../../core/signin/attempt.ts'
import { listAccounts } from '../../core/users/linked-accounts.ts'
import { confirmedAccounts } from '../../core/users/unconfirmed-accounts.ts'
import type { WebAuthnConfig } from '../../provider-interface/local-types.ts'
import { beginCeremony, signInAttempt } from './ceremony.ts'
import { AssertionForm, passkeyFacts } from './pages.tsx'
import { callPasskeyObject } from './passkey-object.ts'
import { MAX_PASSKEYS, PASSKEY_PROVIDER } from './passkeys.ts'
import { CREATE_PASSKEY_PATH, RENAME_PASSKEY_PATH } from './paths.ts'
import { canHavePasskeys, requestOptions } from './relying-party.ts'
import signInScript from './sign-in-script.txt'
import { DEFAULT_NAME } from './style.ts'
import type { en } from './texts.ts'

/** A filled button above all others if this browser last signed in with it, otherwise below them. */
export async function signInPart(
  c: AppContext,
  { id, name, enableConditionalUI = true }: WebAuthnConfig,
  { messages, params, providers, lastUsed, mustConfirm }: SignInPageOptions,
): Promise<SignInPart | undefined> {
  const config = c.get('config')
  const isLastUsed = id === lastUsed
  // Without a passkey, the user cannot confirm. Another user may have used one in this browser.
  if (!canHavePasskeys(config) || (mustConfirm && !isLastUsed)) return undefined
  const attempt = await signInAttempt(c)
  const part = await assertionPart(c, attempt, {
    messages: withTexts<typeof en>(messages),
    name: name === DEFAULT_NAME ? undefined : name,
    params,
    options: requestOptions(config, attempt.state),
    isLastUsed,
    hasMark: providers.some(({ isFilled }) => !isFilled),
    isConditional: enableConditionalUI && c.req.query('autofill') !== 'off',
  })
  return { ...part, place: isLastUsed ? 'first' : 'button' }
}

/** The button with which a signed-in user proves to be present; undefined without a passkey. */
export async function confirmationPart(
  c: AppContext,
  { messages, params, ...page }: SignInPageOptions,
): Promise<SignInPart | undefined> {
  const config = c.get('config')
  const session = await sessionForDisplay(c)
  if (!session || !canHavePasskeys(config)) return undefined
  const { id } = session.user
  const all = await callPasskeyObject(c.env, id, (object) => object.listPasskeys())
  if (all.length === 0) return undefined
  // An unconfirmed one proves nothing to an app.
  const accounts = page.accounts ?? confirmedAccounts(config, await listAccounts(c.env, id))
  const passkeys = all.filter(({ credentialId }) =>
    accounts.some(
      ({ provider, accountId }) => provider === PASSKEY_PROVIDER && accountId === credentialId,
    ),
  )
  if (passkeys.length === 0) return undefined
  const attempt = await beginCeremony(c, { ceremony: 'confirm', userId: id })
  const part = await assertionPart(c, attempt, {
    messages: withTexts<typeof en>(messages),
    params,
    options: requestOptions(config, attempt.state, passkeys),
    isConfirmation: true,
  })
  return { ...part, place: 'first' }
}

type AssertionFormProps = Parameters<typeof AssertionForm>[0]

async function assertionPart(
  c: AppContext,
  { expiresAt }: Attempt,
  props: Omit<AssertionFormProps, 'csrfToken' | 'expiresAt'>,
): Promise<PagePart> {
  return {
    content: <AssertionForm {...props} csrfToken={await csrfToken(c)} expiresAt={expiresAt} />,
    script: signInScript,
  }
}

/** What the account page says about each passkey, and the links that add and rename one. */
export async function methodPart(
  c: AppContext,
  page: { messages: Messages; userId: string },
): Promise<MethodPart | undefined> {
  if (!canHavePasskeys(c.get('config'))) return undefined
  const passkeys = await callPasskeyObject(c.env, page.userId, (object) => object.listPasskeys())
  const messages = withTexts<typeof en>(page.messages)
  const dates = dateFormat(c, messages)
  return {
    facts: new Map(
      passkeys.map((passkey) => [passkey.credentialId, passkeyFacts(passkey, messages, dates)]),
    ),
    edit: { path: RENAME_PASSKEY_PATH, label: messages.t('passkeys.rename') },
    ...(passkeys.length < MAX_PASSKEYS
      ? { add: { path: CREATE_PASSKEY_PATH, label: messages.t('passkeys.add') } }
      : { note: messages.t('passkeys.tooMany', { count: MAX_PASSKEYS }) }),
  }
}
