import type { Child } from 'hono/jsx'
import type { AppContext } from '../config/app-env.ts'
import type { Client } from '../config/clients.ts'
import type { LocalProvider, PagePart } from '../config/local-method.ts'
import { findPasskeyProvider } from '../config/local-providers.ts'
import type { SignInPageOptions } from '../feature.ts'
import { type Interaction, interactionClient } from '../interaction/interaction.ts'
import type { Messages } from '../messages/messages.ts'
import { messagesFor } from '../pages/page-response.tsx'
import { readPreference } from '../pages/preferences.ts'
import { providersWithScopes } from '../upstream/enabled-providers.ts'
import type { LinkedAccount } from '../users/directory-rows.ts'
import { listAccounts } from '../users/linked-accounts.ts'
import type { ProviderChoice, SignInParts } from './sign-in-page.tsx'

/** What each of the sign-in pages shows. */
export interface PageContent {
  messages: Messages
  interaction: Interaction
  client: Client | undefined
  choices: readonly ProviderChoice[]
  parts: SignInParts & { script: string | undefined }
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
  /** The user at whose provider the scopes of the app must be granted; undefined if nowhere. */
  grantedBy?: string | undefined
  /** Whether a signed-in user signs in again to change their account. */
  changesAccount?: boolean
}

/** What the sign-in pages show for this request. */
export async function createPageContent(
  c: AppContext,
  { interaction, ...options }: ContentOptions,
): Promise<PageContent> {
  const client = await interactionClient(c, interaction)
  return { interaction, ...(await createClientContent(c, client, options)) }
}

/** What the sign-in pages show for a client. */
export async function createClientContent(
  c: AppContext,
  client: Client | undefined,
  options: Omit<ContentOptions, 'interaction'>,
): Promise<Omit<PageContent, 'interaction'>> {
  const { params, marksLastUsed, mustConfirm, accounts, grantedBy } = options
  const config = c.get('config')
  const messages = await messagesFor(c)
  const ownMethods = accounts && methodIds(accounts)
  const isOffered = ({ id }: { id: string }) => ownMethods?.has(id) ?? true
  // Any other provider would reject the request, or not grant what the app needs.
  const providers = providersWithScopes(config, client?.upstream_scope ?? []).filter(isOffered)
  const localProviders = config.localProviders.filter(isOffered)
  // Nobody has to recognise the only way to sign in.
  const hasChoice = providers.length + localProviders.length > 1
  const lastUsed = hasChoice && marksLastUsed ? readPreference(c, 'provider') : undefined
  const { providerButtons = providers.length === 1 ? 'filled' : 'outlined' } = config.theme
  const choices = providers.map(({ id, name, style }) => ({
    id,
    name,
    logo: style.logo,
    isFilled: providerButtons === 'filled',
    href: `/api/auth/signin/${id}?${params}`,
    isLastUsed: id === lastUsed,
  }))
  const mustGrant = grantedBy !== undefined && client?.upstream_scope.length
  const offered = mustGrant ? await ownChoices(c, choices, grantedBy) : choices
  // They prove too little: someone may have been tricked into scanning a QR code.
  const links = options.changesAccount
    ? []
    : await featureParts(c, { messages, params, providers: offered })
  const parts = await localParts(c, {
    messages,
    params,
    localProviders,
    mustConfirm,
    accounts,
    lastUsed,
    client,
  })
  return { messages, client, choices: orderChoices(offered), parts: { ...parts, links } }
}

/** What features offer on a sign-in page. */
export async function featureParts(c: AppContext, page: SignInPageOptions): Promise<Child[]> {
  const parts = await Promise.all(
    c.get('config').features.map((feature) => feature.signInPart?.(c, page)),
  )
  return parts.flatMap((part) => (part ? [part.content] : []))
}

/** The providers that the user has accounts of: no other could grant more to the same user. */
async function ownChoices(
  c: AppContext,
  choices: readonly ProviderChoice[],
  userId: string,
): Promise<readonly ProviderChoice[]> {
  const methods = methodIds(await listAccounts(c.env, userId))
  const own = choices.filter(({ id }) => methods.has(id))
  // A user without an account of such a provider has to use another account of this service.
  return own.length > 0 ? own : choices
}

/** What the browser last signed in with comes first; otherwise the order stays the same. */
function orderChoices(choices: readonly ProviderChoice[]): readonly ProviderChoice[] {
  return choices.toSorted((a, b) => Number(b.isLastUsed) - Number(a.isLastUsed))
}

interface LocalPartsOptions extends Pick<ContentOptions, 'params' | 'mustConfirm' | 'accounts'> {
  messages: Messages
  localProviders: readonly LocalProvider[]
  lastUsed: string | undefined
  client: Client | undefined
}

async function localParts(
  c: AppContext,
  options: LocalPartsOptions,
): Promise<Omit<PageContent['parts'], 'links'>> {
  const { messages, params, localProviders, mustConfirm, accounts, lastUsed, client } = options
  const ownAccounts = (id: string) => accounts?.filter(({ provider }) => provider === id)
  const signInPart = async (
    provider: LocalProvider,
    isPrimary: boolean,
  ): Promise<PagePart | undefined> => {
    // Only another service can grant the scopes that the app needs.
    if (client?.upstream_scope.length) return undefined
    const own = ownAccounts(provider.id) ?? []
    return provider.method.signInPart(c, provider, {
      messages,
      params,
      isLastUsed: provider.id === lastUsed,
      isPrimary,
      account: own.length === 1 ? own[0]?.label : undefined,
    })
  }

  const passkeyProvider = findPasskeyProvider({ localProviders })
  const isPasskeyLastUsed = passkeyProvider !== undefined && passkeyProvider.id === lastUsed
  const confirmation = mustConfirm
    ? await passkeyProvider?.method.confirmationPart(c, {
        messages,
        params,
        sufficient: ownAccounts(passkeyProvider.id)?.map(({ accountId }) => accountId),
      })
    : undefined
  // Without a passkey, the user cannot confirm. Another user may have used one in this browser.
  const isUseful = !mustConfirm || isPasskeyLastUsed
  const passkeys =
    confirmation ??
    (passkeyProvider && isUseful ? await signInPart(passkeyProvider, false) : undefined)
  const others = localProviders.filter((provider) => provider !== passkeyProvider)
  const forms = await Promise.all(
    others.map(async (provider, index) => ({
      content: (await signInPart(provider, index === 0 && !confirmation))?.content,
      isLastUsed: provider.id === lastUsed,
    })),
  )
  return {
    passkeys: passkeys && {
      content: passkeys.content,
      isFirst: confirmation !== undefined || isPasskeyLastUsed,
    },
    forms: forms.filter(({ content }) => content),
    script: passkeys?.script,
  }
}

/** The ids of the methods with which a user can sign in. */
function methodIds(accounts: readonly LinkedAccount[]): ReadonlySet<string> {
  return new Set(accounts.map(({ provider }) => provider))
}
