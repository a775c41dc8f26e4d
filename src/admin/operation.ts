import type * as z from 'zod/mini'
import type { AuditOrigin } from '../audit/audit-entry.ts'
import type { AdminScope } from '../config/apis.ts'
import type { Config } from '../config/config.ts'

/** A request to the API, authorized and validated. */
interface OperationRequest<Query, Body> {
  env: Env
  config: Config
  /** The parameter of the path; empty if it has none. */
  id: string
  query: Query
  body: Body
  /** For the audit log. */
  origin: AuditOrigin
}

interface TypedOperation<Query, Body> {
  /** Unique; generated clients use it as the name of a function. */
  id: string
  method: 'get' | 'post' | 'patch' | 'delete'
  /** Below `/admin/api`. A path has at most one parameter, `:id`. */
  path: string
  scope: AdminScope
  summary: string
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

export type Operation = TypedOperation<unknown, unknown>

/** Declares an operation; `handle` gets the types of the schemas. */
export function operation<Query, Body>(declared: TypedOperation<Query, Body>): Operation {
  return declared as Operation
}
