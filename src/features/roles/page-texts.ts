import type { AppContext } from '../../core/http/app-env.ts'
import { type Messages, withTexts } from '../../core/messages/messages.ts'
import type { ConsentPart, ConsentRequest } from '../../core/oidc/consent-part.ts'
import { inParentheses } from '../../core/pages/format.ts'
import type { AccountPart } from '../../core/pages/page-part.ts'
import type { SignedInUser } from '../../core/session/feature-members.ts'
import { rolesOf } from './registration-fields.ts'
import type { en } from './texts.ts'

/** The account page lists the user's roles. */
export async function accountPart(
  _c: AppContext,
  { user: { roles = [] } }: SignedInUser,
  messages: Messages,
): Promise<AccountPart | undefined> {
  if (roles.length === 0) return undefined
  return { details: [withTexts<typeof en>(messages).t('roles.own', { roles: roles.join(', ') })] }
}

/** Says which APIs get to know the user's roles. */
export function consentPart(
  messages: Messages,
  { apis, user: { roles = [] } }: ConsentRequest,
): ConsentPart | undefined {
  const permissions = apis
    .map((api) => ({ api, named: rolesOf(api) }))
    .filter(({ named }) => named.length > 0)
    .map(({ api, named }) => {
      const text = withTexts<typeof en>(messages).t('roles.consent', {
        api: api.name ?? api.identifier,
      })
      const shared = roles.filter((name) => named.includes(name))
      return shared.length > 0 ? text + inParentheses(shared.join(', '), messages) : text
    })
  return permissions.length > 0 ? { permissions } : undefined
}
