import type { ObjectClass } from '../../src/core/config/vestibule-options.ts'
import { createVestibule } from '../../src/vestibule.ts'
import { failWrites, type Part, withFaults } from './faults.ts'
import { matrixOptions } from './options.ts'

/*
 * The Worker of the matrix. Its Durable Objects have bindings into which faults can be injected, too:
 * they call each other, D1 and KV. So does their own storage.
 */

const { worker, objects } = createVestibule(matrixOptions)

export default worker

export const UserObject = faulty('USERS', objects.UserObject)
export const KeyringObject = faulty('KEYRING', objects.KeyringObject)
export const GuardObject = faulty('GUARDS', objects.GuardObject)
export const RevocationsObject = faulty('REVOCATIONS', objects.RevocationsObject)
export const ClientMetadataObject = faulty('CLIENT_METADATA', objects.ClientMetadataObject)
export const MetricsObject = faulty('METRICS', Reflect.get(objects, 'MetricsObject'))

function faulty(part: Part, Base: ObjectClass): ObjectClass {
  return class extends Base {
    constructor(ctx: DurableObjectState, env: Env) {
      const storage = failWrites(part, ctx.storage)
      Object.defineProperty(ctx, 'storage', { value: storage })
      super(ctx, withFaults(env))
    }
  }
}
