import * as oauth from 'oauth4webapi'
import { CommandError } from '../command-error.ts'
import { tokenError } from './admin-api.ts'
import { discoverServer } from './authorization-server.ts'
import type { Credentials, PersonalCredentials } from './credentials-file.ts'

/** Ends the access at the service. {@link https://www.rfc-editor.org/rfc/rfc7009} */
export async function revokeAccess(credentials: PersonalCredentials): Promise<void> {
  const { url, client_id, refresh_token } = credentials
  try {
    const { server, options } = await discoverServer(url)
    const client = { client_id }
    const none = oauth.None()
    const response = await oauth.revocationRequest(server, client, none, refresh_token, options)
    await oauth.processRevocationResponse(response)
  } catch (cause) {
    throw await tokenError(credentials, cause)
  }
}

/** Ends the access that this computer is about to forget, or says that it still exists. */
export async function revokeFormerAccess(former: Credentials | undefined): Promise<void> {
  if (!former || !('refresh_token' in former)) return
  try {
    await revokeAccess(former)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    process.stderr.write(
      `The former access to ${former.url} was not ended: ${error.message} You can end it at ${former.url}/account.\n`,
    )
  }
}
