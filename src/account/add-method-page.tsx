import type { Messages } from '../messages/messages.ts'
import { ProviderMark } from '../pages/provider-mark.tsx'

interface AddMethodPageProps {
  messages: Messages
  choices: readonly LinkChoice[]
}

/** A provider of which an account can be linked. */
interface LinkChoice {
  id: string
  label: string
  logo: string | undefined
  href: string
}

/** The page on which a user adds a way to sign in. */
export function AddMethodPage({ messages, choices }: AddMethodPageProps) {
  return (
    <>
      {choices.map(({ id, label, logo, href }) => (
        <a href={href}>
          {logo && <ProviderMark id={id} logo={logo} />}
          {label}
        </a>
      ))}
      <a href="/account">{messages.t('actions.goBack')}</a>
    </>
  )
}
