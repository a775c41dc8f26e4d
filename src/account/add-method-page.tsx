import type { Messages } from '../messages/messages.ts'
import { ProviderMark } from './provider-mark.tsx'

interface AddMethodPageProps {
  messages: Messages
  /** Other services. */
  services: readonly LinkChoice[]
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
export function AddMethodPage({ messages, services, local }: AddMethodPageProps) {
  return (
    <>
      {services.map(({ id, label, logo, href }) => (
        <a class={`brand-${id}`} href={href}>
          {logo && <img src={logo} alt="" />}
          {label}
        </a>
      ))}
      {/* They have no brand; a button in the grey of their marks would look disabled. */}
      {local.map(({ id, label, logo, href }) => (
        <a href={href}>
          {logo && <ProviderMark id={id} logo={logo} />}
          {label}
        </a>
      ))}
      <a href="/account">{messages.t('actions.goBack')}</a>
    </>
  )
}
