import type { ObjectClass } from '../../src/config/vestibule-options.ts'
import { createVestibule } from '../../src/vestibule.ts'
import { withFaults } from './faults.ts'
import { matrixOptions } from './options.ts'

/*
 * The Worker of the matrix. Its Durable Objects have bindings into which faults can be injected, too:
 * they call each other, D1 and KV.
 */

const { worker, objects } = createVestibule(matrixOptions)

export default worker

export const UserObject = faulty(objects.UserObject)
export const KeyringObject = faulty(objects.KeyringObject)
export const GuardObject = faulty(objects.GuardObject)
export const RevocationsObject = faulty(objects.RevocationsObject)
export const ClientMetadataObject = faulty(objects.ClientMetadataObject)
export const MetricsObject = faulty(Reflect.get(objects, 'MetricsObject'))

function faulty(Base: ObjectClass): ObjectClass {
  return class extends Base {
    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, withFaults(env))
    }
  }
}
