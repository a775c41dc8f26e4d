import { isolate } from './isolate.ts'
import type { Messages } from './messages/choose.ts'

interface AccountPageProps {
  messages: Messages
  name: string | undefined
  accounts: readonly AccountLine[]
  choices: readonly { id: string; name: string; href: string }[]
  csrfToken: string
}

/** An account as the page shows it. */
export interface AccountLine {
  /** What the form sends to name it. */
  handle: string
  provider: string
  label: string | undefined
  linkedAt: number
}

/** Which accounts a person can sign in with; to link more, or to unlink all but the last. */
export function AccountPage({ messages, name, accounts, choices, csrfToken }: AccountPageProps) {
  const { title, as, accounts: heading, since, unlink, more, link } = messages.account
  const { signOut, someone } = messages.signedIn
  const date = new Intl.DateTimeFormat(messages.language, { dateStyle: 'long', timeZone: 'UTC' })
  return (
    <>
      <h1>{title}</h1>
      <p>{as(isolate(name ?? someone))}</p>
      <h2>{heading}</h2>
      <ul>
        {accounts.map(({ handle, provider, label, linkedAt }) => (
          <li>
            <p>
              <strong>{provider}</strong> {label && isolate(label)} <br />
              <span class="soft">{since(date.format(linkedAt * 1000))}</span>
            </p>
            {accounts.length > 1 && (
              <form method="post" action="/account/unlink">
                <input type="hidden" name="csrfToken" value={csrfToken} />
                <input type="hidden" name="account" value={handle} />
                <button class="button" type="submit">
                  {unlink(provider)}
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
      <h2>{more}</h2>
      <ul>
        {choices.map((choice) => (
          <li>
            <a class={`button brand-${choice.id}`} href={choice.href} rel="nofollow">
              {link(choice.name)}
            </a>
          </li>
        ))}
      </ul>
      <form method="post" action="/api/auth/signout">
        <input type="hidden" name="csrfToken" value={csrfToken} />
        <button class="button" type="submit">
          {signOut}
        </button>
      </form>
    </>
  )
}
