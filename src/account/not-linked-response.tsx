import type { AppContext } from '../config/app-env.ts'
import { addToLog } from '../http/request-log.ts'
import { messagesFor, respondWithPage } from '../pages/page-response.tsx'
import { NotLinkedPage } from './disconnect-page.tsx'

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
