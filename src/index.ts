// These two first: gzip looks back 32 KiB, and in this order of the bundle it finds the most.
import './providers/refusal.ts'
import './signin/routes.ts'
import { app } from './app.ts'

export { GuardObject } from './limits/guard-object.ts'
export { KeyringObject } from './tokens/keyring-object.ts'
export { UserObject } from './users/user-object.ts'

export default app
