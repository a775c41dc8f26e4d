import { isolateTextDirection } from './isolate-text-direction.ts'
import type { Messages } from './messages/en.ts'

interface MoreChoicesProps {
  messages: Messages
  choices: readonly Choice[]
}

interface Choice {
  name: string
  href: string
  /** Starts a sign-in with a phone that scans a QR code. */
  qr?: string | undefined
  /** Whether this browser last signed in with it. */
  isLastUsed?: boolean
}

/** The providers for which a page has no room, by their names, when the user asks for more. */
export function MoreChoices({ messages, choices }: MoreChoicesProps) {
  if (choices.length === 0) return null
  const { showMore } = messages.actions
  return (
    <details open={choices.some(({ isLastUsed }) => isLastUsed)}>
      <summary>{showMore(choices.length.toLocaleString(messages.language))}</summary>
      <div class="row">
        {choices.map(({ name, href, qr }) => (
          <>
            <a class="small" href={href} rel="nofollow">
              {isolateTextDirection(name)}
            </a>
            {qr && (
              <a class="small scan" href={qr} rel="nofollow">
                {messages.signIn.signInWithQrCode(name)}
              </a>
            )}
          </>
        ))}
      </div>
    </details>
  )
}
