import type { Config } from '../../config/config.ts'
import type { AppContext } from '../../http/app-env.ts'
import type { PagePart } from '../../http/sign-in-kind.ts'
import { callUserObject } from '../../users/user-object.ts'
import { canHavePasskeys, relyingParty, userHandle } from './relying-party.ts'
import { SIGNAL_SCRIPT } from './scripts.ts'

/*
 * What browsers are told about passkeys that are of no use any more ({@link https://www.w3.org/TR/webauthn-3/#sctn-signal-methods}).
 * They delete or hide them, so a passkey that works must never be reported. See decision 58.
 */

/** Reports a passkey that this browser has just used, and that nobody has. */
export function unknownPasskeyPart(config: Config, credentialId: string): PagePart {
  const rpId = relyingParty(config).id
  return signalPart('signalUnknownCredential', { rpId, credentialId })
}

/**
 * Reports which passkeys the user still has. The user's object has every passkey that works, and perhaps one that is
 * being added. The object of a user who was deleted has none.
 */
export async function remainingPasskeysPart(
  c: AppContext,
  userId: string,
): Promise<PagePart | undefined> {
  const config = c.get('config')
  if (!canHavePasskeys(config)) return undefined
  const passkeys = await callUserObject(c.env, userId, (object) => object.listPasskeys())
  return signalPart('signalAllAcceptedCredentials', {
    rpId: relyingParty(config).id,
    userId: await userHandle({ id: userId }),
    allAcceptedCredentialIds: passkeys.map(({ credentialId }) => credentialId),
  })
}

function signalPart(method: string, options: object): PagePart {
  return {
    content: (
      <div id="passkey-signal" hidden data-method={method} data-options={JSON.stringify(options)} />
    ),
    script: SIGNAL_SCRIPT,
  }
}
