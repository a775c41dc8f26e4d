import { options } from './deployment.ts'
import { createVestibule } from './vestibule.ts'

const vestibule = createVestibule(options)

export default vestibule.worker

export const { UserObject, KeyringObject, GuardObject } = vestibule.objects

// For the generated types of the bindings.
export type UserObject = InstanceType<typeof UserObject>
export type KeyringObject = InstanceType<typeof KeyringObject>
export type GuardObject = InstanceType<typeof GuardObject>
