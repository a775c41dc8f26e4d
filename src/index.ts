import type { ClientMetadataObject as ClientMetadataInstance } from './core/client-metadata/client-metadata-object.ts'
import type { GuardObject as GuardInstance } from './core/limits/guard-object.ts'
import type { RevocationsObject as RevocationsInstance } from './core/revocations/revocations-object.ts'
import type { KeyringObject as KeyringInstance } from './core/tokens/keyring-object.ts'
import type { UserObject as UserInstance } from './core/users/user-object.ts'
import { options } from './deployment.ts'
import type { MetricsObject as MetricsInstance } from './features/admin/metrics/metrics-object.ts'
import { createVestibule } from './vestibule.ts'

const vestibule = createVestibule(options)

export default vestibule.worker

export const {
  UserObject,
  KeyringObject,
  GuardObject,
  RevocationsObject,
  MetricsObject,
  ClientMetadataObject,
} = vestibule.objects

// For the generated types of the bindings.
export type UserObject = UserInstance
export type KeyringObject = KeyringInstance
export type GuardObject = GuardInstance
export type RevocationsObject = RevocationsInstance
export type MetricsObject = MetricsInstance
export type ClientMetadataObject = ClientMetadataInstance
