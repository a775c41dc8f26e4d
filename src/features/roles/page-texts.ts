import { type Messages, withTexts } from '../../core/messages/messages.ts'
import type { ConsentPart, ConsentRequest } from '../../core/oidc/consent-part.ts'
import { inParentheses } from '../../core/pages/format.ts'
import type { UserRecord } from '../../core/users/user.ts'
import { rolesOf } from './registration-fields.ts'
import type { en } from './texts.ts'

/** What the account page says about the user's roles. */
export function profileDetails(messages: Messages, { roles = [] }: UserRecord): string[] {
  return roles.length > 0
    ? [withTexts<typeof en>(messages).t('roles.own', { roles: roles.join(', ') })]
    : []
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
