export {
  type Client,
  type ClientOptions,
  createClient,
  type TokenOptions,
} from './libraries/client/client.ts'
export { type Dpop, dpop } from './libraries/client/dpop.ts'
export {
  type Session,
  type SessionState,
  type SignInOptions,
  type TokenClaims,
  UnavailableError,
  type User,
} from './libraries/client/session.ts'
export {
  defineUserButton,
  type UserButtonAttributes,
  type UserButtonElement,
} from './libraries/client/user-button.ts'
