import type { LocalMethod } from '../../core/config/feature.ts'
import type { WebAuthnConfig, WebAuthnUserConfig } from '../../provider-interface/local-types.ts'
import { AUDIT_EVENTS } from './audit-events.ts'
import { ERRORS } from './errors.ts'
import { labels } from './labels.ts'
import { PASSKEY_METHODS } from './methods.ts'
import { confirmationPart, methodPart, signInPart } from './page-parts.tsx'
import { withPasskeys } from './passkey-object.ts'
import { PASSKEY_PROVIDER } from './passkeys.ts'
import { createPasskeyRoutes } from './routes.tsx'
import { passkeySchema } from './schema.ts'
import { remainingPasskeysPart } from './signals.tsx'
import { DEFAULT_NAME } from './style.ts'
import texts from './texts.json.txt'

/** Sign-in with passkeys, which users add on their account page. */
export function Passkey(options: WebAuthnUserConfig = {}): WebAuthnConfig {
  const config = { name: DEFAULT_NAME, ...options }
  const provider = { ...config, id: PASSKEY_PROVIDER, type: 'webauthn' as const, method: passkeys }
  return provider
}

function passkeys(provider: WebAuthnConfig): LocalMethod {
  const { name } = provider
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
    isCreatedByDevice: true,
    amr: PASSKEY_METHODS,
    labels: (messages) => labels(messages, name === DEFAULT_NAME ? undefined : name),
  }
}
