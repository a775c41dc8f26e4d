import type { Child } from 'hono/jsx'
import type { AppContext } from '../config/app-env.ts'
import type { Client } from '../config/clients.ts'
import type { LocalProvider } from '../config/local-providers.ts'
import { type Interaction, interactionClient } from '../interaction/interaction.ts'
import type { Messages } from '../messages/messages.ts'
import { messagesFor } from '../pages/page-response.tsx'
import { readPreference } from '../pages/preferences.ts'
import { scriptOf, signInKind } from '../pages/sign-in-kind.ts'
import { providersWithScopes } from '../upstream/enabled-providers.ts'
import type { LinkedAccount } from '../users/directory.ts'
import type { ProviderChoice } from './sign-in-page.tsx'

/** What each of the sign-in pages shows. */
export interface PageContent {
  messages: Messages
  interaction: Interaction
  client: Client | undefined
  choices: readonly ProviderChoice[]
  parts: LocalParts
}

interface ContentOptions {
  interaction: Interaction
  /** The parameters of a request that starts a sign-in. */
  params: URLSearchParams
  /** Whether the page marks what this browser last signed in with. */
  marksLastUsed: boolean
  /** Whether a signed-in user has to confirm that it is them. */
  mustConfirm: boolean
  /** The accounts of the user, whose methods alone are offered; undefined if all methods are. */
  accounts: readonly LinkedAccount[] | undefined
}

/** What the sign-in pages show for this request. */
export async function createPageContent(
  c: AppContext,
  { interaction, params, marksLastUsed, mustConfirm, accounts }: ContentOptions,
): Promise<PageContent> {
  const config = c.get('config')
  const messages = await messagesFor(c)
  const client = await interactionClient(c.env, config, interaction)
  const ownMethods = accounts && methodIds(accounts)
  const isOffered = ({ id }: { id: string }) => ownMethods?.has(id) ?? true
  // Any other provider would reject the request, or not grant what the app needs.
  const providers = providersWithScopes(config, client?.upstream_scope ?? []).filter(isOffered)
  const localProviders = config.localProviders.filter(isOffered)
  // Nobody has to recognise the only way to sign in.
  const hasChoice = providers.length + localProviders.length > 1
  const lastUsed = hasChoice && marksLastUsed ? readPreference(c, 'provider') : undefined
  const choices = providers.map(({ id, name, style, hasQrLogin }) => ({
    id,
    name,
    logo: style.logo,
    href: `/api/auth/signin/${id}?${params}`,
    qr: hasQrLogin ? `/api/auth/signin/${id}/qr?${params}` : undefined,
    isLastUsed: id === lastUsed,
  }))
  const parts = await localParts(c, {
    messages,
    params,
    localProviders,
    mustConfirm,
    accounts,
    lastUsed,
    client,
  })
  return { messages, interaction, client, choices: orderChoices(choices), parts }
}

/** As many buttons as fit on most screens. */
const SHORT_LIST_LENGTH = 8

/** The order is the same at every visit, unless the list is so long that the last used one may be out of sight. */
function orderChoices(choices: readonly ProviderChoice[]): readonly ProviderChoice[] {
  if (choices.length <= SHORT_LIST_LENGTH) return choices
  return choices.toSorted((a, b) => Number(b.isLastUsed) - Number(a.isLastUsed))
}

interface LocalParts {
  before: readonly Child[]
  after: readonly Child[]
  script: string | undefined
}

interface LocalPartsOptions extends Omit<ContentOptions, 'interaction' | 'marksLastUsed'> {
  messages: Messages
  localProviders: readonly LocalProvider[]
  lastUsed: string | undefined
  client: Client | undefined
}

/**
 * What the providers of this service add to the page: passkeys before the buttons of other services, everything
 * else after them. The order is the same at every visit, so that users find what they used before.
 */
async function localParts(c: AppContext, options: LocalPartsOptions): Promise<LocalParts> {
  const { messages, params, localProviders, mustConfirm, accounts, lastUsed, client } = options
  const parts = await Promise.all(
    localProviders.map(async (provider) => {
      const kind = signInKind(provider)
      const isLastUsed = provider.id === lastUsed
      const isFirst = provider.type === 'webauthn'
      if (mustConfirm && kind.confirmationPart) {
        const confirmation = await kind.confirmationPart(c, provider, { messages, params })
        if (confirmation) return { ...confirmation, isFirst }
        // The user cannot confirm in this way. Another user may have signed in with it in this browser.
        if (!isLastUsed) return { content: undefined, isFirst }
      }
      // Only another service can grant the scopes that the app needs.
      if (client?.upstream_scope.length) return { content: undefined, isFirst }
      const own = accounts?.filter((account) => account.provider === provider.id) ?? []
      const account = own.length === 1 ? own[0]?.label : undefined
      const part = await kind.signInPart(c, provider, {
        messages,
        params,
        isLastUsed,
        account,
      })
      return { ...part, isFirst }
    }),
  )
  return {
    before: parts.filter(({ isFirst }) => isFirst).map(({ content }) => content),
    after: parts.filter(({ isFirst }) => !isFirst).map(({ content }) => content),
    script: scriptOf(parts),
  }
}

/** The ids of the methods with which a user can sign in. */
export function methodIds(accounts: readonly LinkedAccount[]): ReadonlySet<string> {
  return new Set(accounts.map(({ provider }) => provider))
}
