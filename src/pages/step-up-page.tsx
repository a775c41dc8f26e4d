import { type ShownUser, SignedInAs } from './identity.tsx'
import type { Messages } from './messages/en.ts'
import { ProviderButtons, type ProviderButtonsProps, type ProviderChoice } from './sign-in-page.tsx'

interface StepUpPageProps {
  messages: Messages
  user: ShownUser
  choices: readonly ProviderChoice[]
  parts?: ProviderButtonsProps['parts']
  /** What the provider must share in addition, in its own spelling; empty if nothing. */
  upstreamScope: readonly string[]
  /** The host that the user returns to; undefined if they did not come from an app. */
  host: string | undefined
  /** Where the user goes instead; undefined if they did not come from an app. */
  cancelUrl: string | undefined
}

/** Asks a signed-in user to sign in again: to prove who they are, or to allow more at the provider. */
export function StepUpPage(props: StepUpPageProps) {
  const { messages, user, choices, parts, upstreamScope, host, cancelUrl } = props
  const { scopes, returnsTo, deny } = messages.consent
  const needsPermission = upstreamScope.length > 0
  return (
    <>
      <SignedInAs messages={messages} user={user} />
      <p>{needsPermission ? permissionLead(messages, choices) : messages.stepUp.signInLead}</p>
      {needsPermission && (
        <ul>
          {upstreamScope.map((value) => (
            <li>{scopes[value] ?? value}</li>
          ))}
        </ul>
      )}
      {host && <p class="note">{returnsTo(host)}</p>}
      <ProviderButtons messages={messages} choices={choices} parts={parts} />
      {cancelUrl && (
        <a id="cancel" href={cancelUrl}>
          {deny}
        </a>
      )}
    </>
  )
}

/** Names the provider if there is one only. */
function permissionLead({ stepUp }: Messages, [first, second]: readonly ProviderChoice[]): string {
  return first && !second ? stepUp.permissionLeadWith(first.name) : stepUp.permissionLead
}
