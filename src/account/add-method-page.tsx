import type { Messages } from '../messages/messages.ts'
import { MethodMark } from '../pages/method-mark.tsx'
import { Notice } from '../pages/notice.tsx'

interface AddMethodPageProps {
  messages: Messages
  choices: readonly LinkChoice[]
  /** Whether the user has cancelled at a provider and come back. */
  isCancelled?: boolean
}

/** A provider of which an account can be linked. */
interface LinkChoice {
  id: string
  name: string
  label: string
  logo: string | undefined
  href: string
}

/** The page on which a user adds a way to sign in. */
export function AddMethodPage({ messages, choices, isCancelled }: AddMethodPageProps) {
  return (
    <>
      {isCancelled && <Notice text={messages.t('signIn.cancelled')} />}
      {choices.map(({ id, name, label, logo, href }) => (
        <a href={href}>
          <MethodMark {...{ id, name, logo }} />
          {label}
        </a>
      ))}
      <a href="/account">{messages.t('actions.goBack')}</a>
    </>
  )
}
