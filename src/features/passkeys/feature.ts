import type { LocalMethod } from '../../core/config/feature.ts'
import { withTexts } from '../../core/messages/messages.ts'
import type { WebAuthnConfig, WebAuthnUserConfig } from '../../provider-interface/local-types.ts'
import { AUDIT_EVENTS } from './audit-events.ts'
import { ERRORS } from './errors.ts'
import { PASSKEY_METHODS } from './methods.ts'
import { confirmationPart, methodPart, signInPart } from './page-parts.tsx'
import { withPasskeys } from './passkey-object.ts'
import { PASSKEY_PROVIDER } from './passkeys.ts'
import { CREATE_PASSKEY_PATH, RENAME_PASSKEY_PATH } from './paths.ts'
import { removalTexts } from './removal-texts.ts'
import { createPasskeyRoutes } from './routes.tsx'
import { passkeySchema } from './schema.ts'
import { remainingPasskeysPart } from './signals.tsx'
import { DEFAULT_NAME } from './style.ts'
import texts from './texts.json.txt'
import type { en } from './texts.ts'

/** Sign-in with passkeys, which users add on their account page. */
export function Passkey(options: WebAuthnUserConfig = {}): WebAuthnConfig {
  const config = { name: DEFAULT_NAME, ...options }
  const provider = { ...config, id: PASSKEY_PROVIDER, type: 'webauthn' as const, method: passkeys }
  return provider
}

function passkeys(provider: WebAuthnConfig): LocalMethod {
  const { name } = provider
  const hasOwnName = name !== DEFAULT_NAME
  return {
    id: 'passkeys',
    texts,
    audit: AUDIT_EVENTS,
    log: ['passkey_cloned'],
    errors: { users: ERRORS },
    schema: passkeySchema,
    routes: () => createPasskeyRoutes(provider),
    extend: { UserObject: withPasskeys },
    signInPart: (c, page) => signInPart(c, provider, page),
    confirmationPart,
    methodPart,
    removedPart: remainingPasskeysPart,
    hasChosenIds: true,
    isAddedOnOwnPage: true,
    amr: PASSKEY_METHODS,
    accountName: (messages) =>
      hasOwnName ? name : withTexts<typeof en>(messages).t('passkeys.one'),
    methodName: (messages) =>
      hasOwnName ? name : withTexts<typeof en>(messages).t('passkeys.method'),
    removalTexts,
    deletionNote: (messages) => withTexts<typeof en>(messages).t('passkeys.deletionNote'),
    changeLabel(messages, pathname) {
      if (pathname === CREATE_PASSKEY_PATH) return withTexts<typeof en>(messages).t('passkeys.add')
      return pathname === RENAME_PASSKEY_PATH
        ? withTexts<typeof en>(messages).t('passkeys.renameTitle')
        : undefined
    },
  }
}
