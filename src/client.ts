export {
  type Client,
  type ClientOptions,
  createClient,
  type TokenOptions,
} from './client/client.ts'
export { type Dpop, dpop } from './client/dpop.ts'
export {
  type Session,
  type SessionState,
  type SignInOptions,
  type TokenClaims,
  UnavailableError,
  type User,
} from './client/session.ts'
export {
  defineUserButton,
  type UserButtonAttributes,
  type UserButtonElement,
} from './client/user-button.ts'
