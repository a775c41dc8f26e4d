import type { AppContext } from '../../core/http/app-env.ts'
import { csrfToken } from '../../core/http/csrf.ts'
import type { SignInPageOptions, SignInPart } from '../../core/pages/page-part.ts'
import type { CredentialsConfig } from '../../provider-interface/local-types.ts'
import { CredentialsForm } from './pages.tsx'

/** The form of the sign-in page. */
export async function credentialsFormPart(
  c: AppContext,
  { id, name, credentials }: CredentialsConfig,
  { messages, params, lastUsed, isPrimary = false }: SignInPageOptions,
): Promise<SignInPart> {
  const isLastUsed = id === lastUsed
  const content = (
    <CredentialsForm
      messages={messages}
      action={`/api/auth/callback/${id}`}
      name={name}
      inputs={credentials}
      fields={[...params, ['csrfToken', await csrfToken(c)]]}
      isLastUsed={isLastUsed}
      isPrimary={isPrimary}
    />
  )
  return { content, place: 'form', isLastUsed }
}
