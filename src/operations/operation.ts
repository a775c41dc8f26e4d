import type * as z from 'zod/mini'
import type { AuditOrigin } from '../audit/audit-entry.ts'
import type { Config } from '../config/config.ts'
import type { OperationDescription } from './operation-description.ts'

/** A request for an operation, authorized and validated. */
interface OperationRequest<Query, Body> {
  env: Env
  config: Config
  /** The parameters of the path; empty if it does not have them. */
  id: string
  sid: string
  /** `provider:account id`, as administrators are listed. */
  account: string
  /** A `client_id`. */
  client: string
  /** The id of an event, which is that of an entry of the audit log. */
  event: string
  query: Query
  body: Body
  /** What the caller may do. */
  scopes: readonly string[]
  /** For the audit log. */
  origin: AuditOrigin
}

interface TypedImplementation<Query, Body> {
  query?: z.ZodMiniType<Query>
  /** A body in JSON. Without a schema, the request has none. */
  body?: z.ZodMiniType<Body>
  /** Describes a body that the called function validates itself. */
  bodyDescription?: z.ZodMiniType
  /** The body has one JSON value per line. */
  isNdjson?: boolean
  /** 204 if `response` is absent, otherwise 200 if this is absent. */
  status?: 201
  /** A response in JSON, or the media type of another one, for which `handle` returns the text. */
  response?: z.ZodMiniType | 'text/plain'
  handle(request: OperationRequest<Query, Body>): Promise<unknown>
}

export type Implementation = TypedImplementation<unknown, unknown>

export interface Operation extends OperationDescription, Implementation {
  id: string
}

/** Implements an operation; `handle` gets the types of the schemas. */
export function implement<Query, Body>(
  implementation: TypedImplementation<Query, Body>,
): Implementation {
  return implementation as Implementation
}
