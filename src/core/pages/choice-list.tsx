import type { Child } from 'hono/jsx'
import type { Messages } from '../messages/messages.ts'

/** More of them than this are folded. */
const MAX_UNFOLDED = 8

/** How many are shown then, besides the last used. */
const SHOWN = 6

interface ChoiceListProps {
  messages: Messages
  choices: readonly Choice[]
  /** The text of the choices, with `NAME` instead of a name. Users search for names only. */
  label: string
}

/** Occurs in no text. */
export const NAME = '…'

interface Choice {
  isLastUsed?: boolean
  content: Child
}

/**
 * Ways to sign in, one below the other. If there are many, the first ones and the last used are
 * shown. The script of the page adds a search to the others.
 */
export function ChoiceList({ messages, choices, label }: ChoiceListProps) {
  if (choices.length <= MAX_UNFOLDED) return <>{choices.map(({ content }) => content)}</>
  const others = choices.filter(({ isLastUsed }) => !isLastUsed)
  const folded = others.slice(SHOWN)
  const shown = choices.filter((choice) => !folded.includes(choice))
  return (
    <>
      {shown.map(({ content }) => content)}
      <details class="more">
        <summary>{messages.t('actions.showMore', { count: folded.length })}</summary>
        <div class="choices">
          <div class="field" hidden>
            <label for="search">{messages.t('signIn.search')}</label>
            <input id="search" type="search" autocomplete="off" data-label={label} />
          </div>
          {folded.map(({ content }) => content)}
          <p role="status">
            <span data-no-match hidden>
              {messages.t('signIn.noMatch')}
            </span>
          </p>
        </div>
      </details>
    </>
  )
}
