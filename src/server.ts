export { UnavailableError, type User } from './libraries/client/session.ts'
export { type Dpop, dpop } from './libraries/server/dpop.ts'
export type { HandlerRequest } from './libraries/server/handler.ts'
export type { EndedSession } from './libraries/server/login-service.ts'
export type { ServerOptions } from './libraries/server/options.ts'
export {
  createServer,
  type RenewedToken,
  type Server,
  type Session,
} from './libraries/server/server.ts'
export type { SessionClaims } from './libraries/server/stored-session.ts'
export type { RequestHeaders } from './libraries/verify/request-headers.ts'
