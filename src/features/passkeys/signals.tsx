import type { Config } from '../../core/config/config.ts'
import type { AppContext } from '../../core/http/app-env.ts'
import { addToLog } from '../../core/http/request-log.ts'
import type { PagePart } from '../../core/pages/page-part.ts'
import { listAccounts } from '../../core/users/linked-accounts.ts'
import { callPasskeyObject } from './passkey-object.ts'
import { PASSKEY_PROVIDER } from './passkeys.ts'
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
  const credentialIds = isDeleted ? [] : await readCredentialIds(c, id)
  return (
    credentialIds &&
    signalPart('signalAllAcceptedCredentials', {
      rpId: relyingParty(config).id,
      userId: await userHandle({ id }),
      allAcceptedCredentialIds: credentialIds,
    })
  )
}

/**
 * The directory has every passkey that works, and the user's object perhaps one that is being added.
 * If one of them does not respond, nothing is reported: what the page confirms has been done.
 */
async function readCredentialIds(c: AppContext, userId: string): Promise<string[] | undefined> {
  try {
    const [accounts, passkeys] = await Promise.all([
      listAccounts(c.env, userId),
      callPasskeyObject(c.env, userId, (object) => object.listPasskeys()),
    ])
    const linked = accounts.filter(({ provider }) => provider === PASSKEY_PROVIDER)
    return [
      ...new Set([
        ...linked.map(({ accountId }) => accountId),
        ...passkeys.map(({ credentialId }) => credentialId),
      ]),
    ]
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
