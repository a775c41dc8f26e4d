import { options } from '../../src/deployment.ts'
import { Passkey } from '../../src/providers.ts'
import { createVestibule } from '../../src/vestibule.ts'

/** The deployment of this repository with the ways to sign in that it does not have, for local work only. */
const vestibule = createVestibule({ ...options, providers: [...options.providers, Passkey()] })

export default vestibule.worker

export const { UserObject, KeyringObject, GuardObject } = vestibule.objects
