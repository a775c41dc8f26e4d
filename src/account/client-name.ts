import type { AppContext } from '../config/app-env.ts'
import { findClient } from '../registrations/find-client.ts'

/** The display name of an app; its id if it is no longer registered. */
export async function clientName(c: AppContext, id: string): Promise<string> {
  return (await findClient(c.env, c.get('config'), id))?.client_name ?? id
}
