import type { AppContext } from '../../core/http/app-env.ts'
import { csrfToken } from '../../core/http/csrf.ts'
import { withTexts } from '../../core/messages/messages.ts'
import type { SignInPageOptions, SignInPart } from '../../core/pages/page-part.ts'
import type { EmailConfig } from '../../provider-interface/local-types.ts'
import { AddressForm } from './pages.tsx'
import type { en } from './texts.ts'

/** The form of the sign-in page. It has the address of a user who must use the only one they have. */
export async function addressFormPart(
  c: AppContext,
  { id, name }: EmailConfig,
  { messages, params, lastUsed, isPrimary = false, accounts = [] }: SignInPageOptions,
): Promise<SignInPart> {
  const own = accounts.filter(({ provider }) => provider === id)
  const isLastUsed = id === lastUsed
  const content = (
    <AddressForm
      messages={withTexts<typeof en>(messages)}
      action={`/api/auth/signin/${id}`}
      fields={[...params, ['csrfToken', await csrfToken(c)]]}
      name={name}
      value={own.length === 1 ? own[0]?.label : undefined}
      isLastUsed={isLastUsed}
      isPrimary={isPrimary}
    />
  )
  return { content, place: 'form', isLastUsed }
}
