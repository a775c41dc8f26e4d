import type { Messages } from './messages/en.ts'
import { type ChoiceForm, MoreChoices } from './more-choices.tsx'
import { ProviderMark } from './provider-mark.tsx'
import { splitChoices } from './split-choices.ts'

interface AddMethodPageProps {
  messages: Messages
  /** Other services. If there are many, some of them are in a list of names. */
  services: readonly LinkChoice[]
  /** For services that have no button, if there are any. */
  choiceForm: ChoiceForm | undefined
  /** Ways to sign in on pages of this service. */
  local: readonly LinkChoice[]
}

/** A provider of which an account can be linked. */
interface LinkChoice {
  id: string
  name: string
  /** What its button says. */
  label: string
  logo: string | undefined
  href: string
}

/** The page on which a user adds a way to sign in. */
export function AddMethodPage({ messages, services, choiceForm, local }: AddMethodPageProps) {
  const { first, more } = splitChoices(services)
  return (
    <>
      {first.map(({ id, label, logo, href }) => (
        <a class={`brand-${id}`} href={href}>
          {logo && <img src={logo} alt="" />}
          {label}
        </a>
      ))}
      {/* They have no brand; a button in the grey of their marks would look disabled. */}
      {local.map(({ id, label, logo, href }) => (
        <a href={href}>
          {logo && <ProviderMark id={id} />}
          {label}
        </a>
      ))}
      <MoreChoices messages={messages} choices={more} form={choiceForm} />
      <a href="/account">{messages.actions.goBack}</a>
    </>
  )
}
