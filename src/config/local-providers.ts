import * as z from 'zod/mini'
import type { LocalBinding, LocalSetting } from '../providers/local-types.ts'
import { isObject } from '../values/json.ts'
import type { LocalProvider, LocalType, PasskeyProvider } from './local-method.ts'
import { styleSchema } from './provider-schema.ts'
import { shortName } from './schemas.ts'

/** The functions that create providers of these types. */
const CREATED_BY: Record<LocalType, string> = {
  email: 'Email()',
  credentials: 'Credentials()',
  webauthn: 'Passkey()',
}

export function isLocalType(type: unknown): type is LocalType {
  return typeof type === 'string' && Object.hasOwn(CREATED_BY, type)
}

/** Whether the provider was created by the function for its type, which adds the method. */
export function isLocalProvider(provider: unknown): provider is LocalProvider {
  return isObject(provider) && isLocalType(provider['type']) && isObject(provider['method'])
}

/** What is wrong with a provider that was not created by the function for its type. */
export function missingMethodProblem(type: LocalType): string {
  return `has the type ${type}: create it with ${CREATED_BY[type]} of vestibule-auth/providers.`
}

interface LocalProviders {
  localProviders: readonly LocalProvider[]
}

export function findLocalProvider(
  { localProviders }: LocalProviders,
  id: string | undefined,
): LocalProvider | undefined {
  return localProviders.find((provider) => provider.id === id)
}

/** The provider of passkeys, if the deployment has it. */
export function findPasskeyProvider({
  localProviders,
}: LocalProviders): PasskeyProvider | undefined {
  return localProviders.find((provider) => provider.type === 'webauthn')
}

/** The schemas of the options that all these providers have. */
export const LOCAL_OPTIONS = {
  id: z.string(),
  name: shortName,
  type: z.string(),
  style: z.optional(styleSchema),
  method: z.unknown(),
}

/** The settings that these providers read. */
export function listLocalSettings(providers: readonly LocalProvider[]): LocalSetting[] {
  return providers.flatMap((provider) => provider.method.settings?.(provider) ?? [])
}

/** The bindings that these providers use. */
export function listLocalBindings(providers: readonly LocalProvider[]): LocalBinding[] {
  return providers.flatMap((provider) => provider.method.bindings?.(provider) ?? [])
}
