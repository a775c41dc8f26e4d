import type { AnswerAddress } from '../errors.ts'
import { FormPostPage, SUBMIT_FORM_SCRIPT } from '../pages/form-post-page.tsx'
import { withQuery } from '../query.ts'
import type { AppContext } from './app-env.ts'
import { messagesFor, respondWithPage } from './page-response.tsx'

/** Answers an authorization request, good or bad. Every answer says who gives it (RFC 9207). */
export function answer(
  c: AppContext,
  { redirectUri, responseMode, state }: AnswerAddress,
  result: Record<string, string>,
): Response | Promise<Response> {
  const { issuer } = c.get('config')
  const parameters = { ...result, ...(state !== undefined && { state }), iss: issuer }
  if (responseMode === 'form_post') {
    const messages = messagesFor(c)
    const page = (
      <FormPostPage messages={messages} redirectUri={redirectUri} parameters={parameters} />
    )
    const formTargets = [new URL(redirectUri).origin]
    return respondWithPage(c, page, {
      title: messages.formPost.title,
      formTargets,
      script: SUBMIT_FORM_SCRIPT,
    })
  }
  return c.redirect(withQuery(redirectUri, parameters), 303)
}
