import { isObject } from '../../foundation/values/json.ts'
import type { ListedLocalProvider, LocalProvider, LocalType } from './feature.ts'

/** The functions that create providers of these types. */
export const CREATED_BY: Record<LocalType, string> = {
  email: 'Email()',
  credentials: 'Credentials()',
  webauthn: 'Passkey()',
}

export function isLocalType(type: unknown): type is LocalType {
  return typeof type === 'string' && Object.hasOwn(CREATED_BY, type)
}

/** Whether the provider was created by the function for its type, which adds the method. */
export function isLocalProvider(provider: unknown): provider is ListedLocalProvider {
  return (
    isObject(provider) && isLocalType(provider['type']) && typeof provider['method'] === 'function'
  )
}

/** The provider with the code of its method. */
export function createLocalProvider(listed: ListedLocalProvider): LocalProvider {
  return { ...listed, method: listed.method(listed) }
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
