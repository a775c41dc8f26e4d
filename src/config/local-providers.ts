import type {
  CredentialsConfig,
  EmailConfig,
  LocalBinding,
  LocalKind,
  LocalSetting,
  WebAuthnConfig,
} from '../providers/local-types.ts'

/** A provider whose users sign in on pages of this service, with the code behind its type. */
export type LocalProvider = (EmailConfig | CredentialsConfig | WebAuthnConfig) & { kind: LocalKind }

/** The code behind the type of such a provider, for folders that do not import src/providers. */
export type LocalProviderKind<Provider extends LocalProvider> = LocalKind<Provider>

/** The functions that create providers of these types. */
const CREATED_BY: Record<LocalKind['type'], string> = {
  email: 'Email()',
  credentials: 'Credentials()',
  webauthn: 'Passkey()',
}

export function isLocalType(type: unknown): type is LocalKind['type'] {
  return typeof type === 'string' && Object.hasOwn(CREATED_BY, type)
}

export function findLocalProvider(
  { localProviders }: { localProviders: readonly LocalProvider[] },
  id: string | undefined,
): LocalProvider | undefined {
  return localProviders.find((provider) => provider.id === id)
}

/** What is wrong with a provider that was not created by the function for its type. */
export function missingKindProblem({ id, type }: { id: string; type: LocalKind['type'] }): string {
  return `The provider ${id} has the type ${type}: create it with ${CREATED_BY[type]} of vestibule-auth/providers.`
}

/** The options of a provider that do not exist. Nothing is accepted and then ignored. */
export function unknownOptionProblems(
  provider: object,
  known: Readonly<Record<string, true>>,
): string[] {
  return Object.keys(provider)
    .filter((option) => !Object.hasOwn(known, option))
    .map((option) => `${option} is not an option of this provider.`)
}

/** The settings that these providers read. */
export function listLocalSettings(providers: readonly LocalProvider[]): LocalSetting[] {
  return providers.flatMap((provider) => provider.kind.settings?.(provider) ?? [])
}

/** The bindings that these providers use. */
export function listLocalBindings(providers: readonly LocalProvider[]): LocalBinding[] {
  return providers.flatMap((provider) => provider.kind.bindings?.(provider) ?? [])
}
