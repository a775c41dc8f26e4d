import { NotLinkedPage } from '../pages/disconnect-page.tsx'
import type { AppContext } from './app-env.ts'
import { messagesFor, respondWithPage } from './page-response.tsx'
import { addToLog } from './request-log.ts'

/** The page for a link to an account that the user does not have, or no longer. */
export async function respondNotLinked(c: AppContext): Promise<Response> {
  addToLog(c, { code: 'not_found' })
  const messages = await messagesFor(c)
  const title = messages.t('account.removal.unknownTitle')
  return respondWithPage(c, <NotLinkedPage messages={messages} />, {
    title,
    status: 404,
    isRepeatable: true,
  })
}
