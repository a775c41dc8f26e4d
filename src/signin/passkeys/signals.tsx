import type { AppContext } from '../../config/app-env.ts'
import type { Config } from '../../config/config.ts'
import type { PagePart } from '../../config/local-method.ts'
import { addToLog } from '../../http/request-log.ts'
import type { Passkey } from '../../users/passkeys.ts'
import { callUserObject } from '../../users/user-object.ts'
import { canHavePasskeys, relyingParty, userHandle } from './relying-party.ts'
import signalScript from './signal-script.txt'

/*
 * What browsers are told about passkeys that are of no use any more ({@link https://www.w3.org/TR/webauthn-3/#sctn-signal-methods}). They delete or hide them, so a passkey
 * that works must never be reported. See decision 55.
 */

/** Reports a passkey that this browser has just used, and that nobody has. */
export function unknownPasskeyPart(config: Config, credentialId: string): PagePart {
  const rpId = relyingParty(config).id
  return signalPart('signalUnknownCredential', { rpId, credentialId })
}

/** Reports which passkeys the user still has. */
export async function remainingPasskeysPart(
  c: AppContext,
  { id, isDeleted }: { id: string; isDeleted: boolean },
): Promise<PagePart | undefined> {
  const config = c.get('config')
  if (!canHavePasskeys(config)) return undefined
  const passkeys = isDeleted ? [] : await readPasskeys(c, id)
  return (
    passkeys &&
    signalPart('signalAllAcceptedCredentials', {
      rpId: relyingParty(config).id,
      userId: await userHandle({ id }),
      allAcceptedCredentialIds: passkeys.map(({ credentialId }) => credentialId),
    })
  )
}

/**
 * The user's object has every passkey that works, and perhaps one that is being added. If it does
 * not respond, nothing is reported: what the page confirms has been done.
 */
async function readPasskeys(
  c: AppContext,
  userId: string,
): Promise<readonly Passkey[] | undefined> {
  try {
    return await callUserObject(c.env, userId, (object) => object.listPasskeys())
  } catch (error) {
    addToLog(c, { cause: String(error) })
    return undefined
  }
}

function signalPart(method: string, options: object): PagePart {
  return {
    content: (
      <div id="passkey-signal" hidden data-method={method} data-options={JSON.stringify(options)} />
    ),
    script: signalScript,
  }
}
