import { ClientMetadataObject } from '../core/client-metadata/client-metadata-object.ts'
import type { Feature } from '../core/config/feature.ts'
import { GuardObject } from '../core/limits/guard-object.ts'
import type { ExtensibleObjects } from '../core/storage/extensible-objects.ts'
import { UserObject } from '../core/users/user-object.ts'

/** The object classes of the core, with what features add to them. */
export function extendClasses(features: readonly Feature[]) {
  const extendClass = <Name extends keyof ExtensibleObjects>(
    name: Name,
    core: ExtensibleObjects[Name],
  ) => features.reduce((Base, { extend }) => extend?.[name]?.(Base) ?? Base, core)
  return {
    UserObject: extendClass('UserObject', UserObject),
    GuardObject: extendClass('GuardObject', GuardObject),
    ClientMetadataObject: extendClass('ClientMetadataObject', ClientMetadataObject),
  }
}
