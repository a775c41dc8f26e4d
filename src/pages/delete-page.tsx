import { FormButton } from './form-button.tsx'
import type { Messages } from './messages/choose.ts'

/** Asks before an account is deleted for good. */
export function DeletePage({ messages, csrfToken }: { messages: Messages; csrfToken: string }) {
  const { remove, removeLead, keep } = messages.account
  return (
    <>
      <h1>{remove}</h1>
      <p>{removeLead}</p>
      <ul>
        <li>
          <FormButton action="/account/delete" csrfToken={csrfToken} id="confirm-delete" main>
            {remove}
          </FormButton>
        </li>
        <li>
          <a class="button" href="/account">
            {keep}
          </a>
        </li>
      </ul>
    </>
  )
}

export function DeletedPage({ messages }: { messages: Messages }) {
  const { removed, removedLead } = messages.account
  return (
    <>
      <h1>{removed}</h1>
      <p>{removedLead}</p>
    </>
  )
}
