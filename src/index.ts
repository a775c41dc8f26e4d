import { app } from './app.ts'

export { GuardObject } from './limits/guard-object.ts'
export { KeyringObject } from './tokens/keyring-object.ts'
export { UserObject } from './users/user-object.ts'

export default app
