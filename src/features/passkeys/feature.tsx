import * as z from 'zod/mini'
import { dateFormat } from '../../account/date-format.ts'
import type { AppContext } from '../../config/app-env.ts'
import type {
  LocalMethod,
  PagePart,
  PasskeyParts,
  PasskeyProvider,
} from '../../config/local-method.ts'
import { LOCAL_OPTIONS } from '../../config/local-providers.ts'
import { type Shape, text } from '../../config/schemas.ts'
import { csrfToken } from '../../http/csrf.ts'
import { CREATE_PASSKEY_PATH, RENAME_PASSKEY_PATH } from '../../pages/account-path.ts'
import type { WebAuthnConfig, WebAuthnUserConfig } from '../../providers/local-types.ts'
import { sessionForDisplay } from '../../session/read-session.ts'
import type { Attempt } from '../../signin/attempt.ts'
import { MAX_PASSKEYS, PASSKEY_PROVIDER } from '../../users/passkeys.ts'
import { callUserObject } from '../../users/user-object.ts'
import { beginCeremony, signInAttempt } from './ceremony.ts'
import { AssertionForm, passkeyFacts } from './pages.tsx'
import { canHavePasskeys, requestOptions } from './relying-party.ts'
import { createPasskeyRoutes } from './routes.tsx'
import signInScript from './sign-in-script.txt'
import { remainingPasskeysPart } from './signals.tsx'

/** Sign-in with passkeys, which users add on their account page. */
export function Passkey(options: WebAuthnUserConfig = {}): WebAuthnConfig {
  const config = { name: DEFAULT_NAME, ...options }
  const provider: PasskeyProvider = {
    ...config,
    id: PASSKEY_PROVIDER,
    type: 'webauthn',
    method: passkeyMethod,
  }
  return provider
}

/** Is shown in the language of the page. A name that the deployment chooses is not translated. */
const DEFAULT_NAME = 'Passkey'

const passkeySchema = z.strictObject({
  ...LOCAL_OPTIONS,
  enableConditionalUI: z.optional(z.boolean()),
  rpId: z.optional(
    text([
      (host) => /[a-z]$/.test(host) && URL.parse(`https://${host}`)?.hostname === host,
      'must be a host name without a port, such as login.example.com.',
    ]),
  ),
} satisfies Shape<PasskeyProvider>)

const passkeyMethod: LocalMethod<PasskeyProvider> & PasskeyParts = {
  schema: passkeySchema,

  createRoutes: createPasskeyRoutes,

  async signInPart(c, provider, { messages, params, isLastUsed }) {
    const config = c.get('config')
    if (!canHavePasskeys(config)) return { content: undefined }
    const attempt = await signInAttempt(c)
    return assertionPart(c, attempt, {
      messages,
      name: provider.name === DEFAULT_NAME ? undefined : provider.name,
      params,
      options: requestOptions(config, attempt.state),
      isLastUsed,
      isConditional: (provider.enableConditionalUI ?? true) && c.req.query('autofill') !== 'off',
    })
  },

  async confirmationPart(c, { messages, params, sufficient }) {
    const config = c.get('config')
    const session = await sessionForDisplay(c)
    if (!session || !canHavePasskeys(config)) return undefined
    const { id } = session.user
    const all = await callUserObject(c.env, id, (object) => object.listPasskeys())
    const passkeys = all.filter(({ credentialId }) => sufficient?.includes(credentialId) ?? true)
    if (passkeys.length === 0) return undefined
    const attempt = await beginCeremony(c, { ceremony: 'confirm', userId: id })
    return assertionPart(c, attempt, {
      messages,
      params,
      options: requestOptions(config, attempt.state, passkeys),
      isConfirmation: true,
    })
  },

  accountName({ name }, messages) {
    return name === DEFAULT_NAME ? messages.t('passkeys.one') : name
  },

  methodName({ name }, messages) {
    return name === DEFAULT_NAME ? messages.t('passkeys.method') : name
  },

  changeLabel(messages, pathname) {
    if (pathname === CREATE_PASSKEY_PATH) return messages.t('passkeys.add')
    return pathname === RENAME_PASSKEY_PATH ? messages.t('passkeys.renameTitle') : undefined
  },

  removedPart: remainingPasskeysPart,

  async accountPart(c, { messages, userId }) {
    if (!canHavePasskeys(c.get('config'))) return undefined
    const passkeys = await callUserObject(c.env, userId, (object) => object.listPasskeys())
    const dates = dateFormat(c, messages)
    return {
      facts: new Map(
        passkeys.map((passkey) => [passkey.credentialId, passkeyFacts(passkey, messages, dates)]),
      ),
      mayAdd: passkeys.length < MAX_PASSKEYS,
    }
  },
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
