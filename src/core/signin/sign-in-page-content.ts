import type { LocalProvider } from '../config/feature.ts'
import type { AppContext } from '../http/app-env.ts'
import { type Interaction, interactionClient } from '../interaction/interaction.ts'
import type { Messages } from '../messages/messages.ts'
import type { SignInPageOptions, SignInPart } from '../pages/page-part.ts'
import { messagesFor } from '../pages/page-response.tsx'
import { readPreference } from '../pages/preferences.ts'
import { filledButtonRules } from '../pages/stylesheet.ts'
import type { Client } from '../registration-schemas/clients.ts'
import { providersWithScopes } from '../upstream/enabled-providers.ts'
import type { LinkedAccount } from '../users/directory-rows.ts'
import { listAccounts } from '../users/linked-accounts.ts'
import type { ProviderChoice } from './sign-in-page.tsx'

/** What each of the sign-in pages shows. */
export interface PageContent {
  messages: Messages
  interaction: Interaction
  client: Client | undefined
  choices: readonly ProviderChoice[]
  /** What features and local methods offer. */
  parts: readonly SignInPart[]
  /** The rules of buttons that have the colour of their provider. */
  css: string
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
  const preference = hasChoice && marksLastUsed ? readPreference(c, 'provider') : undefined
  const lastUsed = [...providers, ...localProviders].find(({ id }) => id === preference)?.id
  const filled = filledProviders(config.theme.providerButtons, { providers, lastUsed })
  const choices = providers.map(({ id, name, style }) => ({
    id,
    name,
    logo: style.logo,
    isFilled: filled.some((provider) => provider.id === id),
    href: `/api/auth/signin/${id}?${params}`,
    isLastUsed: id === lastUsed,
  }))
  const needsScopes = client !== undefined && client.upstream_scope.length > 0
  const offered =
    needsScopes && grantedBy !== undefined ? await ownChoices(c, choices, grantedBy) : choices
  const page = { messages, params, providers: offered, lastUsed, mustConfirm, accounts }
  const parts = [
    ...(await localParts(c, localProviders, { ...page, needsScopes })),
    // They prove too little: someone may have been tricked into scanning a QR code.
    ...(options.changesAccount ? [] : await featureParts(c, page)),
  ]
  return {
    messages,
    client,
    choices: orderChoices(offered),
    parts,
    css: filledButtonRules(filled),
  }
}

/**
 * The providers whose buttons are filled: unless the deployment decides it, what the browser last
 * signed in with, or the only one.
 */
function filledProviders<Provider extends { id: string }>(
  setting: 'filled' | 'outlined' | undefined,
  { providers, lastUsed }: { providers: readonly Provider[]; lastUsed: string | undefined },
): readonly Provider[] {
  if (setting !== undefined) return setting === 'filled' ? providers : []
  if (lastUsed !== undefined) return providers.filter(({ id }) => id === lastUsed)
  return providers.length === 1 ? providers : []
}

/** What local methods offer: to confirm, if the signed-in user can, or to sign in. */
async function localParts(
  c: AppContext,
  providers: readonly LocalProvider[],
  { needsScopes, ...page }: SignInPageOptions & { needsScopes: boolean },
): Promise<SignInPart[]> {
  const confirmations = await Promise.all(
    providers.map(({ method }) =>
      page.mustConfirm ? method.confirmationPart?.(c, page) : undefined,
    ),
  )
  const parts: SignInPart[] = []
  for (const [index, { id, method }] of providers.entries()) {
    const isFirst = !parts.some(({ place }) => place === 'form')
    const isChosen = page.lastUsed === undefined ? isFirst : id === page.lastUsed
    const isPrimary = isChosen && !confirmations.some(Boolean)
    // Only another service can grant the scopes that the app needs.
    const part =
      confirmations[index] ??
      (needsScopes ? undefined : await method.signInPart?.(c, { ...page, isPrimary }))
    if (part) parts.push(part)
  }
  return parts
}

/** What features offer that are not local methods. */
async function featureParts(c: AppContext, page: SignInPageOptions): Promise<SignInPart[]> {
  const { features, localProviders } = c.get('config')
  const others = features.filter(
    (feature) => !localProviders.some(({ method }) => method === feature),
  )
  const parts = await Promise.all(others.map((feature) => feature.signInPart?.(c, page)))
  return parts.filter((part) => part !== undefined)
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

/** The ids of the methods with which a user can sign in. */
function methodIds(accounts: readonly LinkedAccount[]): ReadonlySet<string> {
  return new Set(accounts.map(({ provider }) => provider))
}
