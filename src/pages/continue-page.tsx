import type { Messages } from './messages/en.ts'

interface ContinuePageProps {
  messages: Messages
  href: string
}

/**
 * Ends a form post. The response has a `Refresh` header, so browsers continue immediately; the link
 * is for those that do not.
 */
export function ContinuePage({ messages, href }: ContinuePageProps) {
  return (
    <a class="primary" id="continue" href={href}>
      {messages.signedIn.continue}
    </a>
  )
}
